"""What a provider may declare: members present, None and absent, and per-model functions as tables.

The strategies give mappings of members, as keyword arguments for an instrumented provider; a key that is missing is a
member that is absent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from agentports.ports import PromptCaching, ThinkingBlock
from portproof.strategies.text import model_ids, names

__all__ = [
    "CALLABLE_FORMS",
    "PerModel",
    "TaggedHandler",
    "caching",
    "callable_forms",
    "capabilities",
    "declared",
    "flags",
    "handlers",
    "held_as",
    "modes",
    "narrowed",
    "role_sets",
    "tables",
    "together",
    "undeclared",
    "verdicts",
]

CallableForm = Literal["function", "bound method", "staticmethod", "partial", "callable object"]

#: The ways in which a provider may hold a function.
CALLABLE_FORMS: tuple[CallableForm, ...] = ("function", "bound method", "staticmethod", "partial", "callable object")


@dataclass(frozen=True)
class PerModel:
    """A function of a model id, as a table; `form` is how a provider holds it."""

    answers: Mapping[str, Any]
    otherwise: Any
    form: CallableForm = "function"

    def __call__(self, model: str) -> Any:
        return self.answers.get(model, self.otherwise)

    def held(self) -> Any:
        """What the provider's member holds."""
        return held_as(self.form, self)


@dataclass(frozen=True)
class TaggedHandler:
    """A thinking handler that knows one shape of raw thinking: a mapping with its tag as key.

    As a `namespace` it is held as an object without a class of its own, whose members are plain functions.
    """

    id: str
    form: Literal["object", "namespace"] = "object"
    provider_names: tuple[str, ...] = field(default=("inner",))

    def normalize(self, raw: Any) -> list[ThinkingBlock]:
        """One block of the tagged text; nothing for any other shape."""
        known = isinstance(raw, Mapping) and self.id in raw
        return [ThinkingBlock(content=raw[self.id], signature=f"sig-{self.id}")] if known else []

    def held(self) -> Any:
        """What the provider's member holds."""
        if self.form == "object":
            return self
        return SimpleNamespace(
            id=self.id,
            provider_names=list(self.provider_names),
            normalize=lambda raw: self.normalize(raw),
            parse_chunk=lambda chunk: None,
        )


def held_as(form: CallableForm, function: Callable[..., Any]) -> Any:
    """The function as a provider may hold it; a `staticmethod` belongs on the provider's class."""

    def plain(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    if form == "callable object":
        return _Callable(function)
    if form == "bound method":
        return _Callable(function).answer
    if form == "partial":
        return partial(plain)
    return staticmethod(plain) if form == "staticmethod" else plain


class _Callable:
    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def answer(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)


def callable_forms() -> SearchStrategy[CallableForm]:
    """The ways in which a provider may hold a function."""
    return st.sampled_from(CALLABLE_FORMS)


def role_sets() -> SearchStrategy[tuple[str, ...]]:
    """Every subset of the roles, in any order, the empty one included."""
    return st.lists(st.sampled_from(["system", "user", "assistant"]), unique=True, max_size=3).map(tuple)


def declared(member: str, values: SearchStrategy[Any], *, required: bool = False) -> SearchStrategy[dict[str, Any]]:
    """One member: absent, None, or (mostly) one of the values; only these when it is required."""
    present = values.map(lambda value: {member: value})
    if required:
        return present
    ways = {"absent": st.just({}), "none": st.just({member: None}), "value": present}
    return st.sampled_from(["absent", "none", "value", "value", "value"]).flatmap(lambda way: ways[way])


def undeclared(*members: str) -> SearchStrategy[dict[str, Any]]:
    """Members that are absent or None."""
    return together(*(st.sampled_from([{}, {member: None}]) for member in members))


def flags(member: str, *, mostly: bool = False) -> SearchStrategy[dict[str, Any]]:
    """A flag that is True (mostly so, if wanted), False, None or absent."""
    values = [{}, {member: None}, {member: False}, {member: True}]
    return st.sampled_from(values + values[-1:] * (8 if mostly else 0))


def narrowed(flag: str, predicate: str) -> SearchStrategy[dict[str, Any]]:
    """A flag, mostly True, and the predicate that narrows it per model."""
    return together(flags(flag, mostly=True), declared(predicate, verdicts()))


def together(*members: SearchStrategy[dict[str, Any]]) -> SearchStrategy[dict[str, Any]]:
    """Several members in one mapping."""
    return st.tuples(*members).map(lambda drawn: {name: value for part in drawn for name, value in part.items()})


def tables(answers: SearchStrategy[Any]) -> SearchStrategy[PerModel]:
    """Functions of a model id as tables, in every form of callable."""
    # Ids that the tables of two providers have in common, so that they disagree about one often enough.
    common = st.fixed_dictionaries({}, optional=dict.fromkeys(("gpt-4o", "o1", "claude-sonnet-4-5"), answers))
    rows = st.builds(dict.__or__, common, st.dictionaries(model_ids(), answers, max_size=1))
    return st.builds(PerModel, rows, answers, callable_forms())


def verdicts() -> SearchStrategy[PerModel]:
    """Predicates over model ids."""
    return tables(st.booleans())


def modes() -> SearchStrategy[PerModel]:
    """Thinking modes by model id."""
    return tables(st.sampled_from(["budget", "adaptive", "none"]))


def handlers() -> SearchStrategy[TaggedHandler]:
    """Thinking handlers, each of one tag."""
    return st.builds(TaggedHandler, names(), st.sampled_from(["object", "namespace"]))


def caching() -> SearchStrategy[PromptCaching]:
    """Prompt caching of either mode."""
    return st.builds(
        PromptCaching,
        mode=st.sampled_from(["markers", "automatic"]),
        reports_usage=st.booleans(),
        max_markers=st.none() | st.integers(1, 8),
    )


def capabilities() -> SearchStrategy[dict[str, Any]]:
    """All eight optional members besides `stream`, each absent, None or (mostly) present."""
    members = {
        "prompt_caching": caching(),
        "thinking_handler": handlers(),
        "thinking_mode": modes(),
        "carries_in_messages": role_sets(),
        "carries_forced_tool_choice": st.booleans(),
        "supports_forced_tool_choice": verdicts(),
        "carries_native_output_schema": st.booleans(),
        "supports_native_output_schema": verdicts(),
    }
    return together(*(declared(name, values) for name, values in members.items()))
