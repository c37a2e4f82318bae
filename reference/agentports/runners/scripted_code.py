"""A code runner that plays results: for tests of whatever stands above a runner."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from agentports.ports import AbortSignal, CodeInput, CodeResult, CodeSession, SessionStoppedError, StagedCodeInput

__all__ = ["ScriptedCodeCall", "ScriptedCodeRunner", "ScriptedCodeSession"]

Reply = CodeResult | BaseException


class ScriptedCodeCall(NamedTuple):
    """One execution as it was asked for, and the session it was asked of."""

    session_id: str
    code: str
    language: str | None
    timeout_ms: int | None
    signal: AbortSignal | None


@dataclass
class ScriptedCodeSession:
    """One session that was started. `stops` counts how often it was stopped."""

    id: str
    key: str
    language: str | None
    script: ScriptedCodeRunner
    staged: list[CodeInput] = field(default_factory=list)
    stops: int = 0

    async def execute(
        self,
        *,
        code: str,
        language: str | None = None,
        timeout_ms: int | None = None,
        signal: AbortSignal | None = None,
    ) -> CodeResult:
        """Play the next reply of the runner."""
        self._refuse_when_stopped()
        if signal is not None:
            signal.raise_if_aborted()
        return self.script.play(ScriptedCodeCall(self.id, code, language, timeout_ms, signal))

    async def stop(self) -> None:
        """Count."""
        self.stops += 1

    def _refuse_when_stopped(self) -> None:
        if self.stops:
            raise SessionStoppedError(self.id)


class _Staging(ScriptedCodeSession):
    async def stage_inputs(self, inputs: Sequence[CodeInput]) -> Sequence[StagedCodeInput]:
        """Keep the inputs; nothing is written."""
        self._refuse_when_stopped()
        self.staged.extend(inputs)
        return [
            StagedCodeInput(
                name=each.name,
                path=f"/staged/{self.id}/{each.file_name or each.name}",
                bytes=len(each.data.encode() if isinstance(each.data, str) else each.data),
            )
            for each in inputs
        ]


class ScriptedCodeRunner:
    """Gives one reply for each execution, in order over all sessions; one too many raises `RuntimeError`.

    A reply is a result or an exception to raise. `starts` does the same for the starts, as far as it goes: None is a
    start that succeeds, as do those beyond its end. With `stages=False` the sessions lack `stage_inputs`.
    """

    def __init__(
        self,
        replies: Iterable[Reply] = (),
        *,
        id: str = "scripted-code-runner",
        starts: Iterable[BaseException | None] = (),
        stages: bool = True,
    ) -> None:
        self.id = id
        self.replies = list(replies)
        self.calls: list[ScriptedCodeCall] = []
        self.sessions: list[ScriptedCodeSession] = []
        self._starts = itertools.chain(starts, itertools.repeat(None))
        self._session_class = _Staging if stages else ScriptedCodeSession

    @property
    def codes(self) -> list[str]:
        """What was executed so far."""
        return [call.code for call in self.calls]

    async def start(self, *, key: str, language: str | None = None, signal: AbortSignal | None = None) -> CodeSession:
        """Open a session that plays the script."""
        if signal is not None:
            signal.raise_if_aborted()
        if (failure := next(self._starts)) is not None:
            raise failure
        session = self._session_class(f"scripted-{len(self.sessions) + 1}", key, language, self)
        self.sessions.append(session)
        return session

    def play(self, call: ScriptedCodeCall) -> CodeResult:
        """Record the call and give its reply."""
        self.calls.append(call)
        if len(self.calls) > len(self.replies):
            raise RuntimeError(f"[{self.id}] execution {len(self.calls)} came, the script has {len(self.replies)}")
        reply = self.replies[len(self.calls) - 1]
        if isinstance(reply, BaseException):
            raise reply
        return reply
