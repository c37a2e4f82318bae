"""Values from their canonical form (document 30, section 3). Nothing that the data names is imported or called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from agentports.plans._containers import MAX_DEPTH, too_deep
from agentports.plans._json_texts import malformed, read_json
from agentports.plans._unleaves import leaf
from agentports.plans.encoding import encode
from agentports.ports.plans import EncodableValue

__all__ = ["decode"]


def decode(data: bytes) -> EncodableValue:
    """The value that `encode` wrote as these bytes, made anew at each call.

    Raises `EncodingError` for everything else, however little it differs (ENC-DECODE-STRICT), and for what does not
    exist here: a time zone, an offset that its zone no longer has, a pattern that does not compile.
    """
    if not isinstance(data, bytes):
        raise malformed(f"an encoding is bytes, not {type(data).__name__}")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise malformed("the bytes are not UTF-8") from None
    value = _built(read_json(text))
    if encode(value) != data:
        raise malformed("the text is not in canonical form")
    return value


#: A form to be replaced: the list or dict it is in, where in there, and how many containers stand around it.
_Place = tuple[Any, Any, int]


def _built(form: Any) -> Any:
    """Replace all forms by values: leaves on the way in, containers on the way out."""
    root = [form]
    places: list[_Place] = [(root, 0, 1)]
    closing: list[tuple[Any, Any, str]] = []
    while places:
        around, key, depth = places.pop()
        form = around[key]
        tag = _container_tag(form)
        if tag is None:
            around[key] = _leaf(form)
            continue
        if depth > MAX_DEPTH:
            raise too_deep()
        if tag:
            around[key] = form = form[1:]
            closing.append((around, key, tag))
        places += _places(form, tag, depth + 1)
    for around, key, tag in reversed(closing):
        around[key] = _closed(around[key], tag)
    return root[0]


def _container_tag(form: Any) -> str | None:
    """The tag of a container's form, empty for an object; None for a form that is no container."""
    if type(form) is dict:
        return ""
    if type(form) is list and form and type(form[0]) is str and form[0] in _CONTAINERS:
        return form[0]
    return None


def _leaf(form: Any) -> Any:
    if type(form) is int:
        raise malformed("a number stands where a tagged value belongs")
    return leaf(form) if type(form) is list else form


def _places(members: Any, tag: str, depth: int) -> list[_Place]:
    if not tag:
        return [(members, name, depth) for name, form in members.items() if type(form) is not str]
    if tag != "map":
        return [(members, index, depth) for index, form in enumerate(members) if type(form) is not str]
    if any(type(entry) is not list or len(entry) != 2 for entry in members):
        raise malformed("an entry of a map is not a pair")
    return [(entry, index, depth) for entry in members for index in (0, 1)]


def _closed(members: list[Any], tag: str) -> Any:
    try:
        return _CONTAINERS[tag](members)
    except (TypeError, RecursionError):
        raise malformed("members of a set, or keys, that cannot be told apart") from None


_CONTAINERS: Final[dict[str, Callable[[list[Any]], Any]]] = {
    "l": list,
    "t": tuple,
    "set": set,
    "fset": frozenset,
    "map": dict,
}
