"""The ports of LLM providers and of what is wrapped around them."""

from __future__ import annotations

from typing import Any

from portproof.conditions.providers import PROVIDER_WORDS
from portproof.errors import UsageProblem
from portproof.ports.port import Bench, Port
from portproof.running.loops import Time
from portproof.subjects.kinds import WRAPPED, look_at_wrapper
from portproof.subjects.looking import listed
from portproof.subjects.providers import look_at_provider, provider_supply, speak
from portproof.subjects.subject import Subject
from portproof.wires import Dialect

__all__ = ["ProviderPort", "WrapperPort"]


class ProviderPort(Port):
    """Adapters of a vendor, in real time against the simulated server of their wire."""

    name = "provider"
    checks = ("provider", "wires", "errors")
    members = ("complete",)
    words = PROVIDER_WORDS

    def supply(self, subject: Subject, time: Time) -> dict[str, Any]:
        return provider_supply(subject)

    def look_at(self, subject: Subject, wire: Dialect | None) -> None:
        speak(subject, wire)
        look_at_provider(subject)

    def uncontrolled(self, subject: Subject) -> str | None:
        if subject.talks:
            return None
        return "the harness has no control over the answers: say --wire, and name `base_url` in the factory"

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.provider import ProviderBench

        return ProviderBench(subject, deadline)


class WrapperPort(Port):
    """Wrappers around instrumented providers, on virtual time. Only the factory tells one from a provider."""

    name = "provider-wrapper"
    checks = ("wrapper", "errors")
    members = ("complete",)
    told_by = WRAPPED
    options = ("kind",)
    words = PROVIDER_WORDS

    def recognises(self, value: Any) -> bool:
        return False

    def look_at(self, subject: Subject, wire: Dialect | None) -> None:
        if not (subject.parameters and subject.parameters.names & WRAPPED):
            raise UsageProblem(
                f"--adapter {subject.spec}: a provider-wrapper is named by a factory that takes `inner`, `primary` and "
                f"`fallback`, or `inners`; this one takes {listed(subject.parameters)}."
            )
        look_at_wrapper(subject)

    def bench(self, subject: Subject, deadline: float) -> Bench:
        from portproof.benches.wrapper import WrapperBenches

        return WrapperBenches(subject, deadline)
