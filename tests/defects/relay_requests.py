"""Relays whose guard of requests takes too much or too little."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from agentports.ports.http import ProviderRequest
from agentports.relay.contracts import provider_request_contract
from portproof.selftest import defect

from ._relays import BareRelay, Refusal


class Mending(BareRelay):
    """A relay that puts something right before it looks: override `mend`, which may change the value."""

    def load(self, text: str) -> Any:
        value = super().load(text)
        if isinstance(value, dict):
            try:
                self.mend(value)
            except (TypeError, AttributeError, KeyError):
                return None
        return value

    def mend(self, request: dict[str, Any]) -> None:
        raise NotImplementedError


def _messages(request: dict[str, Any]) -> Iterator[Any]:
    yield from request["messages"]


def _calls(request: dict[str, Any]) -> Iterator[Any]:
    for message in _messages(request):
        yield from message.get("calls", ())


def _levels(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield request
    yield from _messages(request)
    yield from _calls(request)
    yield from request.get("tools", ())
    yield request.get("options", {})


@defect("FRM-REQUEST-MINIMAL")
class WantsAMessage(BareRelay):
    """An empty conversation is refused."""

    def is_valid(self, value: Any) -> bool:
        return super().is_valid(value) and bool(value["messages"])


@defect("FRM-REQUEST-FULL")
class WantsADescription(BareRelay):
    """A tool with an empty description is refused."""

    def is_valid(self, value: Any) -> bool:
        return super().is_valid(value) and all(tool.get("description", "x") for tool in value.get("tools", ()))


@defect("FRM-REQUEST-FULL")
class ForgetsImages(BareRelay):
    """Images are taken and not passed on."""

    def model(self, value: Any) -> ProviderRequest:
        bare = [{name: member for name, member in m.items() if name != "images"} for m in value["messages"]]
        return super().model(value | {"messages": bare})


@defect("FRM-REQUEST-MISSING")
class TakesMissingMessagesForNone(Mending):
    """A request without messages has no messages."""

    def mend(self, request: dict[str, Any]) -> None:
        request.setdefault("messages", [])


@defect("FRM-REQUEST-MISSING")
class WrapsOneText(Mending):
    """A text instead of messages is the message of a user."""

    def mend(self, request: dict[str, Any]) -> None:
        if isinstance(request["messages"], str):
            request["messages"] = [{"id": "0", "role": "user", "content": request["messages"]}]


@defect("FRM-EXTRA-REFUSED")
class DropsOtherMembers(BareRelay):
    """The parser that drops decides."""

    def is_valid(self, value: Any) -> bool:
        return provider_request_contract.parse(value) is not None


@defect("FRM-EXTRA-REFUSED")
class LooksAtTheTopOnly(Mending):
    """Undeclared members of options are dropped."""

    def mend(self, request: dict[str, Any]) -> None:
        options = request.get("options", {})
        for name in set(options) - {"think", "schema"}:
            del options[name]


@defect("FRM-OPEN-OBJECTS")
class ClosesArguments(BareRelay):
    """Arguments may hold no objects."""

    def is_valid(self, value: Any) -> bool:
        if not super().is_valid(value):
            return False
        return not any(
            isinstance(member, dict | list) for call in _calls(value) for member in call["arguments"].values()
        )


@defect("FRM-OPEN-OBJECTS")
class DropsNullsInSchemas(BareRelay):
    """Nulls are dropped wherever they stand."""

    def model(self, value: Any) -> ProviderRequest:
        text = json.dumps(value)
        return super().model(
            json.loads(text, object_pairs_hook=lambda pairs: {k: v for k, v in pairs if v is not None})
        )


@defect("FRM-OBJECTS-ONLY")
class TakesAnyArguments(Mending):
    """Arguments that are no object are put into one."""

    def mend(self, request: dict[str, Any]) -> None:
        for call in _calls(request):
            if not isinstance(call["arguments"], dict):
                call["arguments"] = {"value": call["arguments"]}


@defect("FRM-OBJECTS-ONLY")
class ReadsArgumentsFromText(Mending):
    """Parameters may be the text of an object."""

    def mend(self, request: dict[str, Any]) -> None:
        for tool in request.get("tools", ()):
            if isinstance(tool.get("parameters"), str):
                tool["parameters"] = {"text": tool["parameters"]}


@defect("FRM-NULL-REFUSED")
class TakesNullForAbsence(Mending):
    """A member that is null is not there."""

    def mend(self, request: dict[str, Any]) -> None:
        for level in list(_levels({name: member for name, member in request.items() if member is not None})):
            for name in [name for name, member in level.items() if member is None]:
                del level[name]
        for name in [name for name, member in request.items() if member is None]:
            del request[name]


@defect("FRM-ROLE")
class TakesAnyRole(Mending):
    """A role that is not known is a user's."""

    def mend(self, request: dict[str, Any]) -> None:
        for message in _messages(request):
            if message["role"] not in ("system", "assistant", "tool"):
                message["role"] = "user"


@defect("FRM-ROLE")
class TakesRolesOfAnyCase(Mending):
    """Roles are put into lower case, without space around them."""

    def mend(self, request: dict[str, Any]) -> None:
        for message in _messages(request):
            message["role"] = message["role"].strip().lower()


@defect("FRM-ROLE")
class LooksRolesUp(BareRelay):
    """A role that cannot be hashed is a failure of the server."""

    def is_valid(self, value: Any) -> bool:
        if isinstance(value, dict) and isinstance(value.get("messages"), list):
            for message in value["messages"]:
                if isinstance(message, dict) and message.get("role") not in {"system", "user", "assistant", "tool"}:
                    return False
        return super().is_valid(value)


