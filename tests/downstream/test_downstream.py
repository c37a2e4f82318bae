"""Adapters over libraries that we did not write: what does not hold is known, with a reason, and nothing else fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.downstream.adapters import ADAPTERS, Downstream, run


@pytest.mark.parametrize(
    "downstream", [each for each in ADAPTERS if not each.dear], ids=lambda downstream: downstream.name
)
def test_the_library_holds_but_for_what_is_known(downstream: Downstream, tmp_path: Path) -> None:
    """The run ends with status 0, every must was tested, and each known failure still fails."""
    if downstream.version is None:
        pytest.skip(
            f"{downstream.library} is not installed; it comes with the extra `downstream`, `witnesses` or `executors`"
        )
    done = run(downstream, tmp_path / "report.json")
    assert done.returncode == 0, done.stdout[-6000:]
    [subject] = json.loads((tmp_path / "report.json").read_text())["subjects"]
    assert subject["verdict"] in ("conformant", "deviates")
    assert subject["counts"]["unexpected_pass"] == 0
    assert subject["counts"]["passed"] > (70 if downstream.wire else 20)
