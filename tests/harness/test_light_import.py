"""The plugin is loaded by every pytest run of everybody who has it installed, and must not be felt there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = {"agentports", "httpx", "hypothesis", "jinja2", "pydantic", "yaml"}
CONFTEST = "import sys\ndef pytest_sessionfinish(session):\n    print('\\nLOADED', *sorted(sys.modules))\n"


def loaded(place: Path, *arguments: str) -> set[str]:
    """Run pytest in a directory with one test of its own, and return the modules that were loaded in the end."""
    command = [sys.executable, "-m", "pytest", "-s", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("LOADED ")]
    return set(line.split()[1:])


def test_a_plain_run_loads_the_plugin_module_and_nothing_else(tmp_path: Path) -> None:
    """None of what a conformance run needs; other plugins may load what they like."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_own.py").write_text("class TestOwn:\n    def test_own(self):\n        pass\n")
    added = loaded(tmp_path) - loaded(tmp_path, "-p", "no:portproof")
    assert {name for name in added if name.partition(".")[0] in {*HEAVY, "portproof"}} == {
        "portproof",
        "portproof.plugin",
    }
