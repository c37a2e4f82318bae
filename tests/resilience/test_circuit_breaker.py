from __future__ import annotations

import asyncio
import contextlib
import pickle
import time as real_time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentports.ports import AbortError, LLMCallHooks
from agentports.resilience import CircuitOpenError, with_circuit_breaker

from .scripted import HANG, Recorder, Scripted, VirtualTime, answer, failure, pieces, read, request


class Driven:
    """A breaker around a scripted provider, called step by step."""

    def __init__(self, **options: Any) -> None:
        self.time = VirtualTime()
        self.inner = Scripted(answer(), streams=[pieces("a")])
        self.subject: Any = with_circuit_breaker(self.inner, clock=self.time.clock, **options)

    def complete(self, step: Any = None, hooks: LLMCallHooks | None = None) -> Any:
        return self._outcome(lambda: self.subject.complete(request(), hooks), answer() if step is None else step)

    def stream(self, *steps: Any, hooks: LLMCallHooks | None = None) -> Any:
        return self._outcome(lambda: read(self.subject.stream(request(), hooks)), list(steps))

    def ok(self) -> None:
        assert self.complete() == answer()

    def fail(self, count: int = 1) -> Exception:
        for _ in range(count):
            error = failure()
            assert self.complete(error) is error
        return error

    def rejected(self) -> CircuitOpenError:
        before = len(self.inner.calls)
        error = self.complete()
        assert isinstance(error, CircuitOpenError)
        assert isinstance(self.stream(), CircuitOpenError)
        assert len(self.inner.calls) == before
        return error

    def cool(self, ms: float = 30_000) -> None:
        self.time.now += ms / 1000

    def _outcome(self, call: Callable[[], Awaitable[Any]], step: Any) -> Any:
        self.inner.script[:] = [step]
        self.inner._streams = [step]

        async def await_it() -> Any:
            return await call()

        try:
            return asyncio.run(await_it())
        except Exception as error:
            return error


# ---- the walk


@pytest.mark.parametrize("threshold", range(1, 7))
def test_it_opens_at_the_threshold(threshold: int) -> None:
    driven = Driven(failure_threshold=threshold)
    driven.fail(threshold)
    assert len(driven.inner.calls) == threshold
    driven.rejected()


def test_a_success_resets_the_count() -> None:
    driven = Driven(failure_threshold=3)
    for _ in range(5):
        driven.fail(2)
        driven.ok()


def test_an_open_breaker_does_not_call() -> None:
    driven = Driven()
    driven.fail(5)
    for _ in range(50):
        driven.rejected()


def test_the_cooldown_is_measured_from_opening() -> None:
    driven = Driven(failure_threshold=1, half_open_success_threshold=1)
    driven.fail()
    driven.cool(29_999)
    driven.rejected()
    driven.cool(0.5)
    driven.rejected()
    driven.cool(0.5)
    driven.ok()
    driven.ok()


@pytest.mark.parametrize("threshold", range(1, 5))
def test_probes_close_it_and_a_full_count_is_needed_again(threshold: int) -> None:
    driven = Driven(failure_threshold=3, half_open_success_threshold=threshold)
    driven.fail(3)
    driven.cool()
    for _ in range(threshold):
        driven.ok()
    driven.fail(2)
    driven.ok()
    driven.fail(3)
    driven.rejected()


@pytest.mark.parametrize("successes", [0, 1, 2])
def test_a_failed_probe_opens_it_for_a_whole_cooldown(successes: int) -> None:
    driven = Driven(failure_threshold=3, half_open_success_threshold=3)
    driven.fail(3)
    driven.cool()
    for _ in range(successes):
        driven.ok()
    driven.cool(1000)
    error = driven.fail()
    assert driven.rejected().cause is error
    driven.cool(29_999)
    driven.rejected()
    driven.cool(1)
    for _ in range(2):  # the earlier successes count no more
        driven.ok()
    driven.fail()
    driven.rejected()


def test_defaults() -> None:
    driven = Driven()
    driven.fail(4)
    driven.ok()
    driven.fail(5)
    driven.cool(29_999)
    driven.rejected()
    driven.cool(1)
    driven.ok()
    driven.fail()
    driven.rejected()
    driven.cool()
    driven.ok()
    driven.ok()
    driven.fail(4)
    driven.ok()


def test_outcomes_are_unchanged() -> None:
    driven = Driven()
    response, error = answer("x", provider_ref="r"), failure(400, code="x")
    assert driven.complete(response) is response
    assert driven.complete(error) is error
    assert driven.stream(*pieces("a", "b")) == pieces("a", "b")
    assert driven.stream(error) is error
    assert driven.subject.name == "p"


# ---- the rejection


