"""The suite's own proof: known-bad implementations, and whether the check of each rule catches its own."""

from portproof.selftest.defects import Defect, defect, known_defects
from portproof.selftest.trial import Trial, try_defect

__all__ = ["Defect", "Trial", "defect", "known_defects", "try_defect"]
