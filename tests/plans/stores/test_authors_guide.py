"""The store in the author's guide is the example, and the example keeps every rule."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from portproof.catalogue import invariants_of

_DOCS = Path(__file__).parents[3] / "docs"
_EXAMPLE = _DOCS / "examples" / "document_store.py"


def test_the_guide_shows_the_example_as_it_is() -> None:
    """The first block of Python in the guide is the file."""
    guide = (_DOCS / "plan-store.md").read_text()
    assert guide.partition("```python\n")[2].partition("```\n")[0] == _EXAMPLE.read_text()


def test_the_example_keeps_every_rule_for_who_runs_it_elsewhere(tmp_path: Path) -> None:
    """Those on durability included: none is skipped."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--conformance-profile", "quick"]
    done = subprocess.run(
        [*command, "--adapter", "plan-store=document_store:DocumentStore"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(_EXAMPLE.parent), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    rules = len(invariants_of("plan-store"))
    assert f"CONFORMANT: {rules} passed of {rules} rules" in done.stdout, done.stdout[-4000:] + done.stderr
