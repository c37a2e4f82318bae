"""The table of document 11, section 6, and what else only shows when wrappers are stacked."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest

from agentports.ports import LLMCallHooks
from agentports.resilience import fallback_provider, with_circuit_breaker, with_fallback, with_retry

from .scripted import Recorder, Scripted, VirtualTime, answer, failure, pieces, read, request

OK, DEAD = answer(), failure()


def retry(inner: Any, **options: Any) -> Any:
    return with_retry(inner, sleep=VirtualTime().sleep, **options)


def breaker(inner: Any, **options: Any) -> Any:
    return with_circuit_breaker(inner, clock=VirtualTime().clock, **options)


STACKS: dict[str, tuple[Any, list[Any], list[Any], int, str, list[str]]] = {
    "retry(fallback), p fails twice, f once": (
        lambda p, f: retry(with_fallback(p, f)),
        [DEAD, DEAD],
        [DEAD, OK],
        1,
        "pfpf",
        ["fell-back", "retried", "fell-back", "recovered"],
    ),
    "retry(fallback), p fails once, f once": (
        lambda p, f: retry(with_fallback(p, f)),
        [DEAD, OK],
        [DEAD],
        1,
        "pfp",
        ["fell-back", "retried", "recovered"],
    ),
    "fallback(retry, retry), p dead": (
        lambda p, f: with_fallback(retry(p), retry(f)),
        [DEAD],
        [OK],
        1,
        "pppf",
        ["retried", "retried", "fell-back"],
    ),
    "breaker(retry), p fails once": (
        lambda p, f: breaker(retry(p)),
        [DEAD, OK],
        [OK],
        1,
        "pp",
        ["retried", "recovered"],
    ),
    "fallback(breaker, f), p dead, two calls": (
        lambda p, f: with_fallback(breaker(p, failure_threshold=1), f),
        [DEAD],
        [OK],
        2,
        "pff",
        ["circuit-changed", "fell-back", "fell-back"],
    ),
}


@pytest.mark.parametrize(("build", "primary", "fallback", "calls", "order", "kinds"), STACKS.values(), ids=STACKS)
@pytest.mark.parametrize("heard", [True, False])
def test_stacks(
    build: Any, primary: list[Any], fallback: list[Any], calls: int, order: str, kinds: list[str], heard: bool
) -> None:
    asked: list[str] = []

    def playing(name: str, step: Any) -> Any:
        def play(seen: Any, hooks: Any) -> Any:
            asked.append(name)
            return step

        return play

    def named(name: str, script: list[Any]) -> Scripted:
        return Scripted(*[playing(name, step) for step in script], name=name)

    recorder = Recorder()
    subject = build(named("p", primary), named("f", fallback))
    for _ in range(calls):
        assert asyncio.run(subject.complete(request(), recorder.hooks if heard else None)) == OK
    assert "".join(asked) == order
    assert recorder.kinds == (kinds if heard else [])


@pytest.mark.parametrize("method", ["complete", "stream"])
def test_a_chain_of_99_dead_and_one_good(method: str) -> None:
    recorder = Recorder()
    dead = [Scripted(failure(), streams=[[failure()]], name=f"p{number}") for number in range(99)]
    chain: Any = fallback_provider(*dead, Scripted(OK, streams=[pieces("a", "b")], name="good"))
    if method == "complete":
        assert asyncio.run(chain.complete(request(), recorder.hooks)) == OK
    else:
        assert asyncio.run(read(chain.stream(request(), recorder.hooks))) == pieces("a", "b")
    assert recorder.kinds == ["fell-back"] * 99
    assert [report["primary"] for report in recorder.heard] == [provider.name for provider in dead]


def test_a_broken_side_is_not_called_while_its_fallback_serves() -> None:
    dead, good = Scripted(failure()), Scripted(OK)
    subject = with_fallback(breaker(dead, failure_threshold=1), good)
    for _ in range(101):
        assert asyncio.run(subject.complete(request())) == OK
    assert len(dead.calls) == 1
    assert len(good.calls) == 101


def test_breakers_of_one_stack_report_their_own_names() -> None:
    recorder = Recorder()
    subject = with_fallback(
        breaker(Scripted(failure(), name="a"), failure_threshold=1),
        breaker(Scripted(failure(), name="b"), failure_threshold=1),
    )
    with pytest.raises(type(failure())):
        asyncio.run(subject.complete(request(), recorder.hooks))
    assert [report.get("provider_name") for report in recorder.heard] == ["a", None, "b"]


def test_what_the_provider_tells_the_hooks_arrives_once_and_in_order() -> None:
    recorder = Recorder()

    def tell(word: str, step: Any) -> Any:
        def play(seen: Any, hooks: Any) -> Any:
            hooks.on_resilience({"kind": f"{word} 1"})
            hooks.on_replay_prepared({"kind": f"{word} 2"})
            return step

        return play

    stages = [tell("before", None), pieces("a")[0], tell("between", None), pieces("a")[1], tell("after", None)]
    primary = Scripted(tell("first", failure()), tell("second", OK), streams=[stages])
    subject: Any = with_fallback(breaker(retry(primary)), Scripted(OK))
    asyncio.run(subject.complete(request(), recorder.hooks))
    assert recorder.kinds == ["first 1", "first 2", "retried", "second 1", "second 2", "recovered"]
    recorder.heard.clear()
    asyncio.run(read(subject.stream(request(), recorder.hooks)))
    assert recorder.kinds == [f"{word} {n}" for word in ("before", "between", "after") for n in (1, 2)]


class Broken(Exception):
    pass


@pytest.mark.parametrize("kind", ["retried", "recovered", "fell-back", "circuit-changed"])
def test_a_hook_that_raises_passes_every_policy(kind: str) -> None:
    def listen(report: Any) -> None:
        if report["kind"] == kind:
            raise Broken

    spare = Scripted(OK)
    scripts: dict[str, Any] = {
        "retried": (retry, [DEAD, OK]),
        "recovered": (retry, [DEAD, OK]),
        "fell-back": (lambda p: with_fallback(p, Scripted(OK)), [DEAD]),
        "circuit-changed": (lambda p: breaker(p, failure_threshold=1), [DEAD]),
    }
    build, script = scripts[kind]
    provider = Scripted(*script)
    outer_circuit = breaker(retry(build(provider)), failure_threshold=1)
    subject = with_fallback(outer_circuit, spare)
    with pytest.raises(Broken):
        asyncio.run(subject.complete(request(), LLMCallHooks(on_resilience=listen)))
    assert spare.calls == []
    assert len(provider.calls) == (2 if kind == "recovered" else 1)
    before = len(provider.calls)
    with contextlib.suppress(Exception):
        asyncio.run(outer_circuit.complete(request()))
    if kind != "circuit-changed":
        assert len(provider.calls) > before  # the outer circuit is closed


def test_a_deep_stream_is_unbuffered_and_closed_through() -> None:
    inner = Scripted(streams=[pieces("a", "b", "c")], name="deep")
    subject: Any = inner
    for wrap in (retry, breaker, lambda p: with_fallback(p, Scripted(OK)), retry):
        subject = wrap(subject)

    async def call() -> None:
        stream = subject.stream(request())
        assert inner.calls == []
        assert await anext(stream) == pieces("a", "b", "c")[0]
        assert not inner.opened[0].closed
        await stream.aclose()
        assert inner.opened[0].closed

    asyncio.run(call())


@pytest.mark.parametrize("wrap", [retry, breaker, lambda p: with_fallback(p, Scripted(OK))])
def test_a_stream_is_passed_on_as_it_comes(wrap: Any) -> None:
    async def call() -> None:
        delivered = asyncio.Semaphore(0)

        async def blocked(seen: Any, hooks: Any) -> None:
            await delivered.acquire()

        first, second, last = pieces("a", "b")
        inner = Scripted(streams=[[first, blocked, second, blocked, last]])
        async with asyncio.timeout(5):
            async for _ in wrap(inner).stream(request()):
                delivered.release()

    asyncio.run(call())


@pytest.mark.parametrize("wrap", [retry, breaker, lambda p: with_fallback(p, Scripted(OK))])
def test_concurrent_calls_keep_their_own_answers_and_hooks(wrap: Any) -> None:
    async def in_any_order(seen: Any, hooks: Any) -> Any:
        for _ in range(seen.turns):
            await asyncio.sleep(0)
        hooks.on_resilience({"kind": str(seen.turns)})
        return answer(str(seen.turns))

    async def call() -> None:
        subject = wrap(Scripted(in_any_order))
        recorders = [Recorder() for _ in range(20)]
        turns = [number * 7 % 20 for number in range(20)]
        answers = await asyncio.gather(
            *[
                subject.complete(request(turns=count), recorder.hooks)
                for count, recorder in zip(turns, recorders, strict=True)
            ]
        )
        assert [given.content for given in answers] == [str(count) for count in turns]
        assert [recorder.kinds for recorder in recorders] == [[str(count)] for count in turns]

    asyncio.run(call())
