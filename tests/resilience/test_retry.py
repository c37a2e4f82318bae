from __future__ import annotations

import asyncio
import contextlib
import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentports.ports import (
    AbortController,
    AbortError,
    ContextWindowExceededError,
    LLMCallHooks,
    ReplayPreparation,
    ThinkingReplayOmission,
    UnsupportedNativeOutputError,
    UnsupportedThinkingError,
    UnsupportedToolChoiceError,
)
from agentports.resilience import CircuitOpenError, with_retry

from .scripted import HANG, Recorder, Scripted, VirtualTime, answer, failure, pieces, read, request


def outcome(inner: Scripted, time: VirtualTime, recorder: Recorder | None = None, **options: Any) -> Any:
    """What one call gives: the response, or the exception."""
    subject = with_retry(inner, sleep=time.sleep, clock=time.clock, **options)
    try:
        return asyncio.run(subject.complete(request(), recorder.hooks if recorder else None))
    except Exception as error:
        return error


def with_attributes(base: type[Exception] = Exception, **attributes: Any) -> Exception:
    error = base("scripted")
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


# ---- attempts


@pytest.mark.parametrize("max_attempts", [1, 2, 3, 6])
def test_attempts_are_capped_and_the_last_error_is_raised(max_attempts: int) -> None:
    errors = [failure(message=str(number)) for number in range(max_attempts)]
    inner = Scripted(*errors)
    assert outcome(inner, VirtualTime(), max_attempts=max_attempts) is errors[-1]
    assert len(inner.calls) == max_attempts


@pytest.mark.parametrize("max_attempts", [0, -3])
def test_less_than_one_attempt_counts_as_one(max_attempts: int) -> None:
    inner = Scripted(failure())
    outcome(inner, VirtualTime(), max_attempts=max_attempts)
    assert len(inner.calls) == 1


@pytest.mark.parametrize("failures", [0, 1, 2, 3])
def test_the_first_success_ends_the_call(failures: int) -> None:
    inner, recorder = Scripted(*[failure()] * failures, answer("done")), Recorder()
    assert outcome(inner, VirtualTime(), recorder, max_attempts=4) == answer("done")
    assert len(inner.calls) == failures + 1
    assert recorder.kinds == ["retried"] * failures + ["recovered"] * (failures > 0)


def test_every_attempt_gets_the_request_and_the_hooks() -> None:
    inner, recorder, asked = Scripted(failure(), failure(), answer()), Recorder(), request(extra=1)
    asyncio.run(with_retry(inner, sleep=VirtualTime().sleep).complete(asked, hooks=recorder.hooks))
    assert len(inner.calls) == 3
    for method, seen, hooks in inner.calls:
        assert method == "complete"
        assert seen is asked
        assert hooks is recorder.hooks


def test_overlapping_calls_have_their_own_attempts() -> None:
    failed: dict[str, int] = {}

    async def twice_each(seen: Any, hooks: Any) -> Any:
        await asyncio.sleep(0)
        failed[seen.tag] = failed.get(seen.tag, 0) + 1
        return failure() if failed[seen.tag] < 3 else answer(seen.tag)

    time, recorders = VirtualTime(), [Recorder(), Recorder()]
    subject = with_retry(Scripted(twice_each), sleep=time.sleep)

    async def both() -> list[Any]:
        calls = [
            subject.complete(request(tag=tag), recorder.hooks) for tag, recorder in zip("ab", recorders, strict=True)
        ]
        return await asyncio.gather(*calls)

    assert asyncio.run(both()) == [answer("a"), answer("b")]
    assert sorted(time.slept) == [0.2, 0.2, 0.4, 0.4]
    for recorder in recorders:
        assert recorder.kinds == ["retried", "retried", "recovered"]


# ---- waits


def test_default_waits() -> None:
    time, recorder = VirtualTime(), Recorder()
    inner = Scripted(failure())
    outcome(inner, time, recorder)
    assert len(inner.calls) == 3
    assert time.slept == [0.2, 0.4]
    assert [report["backoff_ms"] for report in recorder.heard] == [200, 400]


