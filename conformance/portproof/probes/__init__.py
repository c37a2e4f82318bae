"""Instruments for tests of one's own: providers that play scripts, hooks that record."""

from portproof.probes.hooks import RecordingHooks, report_of
from portproof.probes.instrumented import (
    HANG,
    AtCall,
    Chunks,
    InnerCall,
    InstrumentedProvider,
    Runaway,
    Says,
    Slow,
    chunks_of,
)

__all__ = [
    "HANG",
    "AtCall",
    "Chunks",
    "InnerCall",
    "InstrumentedProvider",
    "RecordingHooks",
    "Runaway",
    "Says",
    "Slow",
    "chunks_of",
    "report_of",
]
