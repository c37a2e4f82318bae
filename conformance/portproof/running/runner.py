"""One rule on one subject: condition, bench, examples, result."""

from __future__ import annotations

import time
import traceback
import zlib
from collections.abc import Callable
from typing import Any

from portproof.catalogue import Invariant
from portproof.checks.registry import Check, check_of
from portproof.conditions import condition_of
from portproof.ports import PORTS, Bench
from portproof.running.examples import Failure, find_failure
from portproof.running.guard import Hung
from portproof.running.outcome import CheckResult, NotApplicable, NotTested, Violation
from portproof.running.plain import legible, plain
from portproof.running.profiles import Profile
from portproof.subjects.subject import Subject

__all__ = ["run_rule"]

#: Seconds within which a call on real time must end, and after a hang was seen twice, so that a subject that hangs
#: everywhere costs little.
_DEADLINE_S, _PATIENT_S, _IMPATIENT_S = 5.0, 15.0, 1.5


def run_rule(subject: Subject, rule: Invariant, profile: Profile, seed: int) -> CheckResult:
    """What one rule says of one subject. Never raises, but for an interrupt of the user."""
    began = time.perf_counter()
    result = _verdict(subject, rule, profile, seed)
    return CheckResult(
        result.outcome,
        legible(result.message),
        result.counterexample,
        result.examples,
        round(time.perf_counter() - began, 4),
    )


def _verdict(subject: Subject, rule: Invariant, profile: Profile, seed: int) -> CheckResult:
    if subject.problem is not None:
        return CheckResult("error", subject.problem)
    check = check_of(rule.id, PORTS[subject.port].checks)
    if check is None:
        return CheckResult("not_tested", "no check covers this rule")
    try:
        port = PORTS[subject.port]
        condition_of(rule.applies, port.words)(subject)
        uncontrolled = port.uncontrolled(subject)
        if uncontrolled is not None and not check.any_answer:
            raise NotTested(uncontrolled)
        return _examine(subject, check, profile, seed ^ zlib.crc32(rule.id.encode()))
    except NotApplicable as why:
        return CheckResult("not_applicable", str(why))
    except NotTested as why:
        return CheckResult("not_tested", str(why))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return CheckResult("error", f"the harness failed: {_last_lines(error)}")


def _examine(subject: Subject, check: Check, profile: Profile, seed: int) -> CheckResult:
    deadline = _IMPATIENT_S if subject.hangs > 1 else _DEADLINE_S
    try:
        return _search(subject, check, profile, seed, deadline)
    except Hung as first:
        if subject.hangs > 1:
            return _hung(first)
    try:
        # A slow machine is no violation: once more, with patience.
        return _search(subject, check, profile, seed, _PATIENT_S)
    except Hung as second:
        subject.hangs += 1
        return _hung(second)


def _hung(hung: Hung) -> CheckResult:
    return CheckResult("failed", f"the subject hangs: {hung}", legible(plain(getattr(hung, "drawn", {}))), 1)


def _search(subject: Subject, check: Check, profile: Profile, seed: int, deadline: float) -> CheckResult:
    port = PORTS[subject.port]
    bench = port.bench(subject, deadline * port.patience)
    try:
        if not check.strategies:
            return _once_or_twice(bench, check)
        examples = min(profile.examples, check.at_most or profile.examples)
        run, failure = find_failure(check.strategies, _body(bench, check), profile, examples, seed)
        return _failed(failure, run) if failure else CheckResult("passed", examples=run)
    finally:
        bench.close()


def _body(bench: Bench, check: Check) -> Callable[[dict[str, Any]], None]:
    def body(drawn: dict[str, Any]) -> None:
        try:
            bench.run(check.function, drawn)
        except Violation:
            bench.renew()
            raise
        except Hung as hung:
            hung.drawn = drawn  # type: ignore[attr-defined]
            raise

    return body


def _once_or_twice(bench: Bench, check: Check) -> CheckResult:
    """A check without examples; a failure counts when a fresh subject repeats it."""
    for _ in range(2):
        try:
            bench.run(check.function, {})
            return CheckResult("passed", examples=1)
        except Violation as violation:
            failure = Failure(violation, {})
            bench.renew()
    return _failed(failure, 1)


def _failed(failure: Failure, examples: int) -> CheckResult:
    remark = "" if failure.repeated else " (seen in this run; the same example did not fail when it was repeated)"
    return CheckResult("failed", f"{failure.violation}{remark}", failure.counterexample, examples)


def _last_lines(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)[-4:]).strip()