def test_default_cap() -> None:
    time = VirtualTime()
    outcome(Scripted(failure()), time, max_attempts=9)
    assert time.slept == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10]


@given(
    initial=st.integers(0, 5000),
    factor=st.one_of(st.integers(1, 4), st.floats(0.1, 4)),
    cap=st.integers(0, 20_000),
    stated=st.lists(st.one_of(st.none(), st.floats(0, 1e9), st.integers(0, 10**9)), min_size=6, max_size=6),
)
def test_schedule_floor_and_cap(initial: int, factor: float, cap: int, stated: list[float | None]) -> None:
    time, recorder = VirtualTime(), Recorder()
    inner = Scripted(*[failure(retry_after_ms=wait) for wait in stated], answer())
    outcome(inner, time, recorder, max_attempts=7, initial_delay_ms=initial, backoff_factor=factor, max_delay_ms=cap)
    expected = [min(cap, max(initial * factor**n, wait or 0)) for n, wait in enumerate(stated)]
    assert time.slept == [wait / 1000 for wait in expected]
    retried = recorder.heard[:-1]
    assert [report["backoff_ms"] for report in retried] == expected
    assert [report.get("stated_wait_ms") for report in retried] == stated
    assert all(("stated_wait_ms" in report) == (wait is not None) for report, wait in zip(retried, stated, strict=True))


def test_a_schedule_beyond_every_float_is_the_cap() -> None:
    time = VirtualTime()
    outcome(Scripted(failure()), time, max_attempts=4, backoff_factor=1e200)
    assert time.slept == [0.2, 10, 10]


@pytest.mark.parametrize("value", [-1, math.nan, math.inf, -math.inf, "1000", True, None, [1]])
def test_an_invalid_stated_wait_counts_as_absent(value: Any) -> None:
    time, recorder = VirtualTime(), Recorder()
    error = with_attributes(status=503, retry_after_ms=value)
    assert outcome(Scripted(error, answer()), time, recorder) == answer()
    assert time.slept == [0.2]
    assert "stated_wait_ms" not in recorder.heard[0]


def test_an_integer_beyond_every_float_is_a_stated_wait() -> None:
    time, recorder = VirtualTime(), Recorder()
    outcome(Scripted(with_attributes(retry_after_ms=10**400), answer()), time, recorder)
    assert time.slept == [10]
    assert recorder.heard[0]["stated_wait_ms"] == 10**400


def test_the_timestamp_of_an_open_circuit_is_no_wait() -> None:
    time, recorder = VirtualTime(), Recorder()
    outcome(Scripted(CircuitOpenError("open", retry_after=1.7e12), answer()), time, recorder)
    assert time.slept == [0.2]
    assert "stated_wait_ms" not in recorder.heard[0]


# ---- which failures


def calls_for(error: BaseException) -> int:
    inner = Scripted(error, answer())
    outcome(inner, VirtualTime())
    return len(inner.calls)


def test_client_errors_are_final_but_429() -> None:
    assert {status for status in range(400, 500) if calls_for(failure(status)) == 2} == {429}


@pytest.mark.parametrize("status", [200, 301, 500, 502, 503, 504, 529, 600])
def test_other_statuses_are_retried(status: int) -> None:
    assert calls_for(failure(status)) == 2


@pytest.mark.parametrize(
    "error",
    [
        ConnectionError("reset"),
        TimeoutError(),
        failure(None),
        Exception("unknown"),
        with_attributes(status="503"),
        with_attributes(status=None),
        with_attributes(code=["ERR"]),
    ],
    ids=repr,
)
def test_errors_without_a_numeric_status_are_retried(error: Exception) -> None:
    assert calls_for(error) == 2


def test_status_code_is_read_where_status_is_absent() -> None:
    assert calls_for(with_attributes(status_code=404)) == 1
    assert calls_for(with_attributes(status=None, status_code=404)) == 1
    assert calls_for(with_attributes(status_code=503)) == 2
    assert calls_for(with_attributes(status=503, status_code=404)) == 2


class ForeignAbort(Exception):
    name = "AbortError"


