"""Providers over HTTP and clients of relays as subjects: how they are told, built, and what is not tested."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agentports.relay import AgentProvider, RelayProvider
from portproof.catalogue import invariant_named
from portproof.errors import UsageProblem
from portproof.ports.loading import look_at
from portproof.running.outcome import CheckResult
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule
from portproof.subjects.http_providers import named_parameters
from portproof.subjects.subject import Subject


class Concrete:
    """A provider that answers nothing."""

    name, format, id = "concrete", None, "1"

    def __init__(self, base_url: str, tenant: str = "t") -> None:
        self.url = base_url

    async def stream(self, *given: Any) -> Any:
        yield {"content": ""}

    async def generate(self, *given: Any) -> Any:
        return {"content": ""}


class Nowhere(Concrete):
    """A provider that cannot be pointed anywhere."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:9")


class HandsOn(AgentProvider[Any]):
    """An engine whose constructor hands all on."""

    def __init__(self, *given: Any, extra: int = 1, **named: Any) -> None:
        super().__init__(*given, **named)


def seen(target: Any, port: str | None = None, **options: Any) -> Subject:
    """What the harness sees of a target."""
    return look_at("mine", target, port, None, options)


def asked(subject: Subject, rule: str) -> CheckResult:
    """What a rule says of a subject."""
    return run_rule(subject, invariant_named(rule), PROFILES["quick"], 0)


@pytest.mark.parametrize(
    ("target", "port"),
    [
        (AgentProvider, "http-provider"),
        (Concrete, "http-provider"),
        (lambda url: Concrete(url), "http-provider"),
        (RelayProvider, "relay-provider"),
        (lambda url: RelayProvider(url), "relay-provider"),
    ],
)
def test_a_relays_client_is_told_by_its_name(target: Any, port: str) -> None:
    """Everything else with stream and generate is a provider over HTTP; neither is a provider of the other family."""
    assert seen(target).port == port


def test_an_engine_is_named_after_its_class() -> None:
    """And what it offers besides is told."""
    subject = seen(AgentProvider)
    assert subject.name == "AgentProvider"
    assert subject.capabilities["read_text"] is subject.capabilities["ThinkSplitter"] is True


def test_a_constructor_that_hands_all_on_names_what_its_bases_name() -> None:
    """So that rules of the deadline are tested on it."""
    assert {"extra", "url", "sleep", "clock"} <= named_parameters(HandsOn)
    assert asked(seen(HandsOn), "HTTP-DEADLINE-DEFAULT").outcome == "passed"


def test_a_provider_that_cannot_be_pointed_anywhere_is_not_tested() -> None:
    """The reason names the argument that is missing."""
    for target in (Nowhere, Nowhere()):
        result = asked(seen(target, "http-provider"), "HTTP-RESULT-LAST")
        assert (result.outcome, "base_url" in result.message) == ("not_tested", True)


def test_a_concrete_provider_does_not_show_its_seams() -> None:
    """What needs them is not tested, and says how it would be."""
    result = asked(seen(Concrete), "HTTP-PARSER-CLEARED")
    assert (result.outcome, "engine class" in result.message) == ("not_tested", True)


def test_an_option_of_the_factory_is_handed_on() -> None:
    """Beside what the harness supplies."""
    made: list[str] = []

    def factory(base_url: str, tenant: str) -> Concrete:
        made.append(tenant)
        return Concrete(base_url, tenant)

    assert asked(seen(factory, "http-provider", tenant="mine"), "HTTP-ONE-REQUEST").outcome == "failed"
    assert set(made) == {"mine"}


def test_a_required_argument_that_nothing_supplies_is_told() -> None:
    """As for every port."""

    class Wanting(Concrete):
        def __init__(self, base_url: str, secret: str) -> None:
            super().__init__(base_url)

    with pytest.raises(UsageProblem, match="secret"):
        seen(Wanting, "http-provider")


def test_a_call_that_hangs_costs_little_and_is_a_violation() -> None:
    """It is said what does not happen."""

    class Hanging(AgentProvider[Any]):
        def _chunks(self, response: Any, signal: Any) -> Any:
            async def silence() -> Any:
                await asyncio.get_running_loop().create_future()
                yield ""

            return silence()

    result = asked(seen(Hanging), "HTTP-RESULT-LAST")
    assert (result.outcome, result.message) == ("failed", "the call neither yields nor ends")
    assert result.duration_s < 8
