"""The contracts of the relay's wire (document 51, section 2): each a guard and a parser, total on any value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, get_args

from pydantic import TypeAdapter

from agentports.ports.http import Message, MessageRole, ProviderRequest, ProviderResult
from agentports.relay.contracts._json_values import is_json_object, is_number
from agentports.relay.contracts.forms import ArrayOf, ByMember, Form, OneOf, Plain, Record
from agentports.relay.contracts.frames import RelayFrame

__all__ = [
    "WireContract",
    "is_message",
    "message_contract",
    "provider_request_contract",
    "provider_result_contract",
    "relay_frame_contract",
]

T = TypeVar("T")

_TEXT = Plain(lambda value: type(value) is str)
_FLAG = Plain(lambda value: type(value) is bool)
_NUMBER = Plain(is_number)
_OBJECT = Plain(is_json_object)
_ANY_OBJECT = Plain(lambda value: type(value) is dict)
_ROLE = OneOf(get_args(MessageRole))

_CALL = Record({"id": _TEXT, "name": _TEXT, "arguments": _OBJECT})
_LOCAL_CALL = Record({"id": _TEXT, "name": _TEXT, "arguments": _ANY_OBJECT}, extensible=True)
_TOOL = Record({"name": _TEXT}, {"description": _TEXT, "parameters": _OBJECT})
_OPTIONS = Record({}, {"think": _FLAG, "schema": _OBJECT})
_USAGE = Record({"prompt": _NUMBER, "completion": _NUMBER, "total": _NUMBER})
_RESULT = Record({"content": _TEXT}, {"thinking": _TEXT, "tools": ArrayOf(_CALL), "usage": _USAGE})


def _message(call: Record, *, extensible: bool = False) -> Record:
    optional: dict[str, Form] = {"calls": ArrayOf(call), "images": ArrayOf(_TEXT)}
    return Record({"id": _TEXT, "role": _ROLE, "content": _TEXT}, optional, extensible)


def _frame(channel: str, **others: Form) -> Record:
    return Record({"channel": OneOf((channel,)), **others})


_MESSAGE = _message(_CALL)
_LOCAL_MESSAGE = _message(_LOCAL_CALL, extensible=True)
_REQUEST = Record({"messages": ArrayOf(_MESSAGE)}, {"tools": ArrayOf(_TOOL), "options": _OPTIONS})
_FRAME = ByMember(
    "channel",
    {
        "content": _frame("content", text=_TEXT),
        "thinking": _frame("thinking", text=_TEXT),
        "result": _frame("result", result=_RESULT),
        "abort": _frame("abort", partial=_RESULT),
        "error": _frame("error", message=_TEXT),
    },
)


class WireContract(Generic[T]):
    """A guard that accepts exactly the declared members, and a parser that drops the others. Neither coerces or raises.

    Both look at plain data: `dict`, `list`, `str`, `bool`, `int`, `float` and `None` themselves, no subclasses.
    """

    def __init__(self, form: Form, model: Callable[[Any], T]) -> None:
        self._form = form
        self._model = model

    def is_valid(self, value: object) -> bool:
        """Whether this may travel as it is (FRM-EXTRA-REFUSED, FRM-NO-COERCION, FRM-GUARD-TOTAL)."""
        return self._form.fits(value)

    def parse(self, value: object) -> T | None:
        """The value without undeclared members at any level; None where the rest does not fit (FRM-PARSER-REFUSES)."""
        kept = self._form.kept(value)
        return self._model(kept) if self._form.fits(kept) else None


message_contract = WireContract(_MESSAGE, Message.model_validate)
provider_request_contract = WireContract(_REQUEST, ProviderRequest.model_validate)
provider_result_contract = WireContract(_RESULT, ProviderResult.model_validate)
_frames: TypeAdapter[RelayFrame] = TypeAdapter(RelayFrame)
relay_frame_contract = WireContract(_FRAME, _frames.validate_python)


def is_message(value: object) -> bool:
    """Whether this is a message within a program: arguments may hold what is not JSON, and further members are ignored.

    Roles and images are checked as on the wire (FRM-DOMAIN-WIDER).
    """
    return _LOCAL_MESSAGE.fits(value)
