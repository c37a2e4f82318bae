"""Aborts that come late, or tell the wrong thing."""

from __future__ import annotations

from typing import Any

import httpx

from agentports.ports import AbortController
from agentports.ports import http as ports
from agentports.ports.http import ProviderAbortError, ProviderError, ProviderResult
from agentports.relay import AgentProvider, read_chunks
from agentports.relay._racing import check
from portproof.selftest import defect


class _Ending(AgentProvider[Any]):
    """A provider whose aborts pass through `aborted`."""

    def _ending(self, error: Any, answer: Any, signal: Any) -> Exception:
        ending = super()._ending(error, answer, signal)
        return self.aborted(ending, error, signal) if signal.aborted else ending  # type: ignore[arg-type]

    def aborted(self, ending: ProviderAbortError, error: Any, signal: Any) -> Exception:
        raise NotImplementedError


@defect("HTTP-ABORT-PARTIAL")
class LosesWhatIsHeld(AgentProvider[Any]):
    """What the splitter holds is not in the partial."""

    def _ending(self, error: Any, answer: Any, signal: Any) -> Exception:
        if signal.aborted and answer._splitter is not None:
            answer._splitter._pending = ""
        return super()._ending(error, answer, signal)


@defect("HTTP-ABORT-PARTIAL")
class EmptyPartial(_Ending):
    """The partial is empty."""

    def aborted(self, ending: ProviderAbortError, error: Any, signal: Any) -> Exception:
        return ProviderAbortError(ProviderResult(content=""), cause=ending.cause)


@defect("HTTP-ABORT-PARTIAL-CLEAN")
class PadsThePartial(_Ending):
    """The partial has empty members."""

    def aborted(self, ending: ProviderAbortError, error: Any, signal: Any) -> Exception:
        padding = {"thinking": ending.partial.thinking or "", "tools": ending.partial.tools or []}
        return ProviderAbortError(ending.partial.model_copy(update=padding), cause=ending.cause)


@defect("HTTP-ABORT-STALLED")
class LooksBetweenChunks(AgentProvider[Any]):
    """The signal is looked at when something comes."""

    def _chunks(self, response: Any, signal: Any) -> Any:
        return read_chunks(response.aiter_bytes())


@defect("HTTP-ABORT-CONNECT")
class WaitsForTheAnswer(AgentProvider[Any]):
    """The answer of the server is waited for."""

    async def _send(self, client: Any, post: Any, signal: Any) -> Any:
        return await client.send(post, stream=True, follow_redirects=False)


@defect("HTTP-ABORT-NO-MORE-DELTAS")
class FinishesTheChunk(AgentProvider[Any]):
    """The rest of a chunk is delivered first."""

    def _folded(self, records: Any, answer: Any, signal: Any) -> Any:
        yield from super()._folded(records, answer, AbortController().signal)
        check(signal)


class _Failed(ProviderError):
    """An abort that is a failure."""


_Failed.__name__ = "ProviderAbortError"


@defect("HTTP-ABORT-CODE")
class AbortsAreFailures(_Ending):
    """An abort is a kind of failure."""

    def aborted(self, ending: ProviderAbortError, error: Any, signal: Any) -> Exception:
        code: Any = "ABORT"
        failed: Any = _Failed(code, ending.message, cause=ending.cause)
        failed.partial = ending.partial
        return failed


@defect("HTTP-ABORT-CAUSE")
class ForgetsTheCause(_Ending):
    """What failed under the abort is not told."""

    def aborted(self, ending: ProviderAbortError, error: Any, signal: Any) -> Exception:
        return ProviderAbortError(ending.partial)


@defect("HTTP-ABORT-CAUSE")
class TheFailureWins(_Ending):
    """What failed under the abort is raised."""

    def aborted(self, ending: ProviderAbortError, error: Any, signal: Any) -> Exception:
        return ending if ending.cause is None else error


@defect("HTTP-ABORT-CAUSE-NONE")
class TellsItsOwnClosing(_Ending):
    """That the connection was closed by the engine itself is told as the cause."""

    def aborted(self, ending: ProviderAbortError, error: Any, signal: Any) -> Exception:
        return ProviderAbortError(ending.partial, cause=ending.cause or httpx.ReadError("closed"))


@defect("HTTP-ABORT-REASON-FOREIGN")
class RaisesTheReason(_Ending):
    """A reason that is an abort is raised as it is."""

    def aborted(self, ending: ProviderAbortError, error: Any, signal: Any) -> Exception:
        return signal.reason if isinstance(signal.reason, ports.ProviderAbortError) else ending


@defect("HTTP-REMOTE-ABORT-UNCHANGED")
class MakesItItsOwn(AgentProvider[Any]):
    """An abort of the far side is told with what has come here."""

    def _ending(self, error: Any, answer: Any, signal: Any) -> Exception:
        if isinstance(error, ProviderAbortError) and not signal.aborted:
            return ProviderAbortError(answer.result())
        return super()._ending(error, answer, signal)


@defect("HTTP-DECODER-FAILURE-UNCHANGED")
class WrapsTheDecoders(AgentProvider[Any]):
    """Whatever a seam raises breaks the protocol."""

    def _ending(self, error: Any, answer: Any, signal: Any) -> Exception:
        ending = super()._ending(error, answer, signal)
        known = isinstance(ending, ProviderError | ProviderAbortError | httpx.TransportError)
        return ending if known else ProviderError("PROTOCOL", str(ending), cause=ending)