def test_the_rejection_names_cause_and_time() -> None:
    driven = Driven(failure_threshold=2, cooldown_ms=5000)
    driven.fail()
    last = driven.fail()
    for _ in range(3):
        error = driven.rejected()
        assert error.code == "ERR_CIRCUIT_OPEN"
        assert error.cause is error.__cause__ is last
        assert error.retry_after == 1000 * 1000 + 5000
        assert not hasattr(error, "status")
        driven.cool(1000)


def test_the_time_is_wall_clock_by_default() -> None:
    subject = with_circuit_breaker(Scripted(failure()), failure_threshold=1)
    with contextlib.suppress(Exception):
        asyncio.run(subject.complete(request()))
    with pytest.raises(CircuitOpenError) as caught:
        asyncio.run(subject.complete(request()))
    assert caught.value.retry_after == pytest.approx(real_time.time() * 1000 + 30_000, abs=60_000)


def test_the_rejection_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(CircuitOpenError("p: circuit open", cause=failure(), retry_after=1.0)))
    assert (str(error), error.code, error.retry_after) == ("p: circuit open", "ERR_CIRCUIT_OPEN", 1.0)
    assert isinstance(error.cause, type(failure()))


# ---- what counts


class ForeignAbort(Exception):
    code = "ABORT_ERR"


@pytest.mark.parametrize("method", ["complete", "stream"])
@pytest.mark.parametrize("error", [AbortError(), ForeignAbort()])
def test_aborts_count_in_no_state(error: Exception, method: str) -> None:
    driven = Driven(failure_threshold=2)
    abort = getattr(driven, method)
    driven.fail()
    for _ in range(5):
        assert abort(error) is error
    driven.fail()
    driven.rejected()
    driven.cool()
    driven.ok()
    assert abort(error) is error
    driven.ok()
    driven.fail()
    driven.ok()  # was closed


def test_cancellation_counts_not() -> None:
    driven = Driven(failure_threshold=1)

    async def cancelled(call: Callable[[], Awaitable[Any]]) -> None:
        task = asyncio.ensure_future(call())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    driven.inner.script[:] = [HANG]
    driven.inner._streams = [[HANG]]
    asyncio.run(cancelled(lambda: driven.subject.complete(request())))
    asyncio.run(cancelled(lambda: read(driven.subject.stream(request()))))
    assert driven.inner.opened[0].closed
    driven.ok()


def test_a_refused_failure_changes_nothing() -> None:
    driven = Driven(failure_threshold=2, should_count=lambda error: error.status != 400)
    refused = failure(400)
    driven.fail()
    assert driven.complete(refused) is refused
    driven.fail()
    driven.rejected()
    driven.cool()
    assert driven.complete(refused) is refused
    driven.ok()
    assert driven.stream(refused) is refused
    driven.ok()
    driven.fail()
    driven.ok()


def test_two_breakers_share_nothing() -> None:
    inner = Scripted(failure(), answer())
    first, second = (with_circuit_breaker(inner, failure_threshold=1) for _ in range(2))
    with pytest.raises(type(failure())):
        asyncio.run(first.complete(request()))
    assert asyncio.run(second.complete(request())) == answer()


# ---- stream


def test_complete_and_stream_share_the_state() -> None:
    driven = Driven(failure_threshold=4)
    for _ in range(2):
        driven.fail()
        assert isinstance(driven.stream(failure()), type(failure()))
    driven.rejected()
    driven.cool()
    driven.ok()
    assert driven.stream(*pieces("a")) == pieces("a")
    driven.fail(3)
    driven.ok()


def test_an_eager_stream_that_fails_counts() -> None:
    inner = Scripted(streams=[[failure()]], eager=True)
    subject: Any = with_circuit_breaker(inner, failure_threshold=1)
    with pytest.raises(type(failure())):
        asyncio.run(read(subject.stream(request())))
    with pytest.raises(CircuitOpenError):
        asyncio.run(read(subject.stream(request())))
    assert len(inner.calls) == 1


def test_a_late_failure_changes_nothing() -> None:
    driven = Driven(failure_threshold=2)
    driven.fail()
    for _ in range(5):
        error = failure()
        assert driven.stream(pieces("a")[0], error) is error
    driven.fail()
    driven.rejected()
    driven.cool()
    driven.ok()
    driven.stream(pieces("a")[0], failure())
    driven.ok()
    driven.fail()
    driven.ok()


@pytest.mark.parametrize("steps", [[], pieces("a")[:1], pieces("a")], ids=["empty", "no terminal chunk", "whole"])
def test_a_stream_read_to_its_end_is_a_success(steps: list[Any]) -> None:
    driven = Driven(failure_threshold=2)
    driven.fail()
    assert driven.stream(*steps) == steps
    driven.fail(2)
    driven.rejected()
    driven.cool()
    driven.stream(*steps)
    driven.stream(*steps)
    driven.fail()
    driven.ok()