@pytest.mark.parametrize(
    "error", [AbortError(), ForeignAbort(), with_attributes(code="ABORT_ERR"), type("AbortError", (Exception,), {})()]
)
def test_aborts_are_final(error: Exception) -> None:
    assert calls_for(error) == 1


def test_the_reason_of_the_aborted_signal_is_an_abort() -> None:
    controller, reason = AbortController(), ValueError("enough")

    def abort(seen: Any, hooks: Any) -> Any:
        controller.abort(reason)
        return reason

    recorder = Recorder()
    with pytest.raises(ValueError) as caught:
        asyncio.run(with_retry(Scripted(abort)).complete(request(controller.signal), recorder.hooks))
    assert caught.value is reason
    assert recorder.heard == []


@pytest.mark.parametrize(
    "error",
    [
        ContextWindowExceededError(provider="p", provider_message="too long"),
        ContextWindowExceededError(provider="p", provider_message="too long", status=500),
        UnsupportedToolChoiceError(provider="p", model="m"),
        UnsupportedNativeOutputError(provider="p", model="m"),
        UnsupportedThinkingError(provider="p", model="m"),
        with_attributes(code="ERR_CONTEXT_WINDOW_EXCEEDED"),
    ],
    ids=repr,
)
def test_hopeless_errors_are_final(error: Exception) -> None:
    assert calls_for(error) == 1


@pytest.mark.parametrize("error", [asyncio.CancelledError(), KeyboardInterrupt(), SystemExit(), GeneratorExit()])
def test_what_is_no_exception_is_never_retried(error: BaseException) -> None:
    inner = Scripted(error, answer())

    async def call() -> BaseException | None:
        coroutine = with_retry(inner, should_retry=lambda *_: True).complete(request())
        try:
            coroutine.send(None)
        except BaseException as raised:
            return raised
        return None

    assert asyncio.run(call()) is error
    assert len(inner.calls) == 1


def test_the_predicate_replaces_the_default() -> None:
    inner = Scripted(failure(400), answer())
    assert outcome(inner, VirtualTime(), should_retry=lambda error, _: error.status == 400) == answer()
    inner = Scripted(failure(503), answer())
    outcome(inner, VirtualTime(), should_retry=lambda error, _: error.status == 400)
    assert len(inner.calls) == 1


def test_the_predicate_is_asked_while_attempts_remain() -> None:
    errors, asked = [failure(), failure(), failure()], []

    def predicate(error: Exception, attempt: int) -> bool:
        asked.append((error, attempt))
        return True

    outcome(Scripted(*errors), VirtualTime(), should_retry=predicate)
    assert asked == [(errors[0], 1), (errors[1], 2)]


# ---- reports


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (failure(200), "http-200"),
        (failure(301), "http-301"),
        (failure(400), "http-4xx"),
        (failure(404), "http-4xx"),
        (failure(429), "http-429"),
        (failure(500), "http-5xx"),
        (failure(599), "http-5xx"),
        (failure(600), "http-5xx"),
        (failure(None), "no-status"),
        (with_attributes(status="503"), "no-status"),
        (with_attributes(status=True), "no-status"),
        (with_attributes(status_code=503), "http-5xx"),
    ],
    ids=repr,
)
def test_class_of_the_error(error: Exception, reason: str) -> None:
    recorder = Recorder()
    outcome(Scripted(error, answer()), VirtualTime(), recorder, should_retry=lambda *_: True)
    assert recorder.heard[0]["reason"] == reason


def test_reports_are_plain_and_complete() -> None:
    time, recorder = VirtualTime(), Recorder()

    async def slow(seen: Any, hooks: Any) -> Any:
        time.now += 1
        return answer()

    inner = Scripted(failure(429, "first", retry_after_ms=1500), with_attributes(lock=object()), Exception(), slow)
    assert outcome(inner, time, recorder, max_attempts=5) == answer()
    assert recorder.heard == [
        {
            "kind": "retried",
            "attempt": 2,
            "max_attempts": 5,
            "last_error": "first",
            "backoff_ms": 1500,
            "stated_wait_ms": 1500,
            "reason": "http-429",
        },
        {
            "kind": "retried",
            "attempt": 3,
            "max_attempts": 5,
            "last_error": "scripted",
            "backoff_ms": 400,
            "reason": "no-status",
        },
        {
            "kind": "retried",
            "attempt": 4,
            "max_attempts": 5,
            "last_error": "Exception",
            "backoff_ms": 800,
            "reason": "no-status",
        },
        {"kind": "recovered", "attempt": 4, "total_duration_ms": pytest.approx(3700)},
    ]
    assert json.loads(json.dumps(recorder.heard)) == recorder.heard


