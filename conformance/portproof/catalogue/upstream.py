"""What the contract's own kit for plan stores tests, and the rules here that cover it (document 43)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["UPSTREAM_CASES"]

#: By the kit's case. The kit has one example for each; the rules hold for generated plans, and far beyond these cases.
UPSTREAM_CASES: Final[Mapping[str, tuple[str, ...]]] = {
    "1 a new plan is editable and empty; the first op makes revision 1": ("STO-CREATE-GENESIS",),
    "2 a duplicate id is refused": ("STO-CREATE-DUPLICATE",),
    "3 an append to a reviewable plan is refused": ("STO-APPEND-REVIEWABLE-REFUSED",),
    "4 an append to an executable plan is refused": ("STO-APPEND-EXECUTABLE-REFUSED",),
    "5 a stale expected revision is refused": ("STO-APPEND-EXPECTED-REVISION",),
    "6 an approval of an old digest is refused": ("STO-TRANSITION-STALE-APPROVAL", "STO-APPROVAL-ONLY-EXECUTABLE"),
    "7 the approval is stored with the gate": ("STO-TRANSITION-APPROVE",),
    "8 an illegal pair is answered": ("STO-TRANSITION-ILLEGAL",),
    "9 a stale digest on a legal pair is refused": ("STO-TRANSITION-DIGEST-MISMATCH",),
    "10 of two claims one wins": ("STO-CLAIM-CONCURRENT", "STO-CLAIM-ONCE"),
    "11 re-entry by run id": ("STO-CLAIM-RESUME", "STO-CLAIM-RESUME-UNKNOWN", "STO-CLAIM-RESUME-COMPLETED"),
    "12 re-entry after a stop": ("STO-CLAIM-RESUME-AFTER-STOP",),
    "13 a clone can be frozen": ("STO-CLONE-FREEZABLE", "STO-DIGEST-CONSISTENT"),
    "14 a claim on another state or digest is refused": ("STO-CLAIM-NOT-EXECUTABLE", "STO-CLAIM-DIGEST"),
    "15 a batch of events reads back in order": ("STO-EVENTS-ROUND-TRIP", "STO-EVENTS-ATOMIC"),
    "16 ops by revision": ("STO-READ-OPS-PREFIX", "STO-READ-OPS-UNREACHED"),
    "17 a clone is cold and knows its parent": (
        "STO-CLONE-CONTENT",
        "STO-CLONE-COLD",
        "STO-CLONE-PROVENANCE",
        "STO-CLONE-REFUSALS",
    ),
    "18 an artifact reads back": ("STO-EVENTS-ARTIFACTS",),
}
