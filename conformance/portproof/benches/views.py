"""Third-party answers, read leniently: attributes or keys, so that a check sees what is there and no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from agentports.ports import LLMResponse
from portproof.running.outcome import Violation
from portproof.running.plain import plain

__all__ = ["CallView", "ChunkView", "ResponseView", "UsageView", "members", "read_response", "view"]


def view(value: Any, name: str) -> Any:
    """A member of an object or of a mapping; None when it is not there."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def members(value: Any) -> dict[str, Any]:
    """What an object or a mapping holds, as JSON data; absent and private members are left out."""
    if isinstance(value, Mapping | BaseModel):
        held = dict(value)
    elif hasattr(value, "_asdict"):
        held = value._asdict()
    else:
        slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        held = {name: getattr(value, name, None) for name in (*slots, *getattr(value, "__dict__", ()))}
    return {str(k): plain(v) for k, v in held.items() if v is not None and not str(k).startswith("_")}


@dataclass(frozen=True)
class UsageView:
    """Token counts as they are."""

    input: Any
    output: Any
    cache_read: Any = None
    cache_write: Any = None
    thinking: Any = None


@dataclass(frozen=True)
class CallView:
    """One tool call. `reason` is the failure of its arguments."""

    id: Any
    name: Any
    args: Any
    reason: Any = None
    provider_meta: Any = None


class ResponseView:
    """A response of any make; `raw` is the object itself."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw

    def __repr__(self) -> str:
        return f"ResponseView({self.raw!r})"

    @property
    def content(self) -> Any:
        return view(self.raw, "content")

    @property
    def calls(self) -> list[CallView]:
        return [_call(call) for call in view(self.raw, "tool_calls") or ()]

    @property
    def usage(self) -> UsageView:
        usage = view(self.raw, "usage")
        return UsageView(*(view(usage, name) for name in ("input", "output", "cache_read", "cache_write", "thinking")))

    @property
    def stop_reason(self) -> Any:
        return view(self.raw, "stop_reason")

    @property
    def provider_ref(self) -> Any:
        return view(self.raw, "provider_ref")

    @property
    def raw_thinking(self) -> Any:
        return view(self.raw, "raw_thinking")

    @property
    def manifest(self) -> Any:
        return view(self.raw, "wire_manifest")

    @property
    def replay(self) -> Any:
        return view(self.raw, "replay")

    @property
    def replay_omissions(self) -> Any:
        return view(self.raw, "replay_omissions")


@dataclass(frozen=True)
class ChunkView:
    """One chunk of a stream as it is."""

    token_index: Any
    content: Any
    done: Any
    thinking_delta: Any
    response: Any
    raw: Any

    @classmethod
    def of(cls, raw: Any) -> ChunkView:
        """Read a chunk."""
        fields = {name: view(raw, name) for name in ("token_index", "content", "done", "thinking_delta", "response")}
        return cls(**fields, raw=raw)


def _call(raw: Any) -> CallView:
    failure = view(raw, "arguments_failure")
    reason = None if failure is None else view(failure, "reason")
    return CallView(view(raw, "id"), view(raw, "name"), view(raw, "args"), reason, view(raw, "provider_meta"))


def read_response(raw: Any) -> LLMResponse:
    """The response validated against the contract's model.

    Raises a `Violation` that names the first field that is wrong.
    """
    try:
        return LLMResponse.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the response"
        raise Violation(f"{where}: {first['msg']}", got=raw) from None