def test_callback_then_report_then_wait() -> None:
    order: list[Any] = []
    error = failure()

    async def sleep(seconds: float) -> None:
        order.append(("sleep", seconds))

    subject = with_retry(
        Scripted(error, answer()),
        on_retry=lambda *arguments: order.append(("callback", *arguments)),
        sleep=sleep,
    )
    hooks = LLMCallHooks(on_resilience=lambda report: order.append(report["kind"]))
    asyncio.run(subject.complete(request(), hooks))
    assert order == [("callback", error, 2, 200), "retried", ("sleep", 0.2), "recovered"]


@pytest.mark.parametrize("hooks", [None, LLMCallHooks(), LLMCallHooks(on_replay_prepared=print), object()])
def test_it_works_the_same_when_nobody_listens(hooks: Any) -> None:
    time, retries = VirtualTime(), []
    inner = Scripted(failure(), failure(), answer())
    subject = with_retry(inner, sleep=time.sleep, on_retry=lambda *arguments: retries.append(arguments))
    assert asyncio.run(subject.complete(request(), hooks)) == answer()
    assert time.slept == [0.2, 0.4]
    assert len(retries) == 2


# ---- listeners that raise


class Broken(Exception):
    pass


def broken(*_: Any) -> Any:
    raise Broken


class BrokenObject:
    def __call__(self, report: Any) -> None:
        raise Broken

    def listen(self, report: Any) -> None:
        raise Broken


@pytest.mark.parametrize("kind", ["retried", "recovered"])
def test_a_hook_that_raises_is_no_failure(kind: str) -> None:
    def listen(report: Any) -> None:
        if report["kind"] == kind:
            raise Broken

    inner = Scripted(failure(), answer())
    outer = with_retry(with_retry(inner, sleep=VirtualTime().sleep), sleep=VirtualTime().sleep)
    with pytest.raises(Broken):
        asyncio.run(outer.complete(request(), LLMCallHooks(on_resilience=listen)))
    assert len(inner.calls) == (1 if kind == "retried" else 2)


@pytest.mark.parametrize("option", ["on_retry", "should_retry"])
def test_a_callback_that_raises_is_no_failure(option: str) -> None:
    inner = Scripted(failure(), answer())
    options: dict[str, Any] = {option: broken}
    with pytest.raises(Broken):
        asyncio.run(with_retry(with_retry(inner, **options), sleep=VirtualTime().sleep).complete(request()))
    assert len(inner.calls) == 1


@pytest.mark.parametrize(
    "listener",
    [broken, BrokenObject(), BrokenObject().listen, lambda report: broken()],
    ids=["function", "object", "method", "lambda"],
)
def test_a_hook_that_raises_inside_the_provider_is_no_failure(listener: Callable[[Any], object]) -> None:
    preparation = ReplayPreparation(
        provider="p", model="m", omissions=[ThinkingReplayOmission(message_index=0, blocks=1, reason="unsigned")]
    )
    inner = Scripted(lambda seen, hooks: hooks.on_replay_prepared(preparation) or answer())
    with pytest.raises(Broken):
        asyncio.run(with_retry(inner).complete(request(), LLMCallHooks(on_replay_prepared=listener)))
    assert len(inner.calls) == 1


def test_a_provider_of_the_class_of_a_hook_may_fail() -> None:
    hook, other = BrokenObject(), BrokenObject()
    inner = Scripted(lambda seen, hooks: other.listen(None), answer())
    hooks = LLMCallHooks(on_replay_prepared=hook.listen)
    assert asyncio.run(with_retry(inner, sleep=VirtualTime().sleep).complete(request(), hooks)) == answer()


