from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import pytest

from agentports.ports import (
    OPTIONAL_CAPABILITIES,
    LLMProvider,
    PromptCaching,
    StreamingProvider,
    ThinkingBlock,
    carried_roles,
    forced_tool_choice_for,
    native_output_schema_for,
)
from agentports.resilience import with_circuit_breaker, with_fallback, with_retry

from .scripted import Scripted

WRAPPERS = [with_retry, with_circuit_breaker]
ROLES = [
    None,
    *(roles for size in range(4) for roles in itertools.combinations(("system", "user", "assistant"), size)),
]
MODELS = ["a", "b", "c", "d", ""]


class Tagged:
    """Knows one shape of raw thinking."""

    def __init__(self, tag: str) -> None:
        self.id = tag
        self.provider_names = [tag, "shared"]

    def normalize(self, raw: Any) -> list[ThinkingBlock]:
        return [ThinkingBlock(content=raw[self.id])] if self.id in raw else []


CAPABLE: dict[str, Any] = {
    "prompt_caching": PromptCaching(mode="markers", reports_usage=True, max_markers=4),
    "thinking_handler": Tagged("t"),
    "thinking_mode": lambda model: "adaptive",
    "carries_in_messages": ("system",),
    "carries_forced_tool_choice": True,
    "supports_forced_tool_choice": lambda model: model == "a",
    "carries_native_output_schema": False,
    "supports_native_output_schema": lambda model: False,
}

NOTHING: dict[str, Any] = dict.fromkeys([*OPTIONAL_CAPABILITIES, "stream"])


def test_the_table_of_capabilities_is_complete() -> None:
    assert set(CAPABLE) == set(OPTIONAL_CAPABILITIES)


# ---- one provider


@pytest.mark.parametrize("wrap", WRAPPERS)
@pytest.mark.parametrize("missing", [*OPTIONAL_CAPABILITIES, None])
def test_each_member_is_carried_over_alone(wrap: Any, missing: str | None) -> None:
    inner = Scripted(**{name: value for name, value in CAPABLE.items() if name != missing})
    subject = wrap(inner)
    for name, value in CAPABLE.items():
        if name == missing:
            assert not hasattr(subject, name)
        else:
            assert getattr(subject, name) is value


@pytest.mark.parametrize("wrap", WRAPPERS)
@pytest.mark.parametrize("inner", [Scripted(), Scripted(**NOTHING)])
def test_absent_stays_absent(wrap: Any, inner: Scripted) -> None:
    subject = wrap(wrap(inner))
    assert [name for name in [*OPTIONAL_CAPABILITIES, "stream"] if hasattr(subject, name)] == []
    assert isinstance(subject, LLMProvider)
    assert not isinstance(subject, StreamingProvider)


@pytest.mark.parametrize("wrap", WRAPPERS)
def test_stream_is_present_where_the_inner_one_is(wrap: Any) -> None:
    assert isinstance(wrap(Scripted(streams=[[]])), StreamingProvider)


class Callables:
    """The ways in which a provider may hold a function of one model id."""

    asked: list[tuple[Any, ...]]

    def __init__(self) -> None:
        self.asked = []

    def method(self, *arguments: Any) -> str:
        self.asked.append(arguments)
        return f"mode of {arguments[0]}"

    def __call__(self, *arguments: Any) -> str:
        return self.method(*arguments)


@pytest.mark.parametrize("wrap", WRAPPERS)
@pytest.mark.parametrize("way", ["function", "bound method", "staticmethod", "partial", "object", "method of class"])
def test_per_model_functions_are_values(wrap: Any, way: str) -> None:
    held = Callables()
    inner = Scripted()
    if way == "staticmethod":
        inner = type("Inner", (Scripted,), {"thinking_mode": staticmethod(held)})()
    elif way == "method of class":
        inner = type("Inner", (Scripted,), {"thinking_mode": lambda self, *arguments: held(*arguments)})()
    else:
        ways = {
            "function": lambda *arguments: held(*arguments),
            "bound method": held.method,
            "partial": partial(Callables.method, held),
            "object": held,
        }
        inner.thinking_mode = ways[way]  # type: ignore[attr-defined]
    subject = wrap(wrap(inner))
    taken_off = subject.thinking_mode
    other = type("Other", (), {})()
    other.thinking_mode = taken_off
    assert subject.thinking_mode("m") == taken_off("m") == other.thinking_mode("m") == "mode of m"
    assert held.asked == [("m",)] * 3


def test_names() -> None:
    inner = Scripted(name="p")
    assert with_retry(inner).name == "p+retry"
    assert with_circuit_breaker(inner).name == "p"
    assert with_fallback(inner, Scripted(name="f")).name == "p|f"


