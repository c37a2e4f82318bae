"""Making a wrapper act: what its kind does by itself, brought about once, and everything that can be seen of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from agentports.ports import ProviderError
from portproof.benches.wrapper import Outcome, WrapperBench
from portproof.checks.wrapper.circuits import Circuit
from portproof.probes import InstrumentedProvider
from portproof.subjects.driver import Driver

__all__ = ["CALLBACKS", "MOMENTS", "OWN_REPORTS", "Listener", "Moment", "Scene", "act", "stage"]

#: The reports that a wrapper of each kind makes by itself.
OWN_REPORTS: Final[dict[str | None, tuple[str, ...]]] = {
    "retry": ("retried", "recovered"),
    "fallback": ("fell-back",),
    "circuit-breaker": ("circuit-changed",),
    "transparent": (),
}

#: The callback that a factory of each kind may take.
CALLBACKS: Final[dict[str | None, str]] = {
    "retry": "on_retry",
    "fallback": "on_fallback",
    "circuit-breaker": "on_state_change",
}

_BESIDE = {"one": 0, "pair": 1, "list": 2}


@dataclass(frozen=True)
class Moment:
    """One of the facts that a wrapper reports, told by one member of the report."""

    key: str
    value: str

    def __call__(self, report: dict[str, Any]) -> bool:
        return report.get(self.key) == self.value


#: What happens while `act` runs, in order.
MOMENTS: Final[dict[str | None, tuple[Moment, ...]]] = {
    "retry": (Moment("kind", "retried"), Moment("kind", "recovered")),
    "fallback": (Moment("kind", "fell-back"),),
    "circuit-breaker": (Moment("state", "open"), Moment("state", "half-open"), Moment("state", "closed")),
}


class Listener:
    """A callback that counts its calls, and raises when it is told to."""

    def __init__(self, raises: BaseException | None = None) -> None:
        self.heard = 0
        self._raises = raises

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        self.heard += 1
        if self._raises is not None:
            raise self._raises


@dataclass
class Scene:
    """A wrapper around instrumented providers, the first of which plays the script while the others answer.

    `facts` is how many things happened that the wrapper reports.
    """

    bench: WrapperBench
    wrapper: Driver
    providers: list[InstrumentedProvider]
    outcomes: list[Outcome] = field(default_factory=list)
    facts: int = 0

    @property
    def first(self) -> InstrumentedProvider:
        """The provider that plays the script."""
        return self.providers[0]

    @property
    def calls(self) -> list[int]:
        """How often each provider was called."""
        return [len(provider.calls) for provider in self.providers]

    async def call(self, hooks: Any = None, way: str = "complete") -> Outcome:
        """One call through the wrapper; by `complete` where there is no stream."""
        outcome = await self.bench.call(way if self.wrapper.can_stream else "complete", self.wrapper, hooks=hooks)
        self.outcomes.append(outcome)
        return outcome


async def stage(bench: WrapperBench, *script: Any, **options: Any) -> Scene:
    """The wrapper with one provider that plays the script, and as many healthy ones beside it as its shape takes."""
    beside = [bench.inner(bench.response(f"from spare {n}"), name=f"spare{n}") for n in range(_BESIDE[_shape(bench)])]
    providers = [bench.inner(*script), *beside]
    return Scene(bench, await bench.wrapping(*providers, **options), providers)


async def act(
    bench: WrapperBench,
    *,
    error: Exception | None = None,
    hooks: Any = None,
    listener: Listener | None = None,
    way: str = "complete",
) -> Scene:
    """Make the wrapper do what its kind does, and report it on the hooks.

    A retry recovers after one failure, a pair or list falls back once, a breaker opens and, where the harness can let
    its cooldown pass, closes again. A retry is always called by `complete`. The listener is the callback of the kind.
    """
    error = error or ProviderError("down", status=503)
    options = {CALLBACKS[bench.subject.kind]: listener} if listener is not None else {}
    if bench.subject.kind == "circuit-breaker":
        return await _open_and_close(bench, error, hooks, listener, way, options)
    scene = await stage(bench, error, bench.response(), **options)
    await scene.call(hooks, "complete" if bench.subject.kind == "retry" else way)
    scene.facts = scene.calls[0] - 1 if bench.subject.kind == "retry" else 1
    return scene


async def _open_and_close(
    bench: WrapperBench, error: Exception, hooks: Any, listener: Listener | None, way: str, options: dict[str, Any]
) -> Scene:
    circuit = await Circuit.around(bench, failures=2, eighths=8, probes=1, **options)
    probes = await circuit.probes() if circuit.has_time else 0
    if listener is not None:
        listener.heard = 0
    scene = Scene(bench, circuit.breaker, [circuit.inner])
    scene.outcomes += [(await circuit.call(error, way, hooks)).outcome for _ in range(circuit.threshold)]
    scene.facts = 1
    if circuit.has_time:
        circuit.cool()
        scene.outcomes += [(await circuit.call(bench.response(), way, hooks)).outcome for _ in range(probes)]
        scene.facts = 3
    return scene


def _shape(bench: WrapperBench) -> str:
    return bench.subject.shape or "one"
