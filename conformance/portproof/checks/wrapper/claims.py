"""What providers declare: inner providers that hold it, and reading it off a wrapper, whatever that is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError

from agentports.ports import PromptCaching, carried_roles, forced_tool_choice_for, native_output_schema_for
from portproof.benches.wrapper import WrapperBench
from portproof.probes import InstrumentedProvider
from portproof.running.outcome import NotApplicable, NotTested, Violation, expect, expect_equal
from portproof.running.plain import plain, told
from portproof.strategies.capabilities import PerModel, TaggedHandler
from portproof.subjects.driver import Driver

__all__ = [
    "Members",
    "answer",
    "caching_of",
    "declaring",
    "expect_same_answers",
    "expect_same_claims",
    "expect_same_handler",
    "forced_for",
    "models_in",
    "native_for",
    "normalised",
    "reading",
    "roles_of",
    "thinking_values",
]

#: Declared members by name; a name that is missing is a member that is absent.
Members = Mapping[str, Any]


def declaring(bench: WrapperBench, members: Members, **kwargs: Any) -> InstrumentedProvider:
    """An inner provider with these members, each held in the form that was drawn."""
    held = {name: value.held() if hasattr(value, "held") else value for name, value in members.items()}
    on_class = {name: value for name, value in held.items() if isinstance(value, staticmethod)}
    provider = bench.inner(**{name: value for name, value in held.items() if name not in on_class}, **kwargs)
    if on_class:
        provider.__class__ = type("Inner", (type(provider),), on_class)
    return provider


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn whatever a member raises when it is used into a `Violation`."""
    try:
        yield
    except (Violation, NotApplicable, NotTested):
        raise
    except Exception as error:
        raise Violation(f"{what} raised {told(error)}", raised=plain(error)) from error


def answer(function: Any, model: str, what: str) -> Any:
    """What a per-model function says."""
    with reading(f"{what}({model!r})"):
        return function(model)


def forced_for(wrapper: Driver, model: str) -> bool:
    """`forced_tool_choice_for` of the wrapper."""
    with reading(f"supports_forced_tool_choice({model!r})"):
        return forced_tool_choice_for(wrapper.provider, model)


def native_for(wrapper: Driver, model: str) -> bool:
    """`native_output_schema_for` of the wrapper."""
    with reading(f"supports_native_output_schema({model!r})"):
        return native_output_schema_for(wrapper.provider, model)


def roles_of(provider: Any) -> list[str]:
    """The roles that a provider carries, sorted; those of the floor when it does not say."""
    with reading("carries_in_messages"):
        return sorted(set(carried_roles(provider)))


def caching_of(provider: Any) -> Any:
    """How the provider says that it caches, as data; None when it does not."""
    declared = getattr(provider, "prompt_caching", None)
    try:
        return None if declared is None else PromptCaching.model_validate(declared).model_dump(exclude_none=True)
    except ValidationError:
        return plain(declared)


def models_in(members: Iterable[Members], models: Iterable[str]) -> list[str]:
    """The models to ask for: the drawn ones, those that a table knows, and the empty one."""
    tables = [value for declared in members for value in declared.values() if isinstance(value, PerModel)]
    return list(dict.fromkeys([*models, *(model for table in tables for model in table.answers), ""]))


def thinking_values(*handlers: TaggedHandler | None) -> list[Any]:
    """Raw thinking of the shape of each handler, and of shapes that none of them knows."""
    known = [{handler.id: f"thought of {handler.id}"} for handler in handlers if handler is not None]
    return [*known, {"unknown_shape": "x"}, "text", None, []]


def normalised(handler: Any, raw: Any) -> Any:
    """The blocks that a handler makes, as data."""
    with reading("thinking_handler.normalize"):
        return plain(list(handler.normalize(raw)))


def expect_same_answers(wrapper: Driver, inner: Any, member: str, models: Iterable[str]) -> None:
    """A per-model function answers on the wrapper as on the inner provider, and is absent where it is absent."""
    own, original = wrapper.member(member), getattr(inner, member, None)
    if original is None:
        expect(own is None, f"{member} is declared although the inner provider declares none")
        return
    expect(own is not None, f"{member} is absent although the inner provider declares it")
    for model in models:
        expect_equal(answer(own, model, member), original(model), f"{member}({model!r})")


def expect_same_handler(wrapper: Driver, inner: Any, values: Iterable[Any]) -> None:
    """The wrapper's thinking handler is the inner provider's, or does the same."""
    own, original = wrapper.member("thinking_handler"), getattr(inner, "thinking_handler", None)
    if own is original:
        return
    expect(original is not None, "thinking_handler is declared although the inner provider declares none")
    expect(own is not None, "thinking_handler is absent although the inner provider declares it")
    for raw in values:
        expect_equal(normalised(own, raw), normalised(original, raw), "what thinking_handler makes of a value", raw=raw)


def expect_same_claims(wrapper: Driver, inner: Any, models: list[str], values: list[Any]) -> None:
    """The wrapper declares what the inner provider declares, as its readers understand it."""
    expect_equal(wrapper.can_stream, getattr(inner, "stream", None) is not None, "whether stream is present")
    expect_equal(roles_of(wrapper.provider), roles_of(inner), "carries_in_messages")
    for flag in ("carries_forced_tool_choice", "carries_native_output_schema"):
        expect_equal(bool(wrapper.member(flag)), getattr(inner, flag, None) is True, flag)
    for model in models:
        expect_equal(forced_for(wrapper, model), forced_tool_choice_for(inner, model), f"forced choice for {model!r}")
        expect_equal(native_for(wrapper, model), native_output_schema_for(inner, model), f"native output for {model!r}")
    expect_same_answers(wrapper, inner, "thinking_mode", models)
    expect_same_handler(wrapper, inner, values)
    expect_equal(caching_of(wrapper.provider), caching_of(inner), "prompt_caching")
