"""Scripts in files: what a simulated vendor answers, written as YAML or JSON by people."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from agentports.sim.replies import Disconnect, Event, Hang, Pause, Play, Reset, Step
from agentports.sim.requests import RecordedRequest
from agentports.sim.turns import Block, Text, Thinking, TokenCounts, ToolCall, Turn, VendorError
from agentports.sim.upstream import Answer

__all__ = ["ScriptError", "echo", "read_script"]

_ENDS: Mapping[str, Step] = {"disconnect": Disconnect(), "reset": Reset(), "hang": Hang()}
_TURN_KEYS = {"text", "thinking", "calls", "usage", "stop", "ref"}
_PLAY_KEYS = {"pause", "then", "after"}
#: What stands for the vendor's signatures, which it demands back; of several calls in a turn it signs the first.
_SIGNATURE = "c2ltdWxhdGVk"


class ScriptError(ValueError):
    """A script file that cannot be followed; the message says where and why."""


def read_script(path: Path) -> list[Answer]:
    """The answers of a script file, a list of mappings.

    A turn has `text` (a text, or the list of its pieces), `thinking`, `calls` (each `id`, `name`, `arguments`),
    `usage` (`input`, `output`, `cache_read`, `cache_write`, `thinking`; null for none), `stop`, `ref`; and for
    streams `pause` (seconds before each event), `then` (`disconnect`, `reset` or `hang`) with `after` (events sent
    before it). Thinking and the first call are signed, where the vendor signs. An error is `error` with `status`,
    `message`, `type`, `code`, `param`, `headers`. Raises `ScriptError`.
    """
    try:
        text = path.read_text("utf-8")
        content = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except OSError as error:
        raise ScriptError(f"cannot be read: {error.strerror or error}") from None
    except (ValueError, yaml.YAMLError) as error:
        raise ScriptError(f"is not valid {'JSON' if path.suffix == '.json' else 'YAML'}: {error}") from None
    if not isinstance(content, list) or not content:
        raise ScriptError("must be a list of answers, such as `- text: Hello there`")
    return [_answer(number, entry) for number, entry in enumerate(content, 1)]


def echo(request: RecordedRequest) -> Turn:
    """An answer that repeats the last message of a request, on any wire."""
    said = _last_text(request.json)
    return Turn((Text(said or "(nothing was said)"),), TokenCounts(len(said.split()), len(said.split())))


def _answer(number: int, entry: Any) -> Answer:
    if not isinstance(entry, Mapping):
        raise ScriptError(f"answer {number}: must be a mapping, not {entry!r}")
    if "error" in entry:
        refused: VendorError = _checked(number, lambda: _error(entry["error"]))
        return refused
    unknown = sorted(set(entry) - _TURN_KEYS - _PLAY_KEYS)
    if unknown:
        known = ", ".join(sorted(_TURN_KEYS | _PLAY_KEYS | {"error"}))
        raise ScriptError(f"answer {number}: unknown key {', '.join(unknown)}; the keys are {known}")
    turn: Turn = _checked(number, lambda: _turn(entry))
    return _play(number, turn, entry) if _PLAY_KEYS & set(entry) else turn


def _checked(number: int, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        what = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise ScriptError(f"answer {number}: {what}") from None


def _turn(entry: Mapping[str, Any]) -> Turn:
    blocks: list[Block] = [Thinking(str(entry["thinking"]), _SIGNATURE)] if entry.get("thinking") else []
    blocks += [_text(entry["text"])] if entry.get("text") else []
    blocks += [_call(call, signed=not at) for at, call in enumerate(entry.get("calls") or ())]
    usage = entry.get("usage", {})
    counts = None if usage is None else TokenCounts(**usage)
    return Turn(tuple(blocks), counts, entry.get("stop"), entry.get("ref", "resp-1"))


def _call(call: Mapping[str, Any], *, signed: bool) -> ToolCall:
    return ToolCall(call.get("id"), call["name"], call.get("arguments", {}), meta=_SIGNATURE if signed else None)


def _text(text: str | Sequence[str]) -> Text:
    if isinstance(text, str):
        return Text(text)
    pieces = [str(piece) for piece in text]
    lengths = [len(piece) for piece in pieces[:-1]]
    return Text("".join(pieces), tuple(sum(lengths[: i + 1]) for i in range(len(lengths))))


def _error(entry: Mapping[str, Any]) -> VendorError:
    headers = tuple((str(k), str(v)) for k, v in (entry.get("headers") or {}).items())
    return VendorError(**{**entry, "headers": headers})


def _play(number: int, turn: Turn, entry: Mapping[str, Any]) -> Play:
    then = entry.get("then")
    if then is not None and then not in _ENDS:
        raise ScriptError(f"answer {number}: `then` must be one of {', '.join(_ENDS)}, not {then!r}")
    pause, after = entry.get("pause", 0), entry.get("after", 2)
    if not isinstance(pause, int | float) or pause < 0:
        raise ScriptError(f"answer {number}: `pause` must be a number of seconds, not {pause!r}")
    if not isinstance(after, int) or after < 0:
        raise ScriptError(f"answer {number}: `after` must be a number of events, not {after!r}")

    def edit(events: list[Event]) -> list[Event | Step]:
        kept: list[Event | Step] = [*(events if then is None else events[:after])]
        paced = [part for event in kept for part in ((Pause(pause), event) if pause else (event,))]
        return paced if then is None else [*paced, _ENDS[then]]

    return Play(turn, edit=edit)


def _last_text(body: Any) -> str:
    if not isinstance(body, Mapping):
        return ""
    messages = next((body[key] for key in ("messages", "input", "contents") if body.get(key)), "")
    return _strings(messages[-1] if isinstance(messages, list) else messages).strip()


def _strings(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return " ".join(filter(None, map(_strings, value)))
    if isinstance(value, Mapping):
        return _strings([value[key] for key in ("content", "parts", "text", "output") if key in value])
    return ""
