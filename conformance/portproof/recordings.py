"""Where the recorded vendor errors are: beside the source in a checkout, in the package when installed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from agentports.sim.recordings import Recording, find_recordings, read_recording

__all__ = ["recordings_folder", "shipped_recordings"]


def recordings_folder() -> Path:
    """The folder of the recordings that come with this package."""
    package = Path(__file__).parent
    installed = package / "_recordings"
    return installed if installed.is_dir() else package.parents[1] / "recordings"


@cache
def shipped_recordings() -> tuple[Recording, ...]:
    """Every recording that comes with this package, by vendor and id."""
    return tuple(read_recording(path) for path in find_recordings([recordings_folder()]))
