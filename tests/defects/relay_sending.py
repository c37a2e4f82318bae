"""Relay providers that send more, less or something else than they should."""

from __future__ import annotations

import json
from typing import Any

from agentports.ports.http import ProviderError
from agentports.relay import RelayProvider
from agentports.relay.provider import _projection
from portproof.selftest import defect


@defect("RLP-NAME")
class NamedByItsClass(RelayProvider):
    """The name is that of the class."""

    name = "RelayProvider"


@defect("RLP-URL-VERBATIM")
class AppendsAPath(RelayProvider):
    """The request goes to a path below the url."""

    def __init__(self, url: str, **named: Any) -> None:
        super().__init__(f"{url}/chat", **named)


@defect("RLP-BODY-VALID")
class SaysNull(RelayProvider):
    """What is absent is sent as null."""

    def body(self, request: Any) -> Any:
        return {"tools": None, "options": None, **super().body(request)}


@defect("RLP-BODY-PROJECTION")
class DumpsTheModels(RelayProvider):
    """All that the caller's objects hold is sent."""

    def body(self, request: Any) -> Any:
        body = super().body(request)
        for sent, message in zip(body["messages"], request.messages, strict=True):
            sent.update(message.model_dump() if hasattr(message, "metadata") else {})
        return body


def _without_falsy(value: Any) -> Any:
    optional = ("calls", "images", "description", "think", "tools")
    if isinstance(value, list):
        return [_without_falsy(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {name: member for name, member in value.items() if member or name not in optional}
    return {name: _without_falsy(member) for name, member in kept.items()}


@defect("RLP-BODY-COMPLETE")
class DropsFalsyMembers(RelayProvider):
    """What is empty or false is not sent."""

    def body(self, request: Any) -> Any:
        return _without_falsy(super().body(request))


@defect("RLP-BODY-ABSENT")
class EmptyTools(RelayProvider):
    """Tools that were not given are sent as none."""

    def body(self, request: Any) -> Any:
        return {"tools": [], **super().body(request)}


@defect("RLP-CALLER-OBJECTS-KEPT")
class DeletesTheContext(RelayProvider):
    """What must not travel is deleted where it stands."""

    def body(self, request: Any) -> Any:
        for message in request.messages:
            message.__dict__.pop("metadata", None)
        return super().body(request)


@defect("RLP-NOT-JSON-REFUSED")
class WritesAnythingAsText(RelayProvider):
    """What is no JSON is sent as its text."""

    def body(self, request: Any) -> Any:
        try:
            return super().body(request)
        except ProviderError:
            return json.loads(json.dumps(_projection(request), default=str, skipkeys=True))


@defect("RLP-NOT-JSON-CAUSE")
class DoesNotSayWhy(RelayProvider):
    """A refusal has no cause."""

    def body(self, request: Any) -> Any:
        try:
            return super().body(request)
        except ProviderError as error:
            raise ProviderError("PROTOCOL", error.message) from None


@defect("RLP-HOOKS-IGNORED")
class AsksTheValue(RelayProvider):
    """The encoder asks a mapping for its items."""

    def body(self, request: Any) -> Any:
        super().body(request)
        return json.loads(json.dumps(_projection(request)))


def _without_functions(value: Any) -> Any:
    if type(value) is dict:
        return {name: _without_functions(member) for name, member in value.items() if not callable(member)}
    return [_without_functions(item) for item in value] if type(value) is list else value


@defect("RLP-CALLABLE-ENTRY-REFUSED")
class SkipsFunctions(RelayProvider):
    """Functions among the data are left out."""

    def body(self, request: Any) -> Any:
        try:
            return super().body(request)
        except ProviderError:
            return json.loads(json.dumps(_without_functions(_projection(request))))


@defect("RLP-HOSTILE-READ")
class LetsItEscape(RelayProvider):
    """What a value raises is raised."""

    def body(self, request: Any) -> Any:
        _projection(request)
        return super().body(request)


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copied(member) for name, member in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


@defect("RLP-CYCLE-REFUSED")
class FollowsTheCycle(RelayProvider):
    """What contains itself is followed until the stack ends."""

    def body(self, request: Any) -> Any:
        for message in request.messages:
            for call in message.calls or ():
                _copied(call.arguments)
        return super().body(request)


@defect("RLP-CYCLE-REFUSED")
class RefusesASecondSight(RelayProvider):
    """An object in two places is taken for a cycle."""

    def body(self, request: Any) -> Any:
        seen: set[int] = set()

        def look(value: Any) -> None:
            if isinstance(value, dict | list):
                if id(value) in seen:
                    raise ProviderError("PROTOCOL", "relay request is not JSON", cause=ValueError("a cycle"))
                seen.add(id(value))
                for member in value.values() if isinstance(value, dict) else value:
                    look(member)

        body = super().body(request)
        look(_projection(request))
        return body


def _has_tuple(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_tuple, value.values()))
    return isinstance(value, tuple) or (isinstance(value, list) and any(map(_has_tuple, value)))


@defect("RLP-TUPLE-AS-ARRAY")
class RefusesTuples(RelayProvider):
    """A tuple is no JSON."""

    def body(self, request: Any) -> Any:
        body = super().body(request)
        if _has_tuple(_projection(request)):
            raise ProviderError("PROTOCOL", "relay request is not JSON", cause=TypeError("a tuple"))
        return body


def _as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _as_text(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_as_text(item) for item in value]
    return str(value) if isinstance(value, str) else value


@defect("RLP-SCALAR-SUBCLASS")
class SendsTheName(RelayProvider):
    """What calls itself something else is sent as that."""

    def body(self, request: Any) -> Any:
        super().body(request)
        return _as_text(_projection(request))


@defect("RLP-SNAPSHOT-OWNED")
class KeepsReferences(RelayProvider):
    """The projection holds the caller's own objects."""

    def body(self, request: Any) -> Any:
        super().body(request)
        return _projection(request)


@defect("RLP-GENERATE-SAME")
class GeneratesAnotherWay(RelayProvider):
    """generate sends another form of the request."""

    async def generate(self, messages: Any, signal: Any, tools: Any = None, options: Any = None) -> Any:
        return await super().generate(messages, signal, tools or [], options)
