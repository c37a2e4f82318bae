"""Recording: a proxy between an adapter and the real vendor, which writes what went through as cassettes.

Secrets are replaced before anything is written; what cannot be scrubbed with certainty is not written at all.
"""

from __future__ import annotations

from portproof.recording.recorder import Recorder
from portproof.recording.run import run

__all__ = ["Recorder", "run"]
