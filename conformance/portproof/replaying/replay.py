"""One recording, played to one adapter in every way in which it can arrive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from agentports.sim import Pause, Reply
from agentports.sim.recordings import Expected, Recording
from portproof.benches.classifier import is_overflow, sizes_of
from portproof.benches.judging import judge
from portproof.benches.provider import Attempt, ProviderBench, Way
from portproof.benches.views import view
from portproof.replaying.interception import Interceptor, intercepted, obstacle, unheard
from portproof.replaying.outcome import Asked, Replayed
from portproof.running.guard import Hung
from portproof.running.outcome import Violation
from portproof.running.plain import legible, plain, told
from portproof.subjects.providers import supply_for
from portproof.subjects.subject import Subject

__all__ = ["replay"]

#: Beside the recorded pauses.
_DEADLINE_S = 10.0
#: Characters of the vendor's sentence that an error repeats; an envelope may stand before them in what it quotes.
_BEGINNING = 100
_STREAMED = ("text/event-stream", "application/vnd.amazon.eventstream", "application/x-ndjson")


def replay(subject: Subject, recording: Recording, intercept: Interceptor | None = None) -> Replayed:
    """Play a recording and judge what the adapter makes of it, asked anew for each way."""
    wire = subject.wire.name if subject.wire else None
    if recording.about.wire not in (wire, "any"):
        return Replayed(recording, reason=f"its wire is {recording.about.wire}, the adapter's is {wire or 'not known'}")
    replies = recording.replies()
    if intercept is not None and (why := obstacle(intercept, replies)):
        return Replayed(recording, reason=why)
    ways = _ways(recording, subject)
    if not ways:
        return Replayed(recording, reason="it came inside a stream, and the adapter has none")
    pauses = sum(step.seconds for reply in replies for step in reply.steps if isinstance(step, Pause))
    bench = ProviderBench(subject, _DEADLINE_S + pauses)
    try:
        return Replayed(
            recording, tuple(_asked(bench, recording, way, _Playing(bench, replies, intercept)) for way in ways)
        )
    finally:
        bench.close()


def _ways(recording: Recording, subject: Subject) -> list[Way]:
    """A refusal answers either way of asking; an answer only the way that was recorded."""
    stream: list[Way] = ["stream"] if subject.can_stream else []
    first = recording.replies()[0]
    if first.status >= 400:
        return ["complete", *stream]
    streamed = dict(first.headers).get("content-type", "").lower().startswith(_STREAMED)
    return stream if streamed else ["complete"]


def _asked(bench: ProviderBench, recording: Recording, way: Way, playing: _Playing) -> Asked:
    seen: list[Attempt] = []

    async def ask(bench: ProviderBench) -> None:
        with playing.played():
            seen.append(await bench.attempt(way))

    try:
        bench.run(ask, {})
    except Hung as hung:
        bench.renew()
        return Asked(way, problem=f"the adapter hangs: {hung}; {_retried(playing.count)}")
    except Violation as violation:
        bench.renew()
        return Asked(way, problem=str(violation))
    return _judged(bench.subject, recording, way, seen[0], playing.obstacle)


def _judged(subject: Subject, recording: Recording, way: Way, attempt: Attempt, problem: str) -> Asked:
    made = legible(plain(_made(attempt)))
    if problem:
        return Asked(way, made, problem=problem)
    secret = str(supply_for(subject, None).get("api_key", "")) if subject.takes("api_key") else None
    expected = recording.about.expected
    return Asked(way, made, tuple(judge(_begun(expected), attempt.error, secret)) if expected else ())


def _begun(expected: Expected) -> Expected:
    """The same of the sentence's beginning only: an error need not quote more than 200 characters of a body."""
    return expected.model_copy(update={"message": expected.message and expected.message[:_BEGINNING]})


class _Playing:
    """The recording as it is played, and how many requests it answered."""

    def __init__(self, bench: ProviderBench, replies: Sequence[Reply], intercept: Interceptor | None) -> None:
        self._bench = bench
        self._replies = replies
        self._intercept = intercept
        self.count = 0
        self.obstacle = ""

    @contextmanager
    def played(self) -> Iterator[None]:
        """Play for the body of the statement."""
        with self._intercepted(self._intercept) if self._intercept else self._served():
            yield

    @contextmanager
    def _intercepted(self, name: Interceptor) -> Iterator[None]:
        with intercepted(name, self._replies) as played:
            try:
                yield
            finally:
                self.count = played.count()
                self.obstacle = "" if self.count else unheard(name, played.names)

    @contextmanager
    def _served(self) -> Iterator[None]:
        upstream = self._bench.upstream
        upstream.play(*self._replies)
        try:
            yield
        finally:
            served = [any(reply is one for one in self._replies) for reply in upstream.served]
            self.count = sum(served)
            self.obstacle = "" if self.count else _unserved([e.request.path for e in upstream.exchanges])


def _unserved(paths: Sequence[str]) -> str:
    if not paths:
        return (
            "the adapter asked nothing of the simulated vendor; does it use `base_url`? For an adapter with a fixed "
            "address there is --intercept"
        )
    return (
        f"the adapter asked {', '.join(dict.fromkeys(paths))}, which the simulated vendor answered itself: this is no "
        "request of the wire"
    )


def _retried(count: int) -> str:
    asked = "once" if count == 1 else f"{count} times"
    return (
        f"it asked {asked}. An adapter that tries again by itself waits as long as the vendor states: let it raise "
        "the first failure, and leave retries to a wrapper"
    )


def _made(attempt: Attempt) -> dict[str, Any]:
    """What came of the call, as data; absent facts are left out."""
    if attempt.error is None:
        return {"answered": attempt.response.content if attempt.response else _text(attempt)}
    limit, actual = sizes_of(attempt.error)
    facts = {name: view(attempt.error, name) for name in ("status", "retry_after_ms", "retryable")}
    stated = {**facts, "limit_tokens": limit, "actual_tokens": actual}
    return {
        "raised": told(attempt.error),
        "overflow": is_overflow(attempt.error),
        **{name: value for name, value in stated.items() if value is not None},
    }


def _text(attempt: Attempt) -> str:
    return attempt.streamed.text if attempt.streamed else ""