@pytest.mark.parametrize("stack", list(itertools.product(WRAPPERS, repeat=3)))
def test_capabilities_come_through_stacks(stack: tuple[Any, ...]) -> None:
    subject: Any = Scripted(streams=[[]], **CAPABLE)
    for wrap in stack:
        subject = wrap(subject)
    assert all(getattr(subject, name) is value for name, value in CAPABLE.items())
    assert isinstance(subject, StreamingProvider)


# ---- a pair


@pytest.mark.parametrize(("first", "second"), list(itertools.product(ROLES, ROLES)))
def test_a_pair_carries_the_roles_of_both(first: Any, second: Any) -> None:
    primary, fallback = Scripted(carries_in_messages=first), Scripted(carries_in_messages=second)
    subject: Any = with_fallback(primary, fallback)
    both = set(carried_roles(primary)) & set(carried_roles(fallback))
    assert subject.carries_in_messages == tuple(role for role in carried_roles(primary) if role in both)


ABSENT = object()
FLAGS = [True, False, None, ABSENT]
PREDICATES: list[Any] = [None, lambda model: model in "ab", lambda model: model in "bc", lambda model: 1]


@pytest.mark.parametrize("kind", ["forced_tool_choice", "native_output_schema"])
@pytest.mark.parametrize("flags", list(itertools.product(FLAGS, FLAGS)))
@pytest.mark.parametrize("predicates", list(itertools.product(PREDICATES, PREDICATES)))
def test_a_pair_claims_what_both_sides_keep(kind: str, flags: Any, predicates: Any) -> None:
    read = forced_tool_choice_for if kind == "forced_tool_choice" else native_output_schema_for
    sides = []
    for flag, predicate in zip(flags, predicates, strict=True):
        members = {f"carries_{kind}": flag, f"supports_{kind}": predicate}
        sides.append(Scripted(**{name: value for name, value in members.items() if value is not ABSENT}))
    subject = with_fallback(*sides)
    assert getattr(subject, f"carries_{kind}") is (flags == (True, True))
    assert hasattr(subject, f"supports_{kind}") == (predicates != (None, None))
    for model in MODELS:
        assert read(subject, model) == (read(sides[0], model) and read(sides[1], model))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("none", "none", "none"),
        ("none", "budget", "none"),
        ("adaptive", "none", "none"),
        ("adaptive", "budget", "adaptive"),
        ("budget", "adaptive", "adaptive"),
        ("budget", "budget", "budget"),
        ("adaptive", "adaptive", "adaptive"),
        ("adaptive", None, "adaptive"),
        (None, "none", "none"),
        (None, None, None),
    ],
)
def test_thinking_mode_of_a_pair(first: str | None, second: str | None, expected: str | None) -> None:
    sides = [
        Scripted()
        if mode is None
        else Scripted(thinking_mode=lambda model, mode=mode: mode if model == "m" else "none")
        for mode in (first, second)
    ]
    subject: Any = with_fallback(*sides)
    if expected is None:
        assert not hasattr(subject, "thinking_mode")
    else:
        assert subject.thinking_mode("m") == expected
        assert subject.thinking_mode("other") == "none"


def test_thinking_handler_of_a_pair() -> None:
    first, second = Tagged("x"), Tagged("y")

    def handler(one: Any, other: Any) -> Any:
        return getattr(
            with_fallback(Scripted(thinking_handler=one), Scripted(thinking_handler=other)), "thinking_handler", None
        )

    assert handler(first, first) is first
    assert handler(first, None) is first
    assert handler(None, first) is first
    assert handler(None, None) is None
    both = handler(first, second)
    assert both.normalize({"x": "1"}) == first.normalize({"x": "1"})
    assert both.normalize({"y": "2"}) == second.normalize({"y": "2"})
    assert both.normalize({"x": "1", "y": "2"}) == first.normalize({"x": "1"})
    assert both.normalize({}) == []
    assert both.id == "x|y"
    assert tuple(both.provider_names) == ("x", "shared", "y")


def test_prompt_caching_of_a_pair() -> None:
    def caching(one: Any, other: Any) -> Any:
        return getattr(
            with_fallback(Scripted(prompt_caching=one), Scripted(prompt_caching=other)), "prompt_caching", None
        )

    markers = PromptCaching(mode="markers", reports_usage=True)
    assert caching(markers, PromptCaching(mode="markers", reports_usage=True)) == markers
    assert caching(markers, PromptCaching(mode="automatic", reports_usage=True)) is None
    assert caching(markers, None) is None
    assert caching(None, markers) is None
    assert caching(None, None) is None


@pytest.mark.parametrize(("first", "second"), list(itertools.product([True, False], repeat=2)))
def test_a_pair_streams_when_a_side_does(first: bool, second: bool) -> None:
    sides = [Scripted(streams=[[]] if streams else None) for streams in (first, second)]
    assert hasattr(with_fallback(*sides), "stream") == (first or second)
    assert hasattr(with_fallback(Scripted(stream=None), Scripted(stream=None)), "stream") is False