def leave_after(driven: Driven, count: int) -> None:
    driven.inner._streams = [pieces("a")]

    async def call() -> None:
        stream = driven.subject.stream(request())
        for _ in range(count):
            await anext(stream)
        await stream.aclose()
        assert all(played.closed for played in driven.inner.opened)

    asyncio.run(call())


def test_a_stream_left_at_its_terminal_chunk_is_a_success() -> None:
    driven = Driven(failure_threshold=2)
    driven.fail()
    leave_after(driven, 2)
    driven.fail(2)
    driven.rejected()
    driven.cool()
    leave_after(driven, 2)
    leave_after(driven, 2)
    driven.fail()
    driven.ok()


def test_one_stream_is_one_success() -> None:
    driven = Driven(failure_threshold=2, half_open_success_threshold=2)
    driven.fail(2)
    driven.cool()
    driven.stream(*pieces("a"), *pieces("b"))
    driven.fail()
    driven.rejected()


@pytest.mark.parametrize("count", [0, 1])
def test_an_abandoned_stream_counts_neither_way(count: int) -> None:
    driven = Driven(failure_threshold=2)
    driven.fail()
    leave_after(driven, count)
    driven.fail()
    driven.rejected()
    driven.cool()
    for _ in range(3):
        leave_after(driven, count)
    driven.ok()
    driven.fail()
    driven.rejected()


def test_nothing_is_decided_before_the_first_step() -> None:
    driven = Driven(failure_threshold=1)
    stream = driven.subject.stream(request())
    assert driven.inner.calls == []
    driven.fail()
    with pytest.raises(CircuitOpenError):
        asyncio.run(anext(stream))


# ---- overlapping calls


def test_half_open_admits_several_probes() -> None:
    driven = Driven(failure_threshold=1)
    driven.fail()
    driven.cool()
    driven.inner.script[:] = [HANG, answer()]

    async def call() -> None:
        hanging = asyncio.create_task(driven.subject.complete(request()))
        await asyncio.sleep(0)
        assert await driven.subject.complete(request()) == answer()
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging

    asyncio.run(call())
    assert len(driven.inner.calls) == 3


@pytest.mark.parametrize("late", [answer(), failure(message="late")], ids=["success", "failure"])
def test_a_late_outcome_changes_no_state(late: Any) -> None:
    driven, recorder = Driven(failure_threshold=2, half_open_success_threshold=1), Recorder()

    async def call() -> None:
        go = asyncio.Event()

        async def straggle(seen: Any, hooks: Any) -> Any:
            await go.wait()
            return late

        driven.inner.script[:] = [straggle, failure()]
        straggler = asyncio.create_task(driven.subject.complete(request(), recorder.hooks))
        await asyncio.sleep(0)
        for _ in range(2):
            with pytest.raises(type(failure())):
                await driven.subject.complete(request())
        driven.cool(10_000)
        go.set()
        await asyncio.wait([straggler])
        assert (straggler.exception() or straggler.result()) is late

    asyncio.run(call())
    assert recorder.heard == []
    error = driven.rejected()
    assert error.retry_after == 1000 * 1000 + 30_000
    assert (error.cause is late) == isinstance(late, Exception)
    driven.cool(20_000)
    driven.ok()


# ---- reports


def test_each_transition_is_reported_once_to_the_call_that_caused_it() -> None:
    changes: list[tuple[str, str]] = []
    driven = Driven(
        failure_threshold=2, half_open_success_threshold=2, on_state_change=lambda *change: changes.append(change)
    )

    def reports(step: Any = None) -> list[Any]:
        recorder = Recorder()
        driven.complete(step, recorder.hooks)
        assert {report["provider_name"] for report in recorder.heard} <= {"p"}
        return [(report["state"], report["reason"]) for report in recorder.heard]

    error = failure(message="private")
    walk = [
        (error, []),
        (error, [("open", "2 consecutive failures")]),
        (None, []),
        (None, []),
        ("cool", None),
        (error, [("half-open", "cooldown elapsed"), ("open", "half-open probe failed")]),
        (None, []),
        ("cool", None),
        (None, [("half-open", "cooldown elapsed")]),
        (None, [("closed", "2 probe successes")]),
        (None, []),
    ]
    for step, expected in walk:
        if step == "cool":
            driven.cool()
        else:
            assert reports(step) == expected
    assert changes == [change for _, expected in walk for change in expected or []]


