from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agentports.ports import (
    AbortController,
    AbortError,
    ContextWindowExceededError,
    LLMCallHooks,
    LLMChunk,
)
from agentports.resilience import fallback_provider, with_fallback

from .scripted import HANG, Recorder, Scripted, answer, failure, pieces, read, request


def pair(primary: Scripted, fallback: Scripted, **options: Any) -> Any:
    return with_fallback(primary, fallback, **options)


# ---- complete


@pytest.mark.parametrize(
    "error",
    [
        *[failure(status) for status in (400, 401, 404, 408, 422, 429, 500, 503, 529, None)],
        Exception("unknown"),
        ContextWindowExceededError(provider="p", provider_message="too long"),
    ],
    ids=repr,
)
def test_the_fallback_serves_after_any_error(error: Exception) -> None:
    primary, fallback, recorder, asked = Scripted(error), Scripted(answer("f"), name="f"), Recorder(), request(extra=1)
    assert asyncio.run(pair(primary, fallback).complete(asked, hooks=recorder.hooks)) == answer("f")
    assert len(primary.calls) == len(fallback.calls) == 1
    method, seen, hooks = fallback.calls[0]
    assert method == "complete"
    assert seen is asked
    assert hooks is recorder.hooks
    assert recorder.heard == [{"kind": "fell-back", "primary": "p", "fallback": "f", "reason": str(error)}]


def test_the_fallback_is_untouched_while_the_primary_serves() -> None:
    primary, fallback, recorder = Scripted(answer("p"), streams=[pieces("p")]), Scripted(), Recorder()
    subject = pair(primary, fallback)
    assert asyncio.run(subject.complete(request(), recorder.hooks)) == answer("p")
    assert asyncio.run(read(subject.stream(request(), recorder.hooks))) == pieces("p")
    assert fallback.calls == []
    assert recorder.heard == []
    assert subject.name == "p|p"


def test_the_error_of_the_fallback_is_the_outcome() -> None:
    first, second = failure(message="first"), failure(message="second")
    primary, fallback = Scripted(first), Scripted(second)
    with pytest.raises(type(second)) as caught:
        asyncio.run(pair(primary, fallback).complete(request()))
    assert caught.value is second
    assert len(primary.calls) == len(fallback.calls) == 1


class ForeignAbort(Exception):
    code = "ABORT_ERR"


@pytest.mark.parametrize("error", [AbortError(), ForeignAbort(), asyncio.CancelledError()])
@pytest.mark.parametrize("method", ["complete", "stream"])
def test_an_abort_is_no_reason_to_fall_back(error: BaseException, method: str) -> None:
    primary, fallback, recorder = Scripted(error, streams=[[error]]), Scripted(answer()), Recorder()
    subject = pair(primary, fallback)

    async def call() -> BaseException | None:
        try:
            if method == "complete":
                await subject.complete(request(), recorder.hooks)
            else:
                await read(subject.stream(request(), recorder.hooks))
        except BaseException as raised:
            return raised
        return None

    assert asyncio.run(call()) is error
    assert fallback.calls == []
    assert recorder.heard == []


def test_the_reason_of_the_aborted_signal_is_an_abort() -> None:
    controller, reason = AbortController(), ValueError("enough")
    controller.abort(reason)
    fallback = Scripted(answer())
    with pytest.raises(ValueError) as caught:
        asyncio.run(pair(Scripted(reason), fallback).complete(request(controller.signal)))
    assert caught.value is reason
    assert fallback.calls == []


@pytest.mark.parametrize("method", ["complete", "stream"])
def test_the_predicate_replaces_the_default(method: str) -> None:
    for error, accepted in ((failure(400), False), (failure(503), True), (AbortError(), True)):
        primary = Scripted(error, streams=[[error]])
        fallback = Scripted(answer(), streams=[pieces("f")])
        subject = pair(primary, fallback, should_fallback=lambda error: getattr(error, "status", 0) != 400)
        call = subject.complete(request()) if method == "complete" else read(subject.stream(request()))
        if accepted:
            asyncio.run(call)
        else:
            with pytest.raises(type(error)) as caught:
                asyncio.run(call)
            assert caught.value is error
        assert len(fallback.calls) == accepted


