"""Runners over a managed service that tell it too much, or make too little of what it says."""

from __future__ import annotations

import re
from typing import Any

from portproof_defects._runners import AroundSession

from agentports.ports import CodeRunnerError, ServiceError
from agentports.runners import ManagedCodeRunner
from portproof.selftest import defect


class _Renaming:
    """The service with one operation changed."""

    def __init__(self, service: Any, name: str) -> None:
        self._service = service
        self._name = name

    def __getattr__(self, member: str) -> Any:
        return getattr(self._service, member)

    async def start_session(self, *, name: str, timeout_s: float | None = None) -> Any:
        return await self._service.start_session(name=self._name, timeout_s=timeout_s)


@defect("CODE-KEY-NOT-LEAKED")
class NamesTheSessionByTheKey(ManagedCodeRunner):
    """Replaces what is illegal in the key, and sends the rest."""

    async def start(self, *, key: str, **stated: Any) -> Any:
        service, self._service = self._service, _Renaming(self._service, re.sub("[^a-zA-Z0-9]", "-", key).lower())
        try:
            return await super().start(key=key, **stated)
        finally:
            self._service = service


class _Numberless:
    def __init__(self, service: Any) -> None:
        self._service = service

    def __getattr__(self, member: str) -> Any:
        return getattr(self._service, member)

    async def start_session(self, **stated: Any) -> Any:
        answer = await self._service.start_session(**stated)
        return {"session_id": answer.get("session_id") or "None"}


@defect("CODE-START-NO-SESSION-ID")
class TakesNoIdForAnId(ManagedCodeRunner):
    """Opens a session that the service has not named."""

    def __init__(self, service: Any) -> None:
        super().__init__(_Numberless(service))


class _Careless(AroundSession):
    async def stop(self) -> None:
        try:
            await self.inner.stop()
        except ServiceError:
            return


@defect("CODE-STOP-OTHER-ERRORS")
class SwallowsEveryFailureOfStop(ManagedCodeRunner):
    """Says that the session is stopped, whatever the service says."""

    async def start(self, **stated: Any) -> Any:
        return _Careless(await super().start(**stated))


class _Strict(AroundSession):
    def __init__(self, inner: Any, service: Any) -> None:
        super().__init__(inner)
        self._service = service

    async def stop(self) -> None:
        if self.id not in {session.id for session in self._service.alive}:
            raise ServiceError("not_found", "no such session")
        await self.inner.stop()


@defect("CODE-STOP-ALREADY-GONE")
@defect("CODE-STOP-IDEMPOTENT")
class RaisesWhenThereIsNothingToStop(ManagedCodeRunner):
    """Passes on that the service does not find the session any more."""

    async def start(self, **stated: Any) -> Any:
        return _Strict(await super().start(**stated), self._service)


class _Skipping:
    def __init__(self, service: Any) -> None:
        self._service = service

    def __getattr__(self, member: str) -> Any:
        return getattr(self._service, member)

    def invoke(self, **stated: Any) -> Any:
        events = self._service.invoke(**stated)
        return None if events is None else self._known(events)

    async def _known(self, events: Any) -> Any:
        known = False
        async for event in events:
            if "result" in event or event["error"]["name"] in ("access_denied", "throttled"):
                known = True
                yield event
        if not known:
            yield {"result": {"stdout": "", "stderr": "", "exit_code": 0}}


@defect("CODE-REMOTE-ERROR-MEMBER")
class SkipsMembersThatItDoesNotKnow(ManagedCodeRunner):
    """Takes a stream without a known member for one of code that printed nothing."""

    def __init__(self, service: Any) -> None:
        super().__init__(_Skipping(service))


class _Nameless(AroundSession):
    async def execute(self, **stated: Any) -> Any:
        try:
            return await super().execute(**stated)
        except ServiceError:
            raise CodeRunnerError("the service failed") from None


@defect("CODE-REMOTE-ERROR-MEMBER")
class HidesTheNameOfTheError(ManagedCodeRunner):
    """Raises something that says nothing."""

    async def start(self, **stated: Any) -> Any:
        return _Nameless(await super().start(**stated))
