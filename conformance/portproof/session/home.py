"""Keeps Hypothesis from leaving a folder in the user's directory when only conformance runs."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis.configuration import set_hypothesis_home_dir

__all__ = ["keep_hypothesis_out"]


def keep_hypothesis_out() -> None:
    """Put Hypothesis' caches into the system's temporary directory, unless the project keeps them itself."""
    if "HYPOTHESIS_STORAGE_DIRECTORY" in os.environ or Path(".hypothesis").exists():
        return
    set_hypothesis_home_dir(
        Path(tempfile.gettempdir()) / f"portproof-hypothesis-{os.getuid() if hasattr(os, 'getuid') else 0}"
    )
