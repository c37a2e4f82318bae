"""How code reaches an interpreter: as its last argument, or, where no argument can carry it, through a file."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

__all__ = ["INTERPRETERS", "command_for"]

#: What stands in front of the code (document 21, "Local runner").
INTERPRETERS: Final[Mapping[str, Sequence[str]]] = {
    "python": ("python3", "-c"),
    "node": ("node", "-e"),
    "bash": ("bash", "-c", "--"),
}

#: What Linux takes as one argument, the closing NUL included, in bytes.
_ARGUMENT_LIMIT = 128 * 1024

#: Code that runs the file in its own place, as if it were the file's text.
_LOADERS: Final[Mapping[str, Callable[[str], str]]] = {
    "python": lambda path: (
        f"exec(compile(__import__('pathlib').Path({path!r}).read_bytes().decode(), '<string>', 'exec'))"
    ),
    "node": lambda path: f"(0, eval)(require('fs').readFileSync({json.dumps(path)}, 'utf8'))",
    "bash": lambda path: f". {shlex.quote(path)}",
}


def command_for(language: str, interpreter: Sequence[str], code: str, file: Path) -> list[str | bytes]:
    """Return the command that runs the code, which is written into the file if that is the only way.

    Raises `UnicodeEncodeError` for code that is no Unicode text.
    """
    text = code.encode("utf-8")
    if language not in _LOADERS or _fits(language, text):
        return [*interpreter, text]
    file.write_bytes(text)
    return [*interpreter, _LOADERS[language](str(file))]


def _fits(language: str, text: bytes) -> bool:
    if language == "node" and (not text or text[:1] in (b"-", b"\\")):
        return False  # node takes these for an option, for an escape, or for no code at all
    return len(text) < _ARGUMENT_LIMIT and b"\0" not in text
