"""What an adapter made of a recorded error, held against what is noted with the recording."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agentports.sim.recordings import Expected
from portproof.benches.classifier import is_overflow, sizes_of
from portproof.benches.views import view
from portproof.running.plain import told

__all__ = ["ASPECTS", "Judgement", "judge"]

#: What is looked at, in the order of reports.
ASPECTS = ("kind", "numbers", "status", "wait", "retryable", "message", "key")
_WAIT_TOLERANCE_MS = 1.0


@dataclass(frozen=True)
class Judgement:
    """One aspect: whether it is as noted, and what was seen where it is not."""

    aspect: str
    holds: bool
    seen: str = ""


def judge(expected: Expected, error: BaseException | None, secret: str | None = None) -> list[Judgement]:
    """Hold an outcome against the notes; `error` None is an answer. Aspects without a note are left out."""
    if error is None:
        return [] if expected.raises is None else [Judgement("kind", not expected.raises, "no error was raised")]
    if expected.raises is False:
        return [Judgement("kind", False, f"raised {told(error)}, where the vendor answered")]
    return list(_judged(expected, error, secret))


def _judged(expected: Expected, error: BaseException, secret: str | None) -> Iterator[Judgement]:
    if expected.overflow is not None:
        taken = "as a context overflow" if is_overflow(error) else "as another failure"
        yield Judgement("kind", is_overflow(error) == expected.overflow, f"{told(error)} ({taken})")
    if is_overflow(error) and expected.overflow:
        limit, actual = sizes_of(error)
        noted = limit in (None, expected.limit_tokens) and actual in (None, expected.actual_tokens)
        yield Judgement("numbers", noted, f"limit {limit}, actual {actual}")
    if expected.status is not None:
        yield Judgement("status", view(error, "status") == expected.status, f"status {view(error, 'status')}")
        wait = view(error, "retry_after_ms")
        yield Judgement("wait", _same_wait(wait, expected.retry_after_ms), f"retry_after_ms {wait}")
    if (advice := _retries(error, expected)) is not None:
        yield Judgement("retryable", advice == expected.retryable, f"retryable: {advice}")
    if expected.message:
        yield Judgement("message", _letters(expected.message) in _letters(told(error)), told(error))
    if secret:
        yield Judgement("key", secret not in _everything(error), "the API key stands in the error or its causes")


def _same_wait(wait: Any, noted: float | None) -> bool:
    if wait is None or noted is None:
        return wait is None and noted is None
    return bool(abs(wait - noted) <= _WAIT_TOLERANCE_MS)


def _retries(error: BaseException, expected: Expected) -> bool | None:
    """What a retry policy would do; None where the vendor's truth is not the contract's policy (document 20, 7)."""
    stated = view(error, "retryable")
    if expected.retryable is None or isinstance(stated, bool):
        return None if expected.retryable is None else stated
    if _policy(bool(expected.overflow), expected.status) != expected.retryable:
        return None
    return _policy(is_overflow(error), view(error, "status"))


def _policy(overflow: bool, status: int | None) -> bool:
    return not overflow and (status is None or status == 429 or not 400 <= status <= 499)


def _letters(text: str) -> str:
    """The text without what quoting and escaping changes."""
    return re.sub(r"\\[nrtu\"']|[\W_]+", "", text)


def _everything(error: BaseException) -> str:
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        chain.append(link)
        link = link.__cause__ or link.__context__
    return "".join(traceback.format_exception(error)) + "".join(f"{e!r} {getattr(e, '__dict__', '')}" for e in chain)
