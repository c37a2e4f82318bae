"""The stores in the author's guide are the examples, and the examples keep every rule."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from portproof.catalogue import invariants_of

_DOCS = Path(__file__).parents[3] / "docs"
_EXAMPLES = {"document_backend": "document_store", "document_store": "DocumentStore"}


@pytest.mark.parametrize("name", _EXAMPLES)
def test_the_guide_shows_the_example_as_it_is(name: str) -> None:
    """A block of Python in the guide is the file."""
    example = (_DOCS / "examples" / f"{name}.py").read_text()
    assert f"```python\n{example}```\n" in (_DOCS / "plan-store.md").read_text()


def test_the_short_example_has_about_a_hundred_lines() -> None:
    """As the guide says."""
    lines = (_DOCS / "examples" / "document_backend.py").read_text().splitlines()
    assert sum(bool(line) for line in lines) <= 100


@pytest.mark.parametrize("name", _EXAMPLES)
def test_the_example_keeps_every_rule_for_who_runs_it_elsewhere(name: str, tmp_path: Path) -> None:
    """Those on durability included: none is skipped."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--conformance-profile", "quick"]
    done = subprocess.run(
        [*command, "--adapter", f"plan-store={name}:{_EXAMPLES[name]}"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(_DOCS / "examples"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    rules = len(invariants_of("plan-store"))
    assert f"CONFORMANT: {rules} passed of {rules} rules" in done.stdout, done.stdout[-4000:] + done.stderr
