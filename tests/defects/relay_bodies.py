"""Relays that read the body wrongly, or too much of it."""

from __future__ import annotations

import json
from typing import Any

from portproof.selftest import defect

from ._relays import BareRelay, Receive, Refusal


@defect("RLY-BODY-MISSING")
class TakesNothingForNoConversation(BareRelay):
    """An empty body is an empty conversation."""

    def load(self, text: str) -> Any:
        return super().load(text or '{"messages":[]}')


@defect("RLY-BODY-INVALID")
class TellsUnprocessable(BareRelay):
    """What is no JSON is 422, as frameworks have it."""

    def load(self, text: str) -> Any:
        try:
            return super().load(text)
        except ValueError:
            raise Refusal(422 if text else 400) from None


@defect("RLY-BODY-INVALID")
class IgnoresWhatFollows(BareRelay):
    """Whatever stands behind the first JSON value is not looked at."""

    def load(self, text: str) -> Any:
        return json.JSONDecoder().raw_decode(text.lstrip())[0]


@defect("RLY-BODY-READ-FAILURE")
class LetsReadFailuresOut(BareRelay):
    """What reading the body raises is raised to the host."""

    async def receive(self, receive: Receive) -> Any:
        return await receive()


@defect("RLY-BODY-READ-FAILURE")
class TakesAFailureForTheEnd(BareRelay):
    """What was read before a failure is the body."""

    async def receive(self, receive: Receive) -> Any:
        try:
            return await receive()
        except Exception:
            return {"type": "http.request"}


@defect("RLY-BODY-BOM")
class KeepsTheMark(BareRelay):
    """A byte-order mark is not JSON."""

    def decode(self, body: bytes) -> str:
        return body.decode("utf-8", "replace")


@defect("RLY-BODY-BOM")
class DoesNotCountTheMark(BareRelay):
    """The byte-order mark is no part of the body."""

    def is_too_long(self, body: bytearray) -> bool:
        return len(body.removeprefix(b"\xef\xbb\xbf")) >= self.limit


@defect("RLY-BODY-INVALID-UTF8")
class WantsUtf8(BareRelay):
    """A byte that is no UTF-8 is 400."""

    def decode(self, body: bytes) -> str:
        return body.decode("utf-8").removeprefix("\ufeff")


@defect("RLY-BODY-INVALID-UTF8")
class DropsOddBytes(BareRelay):
    """A byte that is no UTF-8 is left out."""

    def decode(self, body: bytes) -> str:
        return body.decode("utf-8", "ignore").removeprefix("\ufeff")


@defect("RLY-INBOUND-ABORT-READ")
class ParsesTheBeginning(BareRelay):
    """What came before the client went is the body."""

    def gone(self, body: bytes) -> bytes:
        return body


@defect("RLY-INBOUND-ABORT-READ")
class CallsAGivenUpRequestInvalid(BareRelay):
    """Half a request is 400."""

    def gone(self, body: bytes) -> bytes:
        raise Refusal(400)


@defect("RLY-LIMIT-DEFAULT")
class TakesMoreByDefault(BareRelay):
    """Without a configured limit there is a larger one."""

    def __init__(self, *, provider: Any, authorize: Any, limit: int = 10 * 1_048_576) -> None:
        super().__init__(provider=provider, authorize=authorize, limit=limit)


@defect("RLY-LIMIT-DEFAULT")
@defect("RLY-LIMIT-CONFIGURED")
class TakesTheLimitItself(BareRelay):
    """The limit is the largest size that is taken."""

    def is_too_long(self, body: bytearray) -> bool:
        return len(body) > self.limit


@defect("RLY-LIMIT-CONFIGURED")
class KnowsItsOwnLimit(BareRelay):
    """The configured limit is not looked at."""

    def __init__(self, *, provider: Any, authorize: Any, limit: int = 1_048_576) -> None:
        super().__init__(provider=provider, authorize=authorize)


@defect("RLY-LIMIT-BYTES")
class CountsCharacters(BareRelay):
    """The limit is measured on the text."""

    def is_too_long(self, body: bytearray) -> bool:
        return len(bytes(body).decode("utf-8", "replace")) >= self.limit


@defect("RLY-LIMIT-RECEIVED")
class BelievesTheLength(BareRelay):
    """Only content-length is compared with the limit."""

    async def request(self, scope: Any, receive: Receive) -> Any:
        self.length = int(dict(scope["headers"]).get(b"content-length", b"0"))
        return await super().request(scope, receive)

    def is_too_long(self, body: bytearray) -> bool:
        return self.length >= self.limit


@defect("RLY-LIMIT-STOPS")
class MeasuresTheWhole(BareRelay):
    """The whole body is read, then measured."""

    async def read(self, receive: Receive) -> bytes:
        limit, self.limit = self.limit, 2**62
        try:
            body = await super().read(receive)
        finally:
            self.limit = limit
        if len(body) >= limit:
            raise Refusal(413)
        return body


@defect("RLY-LIMIT-BEFORE-PARSE")
class ParsesBeforeItMeasures(BareRelay):
    """An oversized body that is no JSON is 400."""

    async def read(self, receive: Receive) -> bytes:
        limit, self.limit = self.limit, 2**62
        try:
            body = await super().read(receive)
            self.parse(body)
        finally:
            self.limit = limit
        if len(body) >= limit:
            raise Refusal(413)
        return body