@pytest.mark.parametrize("method", ["complete", "stream"])
def test_callback_then_report_then_fallback(method: str) -> None:
    order: list[Any] = []
    error = failure()

    def note(seen: Any, hooks: Any) -> None:
        order.append("called")

    def serve(seen: Any, hooks: Any) -> Any:
        note(seen, hooks)
        return answer()

    primary = Scripted(error, streams=[[error]])
    fallback = Scripted(serve, streams=[[note, *pieces("f")]])
    subject = pair(primary, fallback, on_fallback=order.append)
    hooks = LLMCallHooks(on_resilience=lambda report: order.append(report["kind"]))
    asyncio.run(subject.complete(request(), hooks) if method == "complete" else read(subject.stream(request(), hooks)))
    assert order == [error, "fell-back", "called"]


@pytest.mark.parametrize("hooks", [None, LLMCallHooks(), object()])
def test_it_works_the_same_when_nobody_listens(hooks: Any) -> None:
    heard: list[Exception] = []
    subject = pair(Scripted(failure()), Scripted(answer("f")), on_fallback=heard.append)
    assert asyncio.run(subject.complete(request(), hooks)) == answer("f")
    assert len(heard) == 1


class Broken(Exception):
    pass


def broken(*_: Any) -> Any:
    raise Broken


@pytest.mark.parametrize("method", ["complete", "stream"])
@pytest.mark.parametrize("where", ["on_fallback", "should_fallback", "hook"])
def test_a_listener_that_raises_is_no_failure(where: str, method: str) -> None:
    options: dict[str, Any] = {} if where == "hook" else {where: broken}
    hooks = LLMCallHooks(on_resilience=broken) if where == "hook" else None
    inner_fallback, outer_fallback = Scripted(answer()), Scripted(answer())
    inner = pair(Scripted(failure(), streams=[[failure()]]), inner_fallback, **options)
    subject: Any = with_fallback(inner, outer_fallback)
    with pytest.raises(Broken):
        asyncio.run(
            subject.complete(request(), hooks) if method == "complete" else read(subject.stream(request(), hooks))
        )
    assert inner_fallback.calls == outer_fallback.calls == []


# ---- stream


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("class_based", [False, True])
def test_a_stream_that_fails_before_its_first_chunk_is_replaced(class_based: bool, eager: bool) -> None:
    error, recorder = failure(), Recorder()
    primary = Scripted(streams=[[error]], eager=eager, class_based=class_based)
    fallback = Scripted(streams=[pieces("a", "b")], name="f", class_based=class_based)
    subject = pair(primary, fallback)
    assert asyncio.run(read(subject.stream(request(), hooks=recorder.hooks))) == pieces("a", "b")
    assert recorder.heard == [{"kind": "fell-back", "primary": "p", "fallback": "f", "reason": "unavailable"}]
    assert [hooks for _, _, hooks in primary.calls + fallback.calls] == [recorder.hooks] * 2


@pytest.mark.parametrize(
    "first",
    [LLMChunk(token_index=0, content="a"), LLMChunk(token_index=0), LLMChunk(token_index=0, thinking_delta="hm")],
    ids=["text", "empty", "thinking"],
)
def test_any_chunk_commits_the_stream(first: LLMChunk) -> None:
    error, recorder, seen = failure(), Recorder(), []
    fallback = Scripted(streams=[pieces("f")])
    subject = pair(Scripted(streams=[[first, error]]), fallback)

    async def call() -> None:
        async for chunk in subject.stream(request(), recorder.hooks):
            seen.append(chunk)

    with pytest.raises(type(error)) as caught:
        asyncio.run(call())
    assert caught.value is error
    assert seen == [first]
    assert fallback.calls == []
    assert recorder.heard == []


@pytest.mark.parametrize("fails", [False, True])
def test_a_fallback_without_stream_serves_by_complete(fails: bool) -> None:
    recorder, error = Recorder(), failure()
    fallback = Scripted(error if fails else answer("whole"))
    subject = pair(Scripted(streams=[[failure()]]), fallback)
    call = read(subject.stream(request(), recorder.hooks))
    if fails:
        with pytest.raises(type(error)) as caught:
            asyncio.run(call)
        assert caught.value is error
    else:
        assert asyncio.run(call) == [LLMChunk(token_index=0, content="", done=True, response=answer("whole"))]
    assert [(method, hooks) for method, _, hooks in fallback.calls] == [("complete", recorder.hooks)]
    assert recorder.kinds == ["fell-back"]


