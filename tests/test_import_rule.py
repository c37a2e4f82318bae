"""Who may import whom, as far as one list of allowed packages says it; the layers are import-linter's."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import agentports.ports

ALLOWED = {"pydantic", "agentports.ports"}


def test_the_contracts_import_the_standard_library_pydantic_and_themselves() -> None:
    """Whoever implements a port depends on nothing else."""
    foreign = {name for path in _modules() for name in _imports(path) if not _is_allowed(name)}
    assert foreign == set()


def _modules() -> list[Path]:
    return sorted(Path(agentports.ports.__file__).parent.glob("**/*.py"))


def _imports(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            found.append(node.module or "")
    return found


def _is_allowed(name: str) -> bool:
    if name.split(".")[0] in sys.stdlib_module_names:
        return True
    return any(name == allowed or name.startswith(allowed + ".") for allowed in ALLOWED)
