"""An error classifier by another hand: recursive, one pattern, a class of its own, and the documented wordings only."""

from __future__ import annotations

import math
import re
from typing import Any

from agentports.providers import ScriptedProvider

__all__ = ["Documented", "TooLong"]

_WORDINGS = (
    "context_length_exceeded",
    "maximum context length",
    "prompt is too long",
    r"exceeds?\s+context\s+limit",
    r"input\s+(?:is\s+)?too long for (?:the )?requested model",
    "input tokens exceed the configured limit",
    "exceeds? the maximum (?:allowed )?(?:number of )?input tokens",
    r"input token count[^.]{0,80}exceeds the maximum number of tokens allowed",
)
_ANY = re.compile("|".join(_WORDINGS), re.IGNORECASE | re.ASCII)
_N = r"\s*([0-9,_]+)\s*"
_PAIR = re.compile(rf"prompt is too long:{_N}tokens?\s*>{_N}", re.IGNORECASE | re.ASCII)
_SUM = re.compile(rf"exceeds? context limit:{_N}\+{_N}>{_N}", re.IGNORECASE | re.ASCII)
_GEMINI = re.compile(
    r"input token count\s*(?:\(\s*([0-9,_]*)\s*\))?[^.]{0,80}?exceeds the maximum number of tokens allowed"
    r"\s*(?:\(\s*([0-9,_]*)\s*\))?",
    re.IGNORECASE | re.ASCII,
)
_LIMITS = [f"maximum context length is{_N}", f"configured limit of{_N}", f"limit of{_N}tokens"]
_ACTUALS = [
    f"resulted in{_N}tokens",
    rf"requested\s*(?:about)?{_N}tokens",
    f"you (?:sent|submitted|provided){_N}tokens",
]


class TooLong(RuntimeError):
    """Recognised by its code alone."""

    code = "ERR_CONTEXT_WINDOW_EXCEEDED"

    def __init__(self, provider: str, said: str, sizes: tuple[int | None, int | None], status: Any, cause: Any) -> None:
        limit, actual = sizes
        stated = [f"{actual:,} tokens were sent"] if actual else []
        stated += [f"the limit is {limit:,} tokens"] if limit else []
        super().__init__(
            f"{provider}: too much for the context window. {'; '.join(stated)}. Nothing was generated, and to send it "
            "again fails again.\n1. Cap what tools return.\n2. Drop old rounds by a sliding window.\n"
            f"3. Compaction; it cannot fold a span that is larger than the window itself.\n{said}"
        )
        self.provider, self.status, self.cause = provider, status, cause
        self.limit_tokens, self.actual_tokens = limit, actual
        self.__cause__ = cause


def _member(node: Any, name: str) -> Any:
    try:
        return node.get(name) if hasattr(node, "keys") else getattr(node, name, None)
    except Exception:
        return None


def _walked(node: Any, above: tuple[Any, ...] = ()) -> list[str]:
    if node is None or len(above) == 4 or any(node is seen for seen in above):
        return []
    if isinstance(node, str):
        return [node]
    said = [_member(node, name) for name in ("message", "code", "type", "name")]
    if isinstance(node, BaseException):
        try:
            said.insert(0, str(node))
        except Exception:
            said.insert(0, None)
        said.append(type(node).__name__)
    below = next(
        (v for name in ("error", "body", "cause", "__cause__") if (v := _member(node, name)) is not None), None
    )
    return [text for text in said if isinstance(text, str)] + _walked(below, (*above, node))


def _number(digits: str | None) -> int | None:
    plain = re.sub("[,_]", "", digits or "")
    return int(plain) or None if 0 < len(plain) < 300 else None


def _sizes(text: str) -> tuple[int | None, int | None]:
    if found := _PAIR.search(text):
        return _number(found[2]), _number(found[1])
    if found := _SUM.search(text):
        given, wanted = _number(found[1]), _number(found[2])
        return _number(found[3]), given + wanted if given and wanted else None
    if found := _GEMINI.search(text):
        return _number(found[2]), _number(found[1])
    return _first(_LIMITS, text), _first(_ACTUALS, text)


def _first(patterns: list[str], text: str) -> int | None:
    found = (re.search(pattern, text, re.IGNORECASE | re.ASCII) for pattern in patterns)
    return next((_number(match[1]) for match in found if match), None)


def _status(err: Any, stated: Any) -> int | None:
    response = _member(err, "response")
    metadata = _member(response, "ResponseMetadata")
    own = [_member(err, "status"), _member(err, "status_code"), _member(_member(err, "$metadata"), "httpStatusCode")]
    theirs = [_member(metadata, "HTTPStatusCode"), _member(response, "status"), _member(response, "status_code")]
    for value in [*own, *theirs, stated]:
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return int(value)
    leading = re.match(r"\s*(4[0-9][0-9])\b", next(iter(_walked(err)), ""), re.ASCII)
    return int(leading[1]) if leading else None


class Documented(ScriptedProvider):
    """A provider that exposes this classifier."""

    def __init__(self) -> None:
        super().__init__([])

    @staticmethod
    def is_context_window_exceeded(err: Any) -> bool:
        return isinstance(err, BaseException) and _member(err, "code") == TooLong.code

    @classmethod
    def looks_like_context_window_exceeded(cls, err: Any, body_text: str | None = None) -> bool:
        return cls.is_context_window_exceeded(err) or _ANY.search(_text(err, body_text)) is not None

    @classmethod
    def as_context_window_exceeded(
        cls, err: Any, *, provider: str, body_text: str | None = None, status: int | None = None
    ) -> Any:
        text = _text(err, body_text)
        if cls.is_context_window_exceeded(err) or not _ANY.search(text):
            return err if cls.is_context_window_exceeded(err) else None
        cause = err if isinstance(err, BaseException) else None
        return TooLong(provider, text, _sizes(text), _status(err, status), cause)


def _text(err: Any, body_text: str | None) -> str:
    return " • ".join([*([body_text] if body_text else []), *_walked(err)])