def test_report_then_callback_then_outcome() -> None:
    order: list[Any] = []
    driven = Driven(
        failure_threshold=1, half_open_success_threshold=1, on_state_change=lambda state, _: order.append(state)
    )

    def listen(report: Any) -> None:
        order.append(f"report {report['state']}")

    hooks = LLMCallHooks(on_resilience=listen)

    async def call(method: str) -> None:
        try:
            if method == "complete":
                await driven.subject.complete(request(), hooks)
            else:
                async for chunk in driven.subject.stream(request(), hooks):
                    if chunk.done:
                        order.append("outcome")
                        return
        except Exception:
            pass
        order.append("outcome")

    driven.inner.script[:] = [failure()]
    asyncio.run(call("complete"))
    assert order == ["report open", "open", "outcome"]
    order.clear()
    driven.cool()
    driven.inner._streams = [pieces("a")]
    asyncio.run(call("stream"))
    assert order == ["report half-open", "half-open", "report closed", "closed", "outcome"]


@pytest.mark.parametrize("hooks", [None, LLMCallHooks(), object()])
def test_it_works_the_same_when_nobody_listens(hooks: Any) -> None:
    changes: list[Any] = []
    driven = Driven(failure_threshold=1, on_state_change=lambda *change: changes.append(change))
    driven.complete(failure(), hooks)
    driven.rejected()
    assert changes == [("open", "1 consecutive failures")]


class Broken(Exception):
    pass


def broken(*_: Any) -> Any:
    raise Broken


@pytest.mark.parametrize("where", ["hook", "on_state_change"])
def test_a_listener_that_raises_reaches_the_caller_and_counts_nowhere(where: str) -> None:
    options: dict[str, Any] = {} if where == "hook" else {"on_state_change": broken}
    hooks = LLMCallHooks(on_resilience=broken) if where == "hook" else None
    driven = Driven(failure_threshold=1, half_open_success_threshold=1, **options)
    outer = with_circuit_breaker(driven.subject, failure_threshold=1)

    def call(step: Any) -> int:
        driven.inner.script[:] = [step]
        with pytest.raises(Broken):
            asyncio.run(outer.complete(request(), hooks))
        return len(driven.inner.calls)

    assert call(failure()) == 1  # opened
    driven.rejected()
    driven.cool()
    assert call(answer()) == 1  # half-open, found before the call
    assert call(answer()) == 2  # closed
    driven.ok()


def test_a_hook_that_raises_inside_the_provider_counts_not() -> None:
    driven = Driven(failure_threshold=1)
    hooks = LLMCallHooks(on_replay_prepared=broken)
    assert isinstance(driven.complete(lambda seen, hooks: hooks.on_replay_prepared(None), hooks), Broken)
    assert isinstance(driven.stream(lambda seen, hooks: hooks.on_replay_prepared(None), hooks=hooks), Broken)
    driven.ok()


# ---- the table of document 11, section 5


class Table:
    """The table, written down a second time."""

    def __init__(self, failures: int, cooldown: float, probes: int) -> None:
        self.limits = (failures, cooldown, probes)
        self.state, self.failures, self.probes, self.until = "closed", 0, 0, 0.0

    def admits(self, now: float) -> bool:
        if self.state == "open" and now >= self.until:
            self.state, self.probes = "half-open", 0
        return self.state != "open"

    def ends(self, outcome: str, now: float) -> None:
        failures, cooldown, probes = self.limits
        if outcome == "success":
            self.failures = 0
            self.probes += self.state == "half-open"
            if self.state == "half-open" and self.probes >= probes:
                self.state = "closed"
        elif outcome == "failure":
            self.failures += 1
            if self.state == "half-open" or self.failures >= failures:
                self.state, self.until, self.failures = "open", now + cooldown, 0


steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["complete", "stream"]), st.sampled_from(["success", "failure", "refused"])),
        st.tuples(st.just("cool"), st.sampled_from([1, 7, 8])),
    ),
    max_size=40,
)


@given(failures=st.integers(1, 4), probes=st.integers(1, 3), walk=steps)
def test_calls_are_admitted_as_the_table_says(failures: int, probes: int, walk: list[tuple[str, Any]]) -> None:
    asyncio.run(compare_with_table(failures, probes, walk))


async def compare_with_table(failures: int, probes: int, walk: list[tuple[str, Any]]) -> None:
    time = VirtualTime(0)
    given_steps = {"success": answer(), "failure": failure(), "refused": AbortError()}
    inner = Scripted(None, streams=[[]])
    subject: Any = with_circuit_breaker(
        inner,
        failure_threshold=failures,
        cooldown_ms=8000,
        half_open_success_threshold=probes,
        clock=time.clock,
    )
    table = Table(failures, 8, probes)
    for method, outcome in walk:
        if method == "cool":
            time.now += outcome
            continue
        before, admitted = len(inner.calls), table.admits(time.now)
        step = given_steps[outcome]
        inner.script[:] = [step]
        inner._streams = [pieces("a") if outcome == "success" else [step]]
        with contextlib.suppress(Exception):
            await (subject.complete(request()) if method == "complete" else read(subject.stream(request())))
        assert (len(inner.calls) > before) == admitted
        if admitted:
            table.ends(outcome, time.now)
