"""How much is tried: examples a rule, and the deadlines."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PROFILES", "Profile"]


@dataclass(frozen=True)
class Profile:
    """Number of examples of each property, and for how many seconds a counterexample may be shrunk."""

    name: str
    examples: int
    shrink_s: float


PROFILES = {
    profile.name: profile
    for profile in (Profile("quick", 5, 1.0), Profile("default", 20, 4.0), Profile("thorough", 200, 30.0))
}
