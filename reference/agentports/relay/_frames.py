"""From what an upstream call gives to lines of the relay (document 51, section 3, "Frames")."""

from __future__ import annotations

import json
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Any, Final

from pydantic import BaseModel

from agentports.ports.http import ProviderAbortError, ProviderDelta
from agentports.relay.contracts import relay_frame_contract

__all__ = ["RELAY_PROVIDER_MESSAGE", "line_of", "line_of_failure", "settles"]

#: All that a client learns of a failure upstream.
RELAY_PROVIDER_MESSAGE: Final = "relay provider failed"

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_encode_ascii = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
#: The commonest frames are written without building them.
_STARTS: Final = {"content": '{"channel":"content","text":', "thinking": '{"channel":"thinking","text":'}


class Refused(Exception):
    """The guard of frames does not let this travel."""


def settles(item: object) -> bool:
    """Whether an upstream item is the result and not a delta."""
    if type(item) is ProviderDelta:
        return False
    return "channel" not in item if isinstance(item, Mapping) else not hasattr(item, "channel")


def line_of(item: object) -> bytes:
    """The line of a delta or result.

    Raises `Refused` when the guard refuses it (RLY-DELTA-INVALID, RLY-RESULT-INVALID), and what reading it raises.
    """
    if type(item) is ProviderDelta and type(item.text) is str and type(item.channel) is str:
        start = _STARTS.get(item.channel)
        if start is not None:
            return _written(item, start)
    return _line({"channel": "result", "result": _data(item)} if settles(item) else _data(item))


def line_of_failure(failure: BaseException) -> bytes:
    """The line that ends a stream that failed; nothing of the failure is in it but the partial of an abort."""
    if isinstance(failure, ProviderAbortError):
        try:
            return _line({"channel": "abort", "partial": _data(failure.partial)})
        except Exception:
            pass
    return _line({"channel": "error", "message": RELAY_PROVIDER_MESSAGE})


def _data(item: object) -> Any:
    return item.model_dump(warnings=False) if isinstance(item, BaseModel) else item


def _line(frame: Any) -> bytes:
    if not relay_frame_contract.is_valid(frame):
        raise Refused
    try:
        return f"{_encode(frame)}\n".encode()
    except UnicodeEncodeError:
        return f"{_encode_ascii(frame)}\n".encode()


def _written(delta: ProviderDelta, start: str) -> bytes:
    try:
        return f"{start}{encode_basestring(delta.text)}}}\n".encode()
    except UnicodeEncodeError:
        return _line({"channel": delta.channel, "text": delta.text})
