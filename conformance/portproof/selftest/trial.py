"""One defect, tried: does the check of its rule catch it?"""

from __future__ import annotations

from dataclasses import dataclass, replace

from portproof.catalogue import invariant_named
from portproof.ports.loading import look_at
from portproof.running.outcome import CheckResult
from portproof.running.profiles import PROFILES
from portproof.running.runner import run_rule
from portproof.selftest.defects import Defect
from portproof.wires import dialect_named

__all__ = ["Trial", "try_defect"]

#: What never ends is not waited for as long as a stranger's slow runner, and an example need not get small here.
_BOUNDED_S, _SHRINK_S = 2.0, 0.5


@dataclass(frozen=True)
class Trial:
    """A defect and what its rule's check said."""

    defect: Defect
    result: CheckResult

    @property
    def caught(self) -> bool:
        """Whether the check failed it, as it should."""
        return self.result.outcome == "failed"


def try_defect(defect: Defect, profile: str = "default", seed: int = 0) -> Trial:
    """Run the check of the defect's rule on the defect."""
    rule = invariant_named(defect.rule)
    wire = dialect_named(defect.wire) if defect.wire is not None else None
    subject = look_at(defect.name, defect.target, rule.port, wire, defect.options)
    subject.module = defect.target.__module__
    subject.bounded_s = _BOUNDED_S
    return Trial(defect, run_rule(subject, rule, replace(PROFILES[profile], shrink_s=_SHRINK_S), seed))
