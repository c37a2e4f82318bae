"""Options go to whom they are meant for, and one that is meant for nobody is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentports.resilience import with_retry
from agentports.runners import LocalCodeRunner
from portproof.errors import UsageProblem
from portproof.ports.loading import look_at
from portproof.ports.options import refuse_untaken, taken_by
from portproof.settings import Settings, read_settings
from portproof.subjects.subject import Subject


class Answering:
    name = "answering"

    async def complete(self, request: Any, hooks: Any = None) -> Any: ...


class Colourful(Answering):
    def __init__(self, colour: str = "red", shade: int = 1) -> None:
        self.colour = colour


class Table:
    name = "table"

    def price_per_token(self, model: str, kind: str) -> None: ...


def whatever(**given: Any) -> Answering:
    """A factory that takes every argument and keeps it."""
    answering = Answering()
    answering.given = given  # type: ignore[attr-defined]
    return answering


def mapping(options: Any) -> Answering:
    return Answering()


def seen(target: Any, port: str | None = None, **options: Any) -> Subject:
    return look_at(getattr(target, "__name__", "instance"), target, port, None, options)


def refusal(subjects: list[Subject], *keys: str) -> str:
    with pytest.raises(UsageProblem) as refused:
        refuse_untaken(subjects, dict.fromkeys(keys, 1))
    return str(refused.value)


def test_an_option_of_nobody_is_refused_with_what_is_taken_and_what_is_near() -> None:
    """The message names the option, every parameter of the factory, and the nearest spelling."""
    told = refusal([seen(Colourful)], "color")
    assert (
        told == "--adapter-option color: nothing takes it. The factory Colourful takes colour, shade. Near it: colour."
    )


def test_an_option_is_refused_where_there_is_nothing_like_it() -> None:
    """Then no spelling is offered; an instance takes nothing, and where there is no subject that is said."""
    assert refusal([seen(Answering())], "colour").endswith("takes none: it is an instance.")
    assert refusal([], "colour").endswith("No --adapter is named; a conformance class has `options` of its own.")


@pytest.mark.parametrize(
    ("target", "key"),
    [
        (Colourful, "shade"),
        (mapping, "anything"),
        (whatever, "anything"),
        (Table(), "models"),
        (Table(), "price.some-model.input"),
        (with_retry, "kind"),
    ],
)
def test_an_option_is_taken_by_name_by_mapping_by_rest_and_by_the_harness(target: Any, key: str) -> None:
    """A parameter, `options`, `**kwargs`, and what the harness itself reads for the port."""
    given = {key: "transparent" if key == "kind" else 2}
    refuse_untaken([seen(target, **given)], given)


def test_an_option_may_be_meant_for_one_of_several_subjects() -> None:
    """It is refused only where none of them takes it, and every subject is named then."""
    subjects = [seen(Colourful), seen(Table())]
    refuse_untaken(subjects, {"colour": "red", "models": "alpha"})
    assert taken_by(subjects[1], {"colour": "red", "models": "alpha"}) == {"models"}
    told = refusal(subjects, "modles")
    assert "Colourful takes colour, shade" in told
    assert told.endswith("the harness reads models, price.*. Near it: models.")


def test_a_factory_with_rest_is_given_the_options() -> None:
    """All but those that the harness reads for its port; nothing that the harness supplies by itself."""
    subject = seen(whatever, colour="red")
    assert subject.takes("colour")
    assert not subject.takes("sleep")
    assert not seen(lambda inner, **rest: inner, "provider-wrapper", kind="transparent").takes("kind")


@pytest.mark.parametrize("value", ["abc", 0, -5, 2.5, True])
def test_a_number_that_is_none_is_refused(value: Any) -> None:
    """Also where the port is stated: it is the user's slip, not the subject's fault."""
    with pytest.raises(UsageProblem, match=r"max_output_chars=.*: write a whole number of characters"):
        seen(LocalCodeRunner, "code-runner", max_output_chars=value)


def test_a_reproducing_command_has_only_the_options_of_its_subject(tmp_path: Path) -> None:
    """Else the command would be refused for the options of the others."""
    settings = read_settings(
        {"--adapter": ["a:A", "b:B"], "--adapter-option": ["colour=red", "models=alpha"]}.get, tmp_path
    )
    narrowed = Settings(**{**vars(settings), "taken": {"a:A": frozenset({"colour"})}})
    assert narrowed.arguments("a:A")[:4] == ["--adapter", "a:A", "--adapter-option", "colour=red"]
    assert narrowed.arguments("b:B").count("--adapter-option") == 2


def test_a_projects_options_are_not_held_against_an_adapter_named_by_hand(tmp_path: Path) -> None:
    """They are for the project's own adapters; options and adapters from the same place have to fit."""
    (tmp_path / "pyproject.toml").write_text('[tool.portproof]\nadapter = "a:A"\nadapter-option = {colour = "red"}\n')
    assert read_settings({}.get, tmp_path).options_must_fit
    assert not read_settings({"--adapter": ["b:B"]}.get, tmp_path).options_must_fit
    assert read_settings({"--adapter-option": ["shade=2"]}.get, tmp_path).options_must_fit