def test_a_primary_without_stream_is_no_failure() -> None:
    primary, recorder = Scripted(answer()), Recorder()
    subject = pair(primary, Scripted(streams=[pieces("f")]))
    assert asyncio.run(read(subject.stream(request(), recorder.hooks))) == pieces("f")
    assert primary.calls == []
    assert recorder.heard == []


def test_an_empty_stream_is_no_failure() -> None:
    fallback, recorder = Scripted(streams=[pieces("f")]), Recorder()
    subject = pair(Scripted(streams=[[]]), fallback)
    assert asyncio.run(read(subject.stream(request(), recorder.hooks))) == []
    assert fallback.calls == []
    assert recorder.heard == []


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("serving", ["primary", "fallback"])
def test_an_abandoned_stream_is_closed_and_no_failure(serving: str, count: int) -> None:
    recorder = Recorder()
    good, bad = Scripted(streams=[pieces("a", "b")]), Scripted(streams=[[failure()]])
    primary, fallback = (good, Scripted(streams=[pieces("f")])) if serving == "primary" else (bad, good)
    subject = pair(primary, fallback)

    async def call() -> None:
        stream = subject.stream(request(), recorder.hooks)
        for _ in range(count):
            await anext(stream)
        await stream.aclose()
        assert [played.closed for played in good.opened] == [True] * (count > 0)

    asyncio.run(call())
    assert recorder.kinds == ["fell-back"] * (serving == "fallback" and count > 0)
    if serving == "primary":
        assert fallback.calls == []


def test_a_cancelled_stream_is_closed_and_no_failure() -> None:
    primary, fallback = Scripted(streams=[[HANG]]), Scripted(streams=[pieces("f")])

    async def call() -> None:
        task = asyncio.create_task(read(pair(primary, fallback).stream(request())))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert primary.opened[0].closed

    asyncio.run(call())
    assert fallback.calls == []


# ---- chains


@pytest.mark.parametrize("dead", range(5))
def test_a_chain_tries_each_in_order(dead: int) -> None:
    recorder = Recorder()
    errors = [failure(message=f"dead {number}") for number in range(4)]
    providers = [
        Scripted(errors[number] if number < dead else answer(f"p{number}"), name=f"p{number}") for number in range(4)
    ]
    call = fallback_provider(*providers).complete(request(), recorder.hooks)
    if dead == 4:
        with pytest.raises(type(errors[3])) as caught:
            asyncio.run(call)
        assert caught.value is errors[3]
    else:
        assert asyncio.run(call) == answer(f"p{dead}")
    assert [len(provider.calls) for provider in providers] == [int(number <= dead) for number in range(4)]
    assert [report["primary"] for report in recorder.heard] == [f"p{number}" for number in range(min(dead, 3))]


def test_hops_name_their_own_two_sides() -> None:
    recorder = Recorder()
    heard: list[Exception] = []
    chain = fallback_provider(
        Scripted(failure(), name="a"),
        Scripted(failure(), name="b"),
        Scripted(answer(), name="c"),
        name="chain",
        on_fallback=heard.append,
    )
    asyncio.run(chain.complete(request(), recorder.hooks))
    assert [(report["primary"], report["fallback"]) for report in recorder.heard] == [("a", "b|c"), ("b", "c")]
    assert chain.name == "chain"
    assert len(heard) == 2


def test_the_predicate_of_a_chain_holds_at_every_hop() -> None:
    last = Scripted(answer())
    chain = fallback_provider(
        Scripted(failure(503)),
        Scripted(failure(400)),
        last,
        should_fallback=lambda error: getattr(error, "status", None) == 503,
    )
    with pytest.raises(type(failure())):
        asyncio.run(chain.complete(request()))
    assert last.calls == []


def test_a_chain_of_one_is_that_provider_and_of_none_an_error() -> None:
    only = Scripted(answer())
    assert fallback_provider(only) is only
    assert fallback_provider(only, name="chain").name == "p"
    with pytest.raises(ValueError):
        fallback_provider()


def test_a_provider_may_stand_twice_in_a_named_chain() -> None:
    twice, recorder = Scripted(failure(), failure(), answer()), Recorder()
    asyncio.run(fallback_provider(twice, twice, twice, name="chain").complete(request(), recorder.hooks))
    assert [report["fallback"] for report in recorder.heard] == ["p|p", "p"]