@defect("FRM-MESSAGE-FIELDS")
class MakesUpIds(Mending):
    """A message without an id is given one."""

    def mend(self, request: dict[str, Any]) -> None:
        for n, message in enumerate(_messages(request)):
            message.setdefault("id", str(n))


@defect("FRM-MESSAGE-FIELDS")
class JoinsParts(Mending):
    """Content may be a list of parts."""

    def mend(self, request: dict[str, Any]) -> None:
        for message in _messages(request):
            if isinstance(message["content"], list):
                message["content"] = "".join(part["text"] for part in message["content"])


@defect("FRM-IMAGES")
class LooksAtTheFirstImage(Mending):
    """Only the first image is looked at."""

    def mend(self, request: dict[str, Any]) -> None:
        for message in _messages(request):
            if isinstance(message.get("images"), list):
                message["images"][1:] = map(str, message["images"][1:])


@defect("FRM-CALL-FIELDS")
class TakesMissingArgumentsForNone(Mending):
    """A call without arguments has none."""

    def mend(self, request: dict[str, Any]) -> None:
        for call in _calls(request):
            call.setdefault("arguments", {})


@defect("FRM-CALL-FIELDS")
class TakesACaller(Mending):
    """A call may say who asked for it."""

    def mend(self, request: dict[str, Any]) -> None:
        for call in _calls(request):
            call.pop("caller", None)


@defect("FRM-TOOL-FIELDS")
class TakesToolsOfVendors(Mending):
    """A tool may be wrapped as a vendor has it."""

    def mend(self, request: dict[str, Any]) -> None:
        if "tools" in request:
            request["tools"] = [tool.get("function", tool) for tool in request["tools"]]


@defect("FRM-OPTIONS-FIELDS")
class TakesTemperature(Mending):
    """Options may hold a temperature, which is not passed on."""

    def mend(self, request: dict[str, Any]) -> None:
        request.get("options", {}).pop("temperature", None)


@defect("FRM-OPTIONS-FIELDS")
class TakesNumbersForFlags(Mending):
    """think may be 1."""

    def mend(self, request: dict[str, Any]) -> None:
        options = request.get("options", {})
        if options.get("think") in (0, 1):
            options["think"] = bool(options["think"])


@defect("FRM-NO-COERCION")
class IsLax(BareRelay):
    """pydantic decides, and takes a text for a flag."""

    def is_valid(self, value: Any) -> bool:
        return self._lax(value) is not None

    def model(self, value: Any) -> ProviderRequest:
        return self._lax(value) or super().model(value)

    def _lax(self, value: Any) -> ProviderRequest | None:
        if provider_request_contract.is_valid(value):
            return super().model(value)
        try:
            lax = super().model(value)
        except ValueError:
            return None
        return lax if provider_request_contract.is_valid(lax.model_dump()) and self._is_whole(value, lax) else None

    def _is_whole(self, value: Any, lax: ProviderRequest) -> bool:
        options = value.get("options")
        return isinstance(options, dict) and set(options) <= {"think", "schema"} and options.get("think") is not None


@defect("FRM-NO-COERCION")
class WritesNumbersAsText(Mending):
    """A number instead of a text is written as one."""

    def mend(self, request: dict[str, Any]) -> None:
        for message in _messages(request):
            if isinstance(message["id"], int | float):
                message["id"] = str(message["id"])


Read = Callable[[str], Any]


@defect("FRM-NUMBERS-FINITE")
class TakesNaN(BareRelay):
    """The words of Python's reader are numbers, and the guard does not look at them."""

    def load(self, text: str) -> Any:
        return json.loads(text, parse_constant=lambda word: 0.0)


@defect("FRM-NUMBERS-FINITE")
class TakesLargeIntegers(BareRelay):
    """An integer is finite, however long."""

    def load(self, text: str) -> Any:
        return json.loads(text, parse_int=lambda digits: int(digits) % 2**53, parse_constant=self.refuse_word)

    def refuse_word(self, word: str) -> Any:
        raise Refusal(400)


@defect("FRM-HUGE-INTEGER")
class LetsTheReaderFail(BareRelay):
    """What the reader of integers raises is not caught."""

    def load(self, text: str) -> Any:
        return json.loads(text, parse_int=self.whole)

    def whole(self, digits: str) -> int:
        if len(digits) > 4300:
            raise OverflowError(f"{len(digits)} digits")
        return int(digits)


@defect("FRM-DEEP-NESTING")
class LetsTheReaderOverflow(BareRelay):
    """What deep nesting raises is not caught."""

    def load(self, text: str) -> Any:
        try:
            return super().load(text)
        except RecursionError:
            raise MemoryError from None


@defect("FRM-DUPLICATE-KEYS")
class TakesTheFirst(BareRelay):
    """The first of two members counts."""

    def load(self, text: str) -> Any:
        return json.loads(text, object_pairs_hook=lambda pairs: dict(reversed(pairs)))


@defect("FRM-DUPLICATE-KEYS")
class RefusesTwice(BareRelay):
    """An object with a member twice is no JSON."""

    def load(self, text: str) -> Any:
        return json.loads(text, object_pairs_hook=_once)


@defect("FRM-PROTO-MEMBER")
class DropsDunders(BareRelay):
    """Members with underscores around them are left out."""

    def load(self, text: str) -> Any:
        return json.loads(text, object_pairs_hook=lambda pairs: {k: v for k, v in pairs if not k.startswith("__")})


@defect("FRM-PROTO-MEMBER")
class BuildsClasses(BareRelay):
    """A name that the model class knows cannot be a member."""

    def model(self, value: Any) -> ProviderRequest:
        value = copy.deepcopy(value)
        for call in _calls(value):
            for name in [name for name in call["arguments"] if hasattr(ProviderRequest, name)]:
                del call["arguments"][name]
        return super().model(value)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a member stands twice")
    return dict(pairs)
