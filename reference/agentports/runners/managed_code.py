"""Code on a managed interpreter service (document 21, "Managed runner")."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from typing import Any, Protocol

from agentports.ports import (
    ALREADY_GONE,
    AbortSignal,
    CodeResult,
    CodeRunnerError,
    CodeSession,
    ServiceError,
)
from agentports.runners._captures import Captures
from agentports.runners._code_session import InterruptibleSession, check_limits, known_language, time_limit
from agentports.runners._labels import session_label
from agentports.runners._opening import open_session

__all__ = ["InterpreterService", "ManagedCodeRunner"]

_LANGUAGES = ("python",)

Event = Mapping[str, Any]


class InterpreterService(Protocol):
    """What the runner asks of a service. Closing the events, or the session, ends what is still running."""

    async def start_session(self, *, name: str, timeout_s: float | None = None) -> Mapping[str, Any]: ...

    def invoke(self, *, session_id: str, code: str, language: str) -> AsyncIterator[Event] | None: ...

    async def stop_session(self, *, session_id: str) -> None: ...


class ManagedCodeRunner:
    """Opens one session of the service for each start; the key reaches the service as a digest only.

    `timeout_ms` is the limit of an execution that states none; of each stream the first `max_output_chars`
    characters come back. Executions of one session run one after the other, and their limits begin with their turns.
    The service takes no files and no variables, so sessions cannot stage, and reports none, so `artifacts` is absent.
    What the service refuses is raised as it says it, a `ServiceError`.
    """

    id = "managed-code-runner"

    def __init__(self, service: InterpreterService, *, timeout_ms: int = 30_000, max_output_chars: int = 8000) -> None:
        check_limits(timeout_ms, max_output_chars)
        self._service = service
        self._timeout_ms = timeout_ms
        self._max_output_chars = max_output_chars

    async def start(self, *, key: str, language: str | None = None, signal: AbortSignal | None = None) -> CodeSession:
        """Open a session. Raises `ServiceError`, `UnknownLanguageError`, and the abort when the signal is aborted."""
        language = known_language(language, _LANGUAGES[0], _LANGUAGES)
        return await open_session(lambda: self._open(session_label(key), language), signal)

    async def _open(self, name: str, language: str) -> _ManagedSession:
        started = await self._service.start_session(name=name)
        session_id = started.get("session_id")
        if not session_id:
            raise CodeRunnerError("the service started a session without saying which: there is no session id")
        return _ManagedSession(self._service, session_id, language, self._timeout_ms, self._max_output_chars)


class _ManagedSession(InterruptibleSession):
    def __init__(
        self, service: InterpreterService, session_id: str, language: str, timeout_ms: int, max_output_chars: int
    ) -> None:
        super().__init__(session_id, languages=_LANGUAGES, language=language, timeout_ms=timeout_ms)
        self._service = service
        self._max_output_chars = max_output_chars
        self._turn = asyncio.Lock()

    async def _run(self, code: str, language: str, timeout_ms: int) -> CodeResult:
        async with self._turn, time_limit(timeout_ms):
            events = self._service.invoke(session_id=self.id, code=code, language=language)
            if events is None:
                raise CodeRunnerError("the service answered without a stream of results")
            async with _closing(events):
                return await _result_of(events, Captures(self._max_output_chars))

    async def _release(self) -> None:
        try:
            await self._service.stop_session(session_id=self.id)
        except ServiceError as error:
            if error.name not in ALREADY_GONE:
                raise


async def _result_of(events: AsyncIterator[Event], output: Captures) -> CodeResult:
    """Read to the end: a result may come in parts, and an error after it."""
    exit_code, failed, seen = None, False, False
    async for event in events:
        result = _checked(event)
        output.stdout.add(result.get("stdout") or "")
        output.stderr.add(result.get("stderr") or "")
        exit_code = result.get("exit_code", exit_code)
        failed, seen = failed or bool(result.get("is_error")), True
    if not seen:
        raise CodeRunnerError("the service's stream of results ended without a result")
    return output.result(ok=not failed and exit_code in (0, None), exit_code=exit_code)


def _checked(event: Event) -> Mapping[str, Any]:
    """The result that the event carries. Whatever else it carries is an error, also one that is new to us."""
    for member, content in event.items():
        if member == "error":
            raise ServiceError(content.get("name") or member, content.get("message") or "")
        if member != "result":
            raise ServiceError(member, str(content))
    if "result" not in event:
        raise CodeRunnerError("the service sent an event without anything in it")
    result: Mapping[str, Any] = event["result"]
    return result


def _closing(events: AsyncIterator[Event]) -> AbstractAsyncContextManager[Any]:
    return nullcontext() if getattr(events, "aclose", None) is None else aclosing(events)
