"""The request: exactly the declared members, of exactly their types."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

from portproof.benches.relay.bench import MESSAGE, MINIMAL, RelayBench
from portproof.checks.registry import check
from portproof.strategies import names
from portproof.strategies.relays import ROLES, open_objects, relay_requests

Path = tuple[str | int, ...]

#: A request with every declared member.
_WHOLE: Any = {
    "messages": [
        {**MESSAGE, "images": ["aGk=", ""]},
        {**MESSAGE, "role": "assistant", "calls": [{"id": "c", "name": "look", "arguments": {"at": 1}}]},
    ],
    "tools": [{"name": "look", "description": "Looks.", "parameters": {"type": "object"}}],
    "options": {"think": True, "schema": {"type": "object"}},
}
_CALL: Path = ("messages", 1, "calls", 0)
_TOOL: Path = ("tools", 0)
_OPTIONS: Path = ("options",)
_OBJECTS: Sequence[Path] = ((*_CALL, "arguments"), (*_TOOL, "parameters"), (*_OPTIONS, "schema"))
_LEVELS: Sequence[Path] = ((), ("messages", 0), _CALL, _TOOL, _OPTIONS)
_OPTIONAL: Sequence[Path] = (
    ("tools",),
    _OPTIONS,
    ("messages", 0, "images"),
    ("messages", 1, "calls"),
    (*_TOOL, "description"),
    (*_TOOL, "parameters"),
    (*_OPTIONS, "think"),
    (*_OPTIONS, "schema"),
)
_TEXTS: Sequence[Path] = (
    ("messages", 0, "id"),
    ("messages", 0, "role"),
    ("messages", 0, "content"),
    ("messages", 0, "images", 1),
    (*_CALL, "id"),
    (*_CALL, "name"),
    (*_TOOL, "name"),
    (*_TOOL, "description"),
)
_NO_TEXT: Sequence[Any] = (1, 0, 1.5, True, None, [], ["x"], {}, {"x": "y"})
_NO_OBJECT: Sequence[Any] = ([], [["a", 1]], "x", "{}", 1, True, None)
_NO_FLAG: Sequence[Any] = (1, 0, "true", "false", "", None, [], {})


def _altered(path: Path, value: Any, whole: Any = _WHOLE) -> Any:
    """The request with something else in one place."""
    if not path:
        return value
    changed = copy.copy(whole)
    below = whole[path[0]] if isinstance(path[0], int) else whole.get(path[0])
    changed[path[0]] = _altered(path[1:], value, below)
    return changed


def _without(path: Path) -> Any:
    changed = copy.deepcopy(_WHOLE)
    above = changed
    for step in path[:-1]:
        above = above[step]
    del above[path[-1]]
    return changed


def _told(path: Path) -> str:
    return ".".join(map(str, path)) or "the request"


async def _refuse_each(bench: RelayBench, path: Path, values: Sequence[Any]) -> None:
    for value in values:
        await bench.refuses(_altered(path, value), 400, f"with {value!r} as {_told(path)}")


def _retyped() -> Iterator[tuple[Path, Any]]:
    """Each scalar as each other type that a lax reader takes for it."""
    for path in _TEXTS:
        yield from ((path, value) for value in (1, 1.5, True))
    yield from (((*_OPTIONS, "think"), value) for value in (1, 0, 1.0, "true", "1", "on"))
    yield from (((*_OPTIONS,), value) for value in ([["think", True]], '{"think":true}'))
    yield from ((("messages",), value) for value in ({"0": dict(MESSAGE)}, '[{"id":"1"}]'))


@check("FRM-REQUEST-MINIMAL")
async def messages_are_all_that_is_needed(bench: RelayBench) -> None:
    await bench.accepts(MINIMAL, "an empty conversation")
    await bench.accepts({"messages": [dict(MESSAGE)]}, "one message")
    for written in (b' \r\n{ "messages" :\t[ ] }\n', b'{"mess\\u0061ges":[]}'):
        await bench.accepts_bytes(written, MINIMAL, "an empty conversation, written in another way")


@check("FRM-REQUEST-FULL", request=relay_requests())
async def every_declared_member_is_taken(bench: RelayBench, request: dict[str, Any]) -> None:
    await bench.accepts(request, "a valid request")
    await bench.accepts(_WHOLE, "a request with every member")
    empty = {**MESSAGE, "content": "", "id": "", "calls": [], "images": []}
    await bench.accepts(
        {"messages": [empty], "tools": [{"name": "", "description": "", "parameters": {}}], "options": {}},
        "a request with empty members",
    )


@check("FRM-REQUEST-MISSING")
async def a_request_has_an_array_of_messages(bench: RelayBench) -> None:
    values: Sequence[Any] = ({}, [], [[]], "x", "", 1, 0, True, None, {"tools": []}, {"Messages": []})
    for value in values:
        await bench.refuses(value, 400, f"with {value!r} as the request")
    await _refuse_each(bench, ("messages",), ({}, "x", 1, True, None, [None], ["x"], [[]], [dict(MESSAGE), 1]))


@check("FRM-EXTRA-REFUSED", name=names(), value=st.sampled_from([1, "x", None, True, [], {}]))
async def no_other_member_is_taken(bench: RelayBench, name: str, value: Any) -> None:
    for level in _LEVELS:
        for extra in (f"x{name}", "caller", "signal"):
            await bench.refuses(
                _altered((*level, extra), value), 400, f"with the further member {extra} of {_told(level)}"
            )


@check("FRM-OPEN-OBJECTS", value=open_objects())
async def objects_may_have_any_members(bench: RelayBench, value: dict[str, Any]) -> None:
    for path in _OBJECTS:
        await bench.accepts(_altered(path, value | {"id": [None, {"role": 1}]}), f"with any members in {_told(path)}")


@check("FRM-OBJECTS-ONLY")
async def arguments_parameters_and_schema_are_objects(bench: RelayBench) -> None:
    for path in _OBJECTS:
        await _refuse_each(bench, path, _NO_OBJECT)


@check("FRM-NULL-REFUSED")
async def null_is_not_absence(bench: RelayBench) -> None:
    for path in _OPTIONAL:
        await bench.refuses(_altered(path, None), 400, f"with null as {_told(path)}")
        await bench.accepts(_without(path), f"without {_told(path)}")


@check("FRM-ROLE")
async def a_role_is_one_of_four(bench: RelayBench) -> None:
    path: Path = ("messages", 0, "role")
    for role in ROLES:
        await bench.accepts(_altered(path, role), f"with the role {role}")
    odd = ("User", "USER", " user", "user ", "developer", "function", "", "user\n", "model", 0, 1.5, None, True)
    await _refuse_each(bench, path, (*odd, [], ["user"], {}, {"user": 1}))


@check("FRM-MESSAGE-FIELDS")
async def a_message_has_id_role_and_content(bench: RelayBench) -> None:
    for name in ("id", "role", "content"):
        path: Path = ("messages", 0, name)
        await bench.refuses(_without(path), 400, f"without {_told(path)}")
        await _refuse_each(bench, path, _NO_TEXT)
    await _refuse_each(bench, ("messages", 0, "content"), ([{"type": "text", "text": "x"}],))


@check("FRM-IMAGES", at=st.integers(0, 3), other=st.sampled_from([1, 1.5, True, None, [], {}, ["x"], {"url": "x"}]))
async def images_are_texts(bench: RelayBench, at: int, other: Any) -> None:
    path: Path = ("messages", 0, "images")
    for images in ([], ["a"], ["", "b", "c"]):
        await bench.accepts(_altered(path, images), f"with {images} as images")
    texts: list[Any] = ["a", "b", "c"]
    await _refuse_each(bench, path, ([*texts[:at], other, *texts[at:]], "a", {"0": "a"}, 1))


@check("FRM-CALL-FIELDS")
async def a_call_has_id_name_and_arguments(bench: RelayBench) -> None:
    for name in ("id", "name", "arguments"):
        await bench.refuses(_without((*_CALL, name)), 400, f"without the {name} of a call")
    for name in ("id", "name"):
        await _refuse_each(bench, (*_CALL, name), _NO_TEXT)
    await _refuse_each(bench, (*_CALL, "arguments"), _NO_OBJECT)
    for extra in ("caller", "context", "type"):
        await bench.refuses(_altered((*_CALL, extra), "x"), 400, f"with the further member {extra} of a call")
    await _refuse_each(bench, _CALL[:-1], ({}, "x", [1], [[]], [None]))


@check("FRM-TOOL-FIELDS")
async def a_tool_has_a_name_and_perhaps_more(bench: RelayBench) -> None:
    await bench.refuses(_without((*_TOOL, "name")), 400, "without the name of a tool")
    await _refuse_each(bench, (*_TOOL, "name"), _NO_TEXT)
    await _refuse_each(bench, (*_TOOL, "description"), _NO_TEXT)
    await _refuse_each(bench, (*_TOOL, "parameters"), _NO_OBJECT)
    vendors = {"type": "function", "function": {"name": "look", "parameters": {}}}
    await _refuse_each(bench, _TOOL, (vendors, {"type": "function", "name": "look"}, "look", None, []))
    await _refuse_each(bench, ("tools",), ({}, "look", 1, {"look": {}}))
    await bench.accepts(_altered(_TOOL, {"name": "look"}), "with a tool that has only a name")
    await bench.accepts(_altered(("tools",), []), "with no tools")


@check("FRM-OPTIONS-FIELDS")
async def options_are_think_and_schema(bench: RelayBench) -> None:
    await _refuse_each(bench, (*_OPTIONS, "think"), _NO_FLAG)
    await _refuse_each(bench, (*_OPTIONS, "schema"), _NO_OBJECT)
    await _refuse_each(bench, _OPTIONS, ([], "x", 1, True, {"temperature": 1}, {"think": True, "Schema": {}}))
    taken: Sequence[Any] = ({}, {"think": False}, {"schema": {}})
    for options in taken:
        await bench.accepts(_altered(_OPTIONS, options), f"with the options {options}")


@check("FRM-NO-COERCION")
async def no_value_is_taken_for_another(bench: RelayBench) -> None:
    for path, value in _retyped():
        await bench.refuses(_altered(path, value), 400, f"with {value!r} as {_told(path)}")