# ---- abort and cancellation


@pytest.mark.parametrize("reason", [None, ValueError("enough"), "a word"])
def test_an_abort_ends_the_wait(reason: Any) -> None:
    controller, recorder = AbortController(), Recorder()
    inner = Scripted(failure(), answer())

    async def sleep(seconds: float) -> None:
        controller.abort(reason)
        await asyncio.Event().wait()

    async def call() -> Exception:
        with pytest.raises((AbortError, ValueError)) as caught:
            await with_retry(inner, sleep=sleep).complete(request(controller.signal), recorder.hooks)
        assert controller.signal.waiters == 0
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return caught.value

    raised = asyncio.run(call())
    assert raised is reason if isinstance(reason, Exception) else isinstance(raised, AbortError)
    assert len(inner.calls) == 1
    assert recorder.kinds == ["retried"]


@pytest.mark.parametrize("delay", [0, 5])
def test_an_abort_before_the_wait_prevents_it(delay: float) -> None:
    controller, time = AbortController(), VirtualTime()

    def abort(seen: Any, hooks: Any) -> Any:
        controller.abort()
        return failure()

    inner = Scripted(abort, answer())
    subject = with_retry(inner, initial_delay_ms=delay, sleep=time.sleep)
    with pytest.raises(AbortError):
        asyncio.run(subject.complete(request(controller.signal)))
    assert len(inner.calls) == 1
    assert time.slept == []


def test_an_abort_from_within_the_sleep_counts_even_when_it_returns() -> None:
    controller, inner = AbortController(), Scripted(failure(), answer())

    async def sleep(seconds: float) -> None:
        controller.abort()

    with pytest.raises(AbortError):
        asyncio.run(with_retry(inner, sleep=sleep).complete(request(controller.signal)))
    assert len(inner.calls) == 1


def test_the_signal_is_released_after_every_wait() -> None:
    controller = AbortController()

    async def call() -> None:
        inner = Scripted(*[failure()] * 100, answer())
        await with_retry(inner, max_attempts=101, sleep=VirtualTime().sleep).complete(request(controller.signal))
        assert controller.signal.waiters == 0
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(call())


@pytest.mark.parametrize("signalled", [False, True])
@pytest.mark.parametrize("during", ["call", "wait"])
def test_cancellation_leaves_at_once(during: str, signalled: bool) -> None:
    signal = AbortController().signal if signalled else None
    inner = Scripted(HANG if during == "call" else failure(), answer())

    async def sleep(seconds: float) -> None:
        await asyncio.Event().wait()

    async def call() -> None:
        task = asyncio.create_task(with_retry(inner, sleep=sleep).complete(request(signal)))
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert signal is None or signal.waiters == 0

    asyncio.run(call())
    assert len(inner.calls) == 1


def test_an_error_of_the_sleep_reaches_the_caller() -> None:
    async def sleep(seconds: float) -> None:
        raise Broken

    for signal in (None, AbortController().signal):
        with pytest.raises(Broken):
            asyncio.run(with_retry(Scripted(failure()), sleep=sleep).complete(request(signal)))


# ---- stream


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_stream_is_attempted_once_and_silently(before: int, eager: bool) -> None:
    error, recorder = failure(), Recorder()
    inner = Scripted(streams=[[*pieces("a", "b")[:before], error]], eager=eager)
    subject: Any = with_retry(inner)
    seen = []

    async def call() -> None:
        async for chunk in subject.stream(request(), recorder.hooks):
            seen.append(chunk)

    with pytest.raises(type(error)) as caught:
        asyncio.run(call())
    assert caught.value is error
    assert seen == pieces("a", "b")[:before]
    assert [method for method, *_ in inner.calls] == ["stream"]
    assert inner.calls[0][2] is recorder.hooks
    assert recorder.heard == []


def test_a_stream_is_passed_through() -> None:
    inner = Scripted(streams=[pieces("a", "b")])
    subject: Any = with_retry(inner)
    assert asyncio.run(read(subject.stream(request()))) == pieces("a", "b")
    assert inner.calls[0][2] is None
