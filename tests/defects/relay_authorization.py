"""Relays that let the wrong through, or decide too late or on too little."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from portproof.selftest import defect

from ._relays import BareRelay, Receive, Refusal, Send


class _PrivateRequest:
    """A request of which the hook is shown something else."""

    def __init__(self, request: Any, **others: Any) -> None:
        self.__dict__ |= {"method": request.method, "url": request.url, "headers": request.headers, **others}


@defect("RLY-AUTH-FIRST")
class ReadsTheBodyFirst(BareRelay):
    """The body is there when the hook is asked, for it might be signed."""

    async def request(self, scope: Any, receive: Receive) -> Any:
        body = await self.read(receive)
        pieces = [{"type": "http.request", "body": body}]

        async def again() -> Any:
            return pieces.pop() if pieces else await receive()

        return await super().request(scope, again)


@defect("RLY-AUTH-REFUSED")
class Forbids(BareRelay):
    """Who is not let through is answered 403."""

    async def refuse(self, status: int, send: Send) -> None:
        await super().refuse(403 if status == 401 else status, send)


@defect("RLY-AUTH-REFUSED")
class LetsEverybodyThrough(BareRelay):
    """The hook is asked and not heard."""

    def lets_in(self, decision: Any) -> bool:
        return True


@defect("RLY-AUTH-TRUE-ONLY")
class TakesTruth(BareRelay):
    """Whatever is truthy lets through."""

    def lets_in(self, decision: Any) -> bool:
        return bool(decision)


@defect("RLY-AUTH-TRUE-ONLY")
class TakesWhatEqualsTrue(BareRelay):
    """1 is True."""

    def lets_in(self, decision: Any) -> bool:
        return decision == True  # noqa: E712


@defect("RLY-AUTH-TRUE-ONLY")
class TakesWhatIsNotFalse(BareRelay):
    """A hook that forgets to return lets through."""

    def lets_in(self, decision: Any) -> bool:
        return decision is not False


@defect("RLY-AUTH-THROWS")
class RaisesWithTheHook(BareRelay):
    """A failing hook is a failing server."""

    def hook_failed(self, error: Exception) -> bool:
        raise Refusal(500)


@defect("RLY-AUTH-THROWS")
class SaysWhyTheHookFailed(BareRelay):
    """The challenge tells what went wrong."""

    why = ""

    def hook_failed(self, error: Exception) -> bool:
        self.why = str(error)
        return False

    async def refuse(self, status: int, send: Send) -> None:
        challenge = (b"www-authenticate", f'Bearer error="{self.why}"'.encode())
        headers = [(b"content-length", b"0"), challenge]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body"})


@defect("RLY-AUTH-THROWS")
class LetsThroughWhenTheHookFails(BareRelay):
    """A failing hook keeps nobody out."""

    def hook_failed(self, error: Exception) -> bool:
        return True


@defect("RLY-AUTH-ASYNC")
class DoesNotAwaitTheHook(BareRelay):
    """Only what a function returns at once is a decision."""

    async def decision(self, request: Any) -> Any:
        decision = self.authorize(request)
        if inspect.iscoroutine(decision):
            decision.close()
        return decision


@defect("RLY-AUTH-NO-PROVIDER")
class ConstructsTheCallMeanwhile(BareRelay):
    """The upstream call is made while a hook that takes its time decides."""

    async def decision(self, request: Any) -> Any:
        decision = self.authorize(request)
        if inspect.isawaitable(decision):
            self.provider.stream([], asyncio.Event())
            return await decision
        return decision


@defect("RLY-AUTH-BEFORE-VALIDATION")
class LooksAtTheLengthFirst(BareRelay):
    """A long body is refused by its content-length, whoever sends it."""

    async def request(self, scope: Any, receive: Receive) -> Any:
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if int(length) >= self.limit:
            raise Refusal(413)
        return await super().request(scope, receive)


@defect("RLY-AUTH-BEFORE-VALIDATION")
class ValidatesFirst(BareRelay):
    """Without a body there is nothing to authorize."""

    async def request(self, scope: Any, receive: Receive) -> Any:
        if dict(scope["headers"]).get(b"content-length") == b"0":
            raise Refusal(400)
        return await super().request(scope, receive)


@defect("RLY-AUTH-REQUEST-SEEN")
class ShowsNoFurtherHeaders(BareRelay):
    """The hook is shown the headers that the relay thinks it needs."""

    async def decision(self, request: Any) -> Any:
        known = {name: value for name, value in request.headers.items() if not name.startswith("x-")}
        return await super().decision(_PrivateRequest(request, headers=known))


@defect("RLY-AUTH-REQUEST-SEEN")
class ShowsEveryRequestAsPost(BareRelay):
    """The hook is told that the method is POST."""

    async def decision(self, request: Any) -> Any:
        return await super().decision(_PrivateRequest(request, method="POST"))


@defect("RLY-AUTH-EACH-REQUEST")
class RemembersTheClient(BareRelay):
    """Who was let through once is let through from the same address."""

    known: Any = None

    async def authorized(self, request: Any) -> bool:
        if request.client == self.known or await super().authorized(request):
            self.known = request.client
            return True
        return False


@defect("RLY-AUTH-HOOK-CONSUMES")
class UsesWhatTheHookRead(BareRelay):
    """The body that the hook has read is parsed."""

    def consumed(self, taken: list[Any]) -> None:
        self.cached = b"".join(message.get("body", b"") for message in taken)

    async def read(self, receive: Receive) -> bytes:
        cached: bytes | None = getattr(self, "cached", None)
        return cached if cached is not None else await super().read(receive)


@defect("RLY-NO-ORIGIN-CHECK")
class WantsJson(BareRelay):
    """Another content type than JSON is 415."""

    async def request(self, scope: Any, receive: Receive) -> Any:
        if b"json" not in dict(scope["headers"]).get(b"content-type", b""):
            raise Refusal(415)
        return await super().request(scope, receive)


@defect("RLY-NO-ORIGIN-CHECK")
class WantsItsOwnOrigin(BareRelay):
    """A foreign origin is 403."""

    async def request(self, scope: Any, receive: Receive) -> Any:
        headers = dict(scope["headers"])
        if headers.get(b"origin", b"").partition(b"://")[2] not in (b"", headers[b"host"]):
            raise Refusal(403)
        return await super().request(scope, receive)


@defect("RLY-NO-ORIGIN-CHECK")
class WantsPost(BareRelay):
    """Another method than POST is 405."""

    async def request(self, scope: Any, receive: Receive) -> Any:
        if scope["method"] not in ("POST", "GET"):
            raise Refusal(405)
        return await super().request(scope, receive)
