"""Inputs on disk: each name its own file, whatever the caller calls it (document 21, "Staging"; CODE-STAGE-*)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from agentports.ports import STAGED_INPUTS_ENV, CodeInput, StagedCodeInput, StagingError

__all__ = ["StagedInputs", "segment"]

_LONGEST = 120
_ENCODED = "_enc_"
#: What Linux takes as one variable, the name and the closing NUL included, in bytes.
_ENVIRONMENT_LIMIT = 128 * 1024


class StagedInputs:
    """The staged inputs of one session, below a directory of their own."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._paths: dict[str, Path] = {}

    @property
    def environment(self) -> dict[str, str]:
        """The manifest as a variable; nothing when nothing is staged."""
        return _manifest(self._paths) if self._paths else {}

    def stage(self, inputs: Sequence[CodeInput]) -> list[StagedCodeInput]:
        """Write the inputs. Raises `StagingError` when their names are too much for the manifest."""
        contents = [_content(each) for each in inputs]
        places = {**self._paths}
        for each in inputs:
            places[each.name] = self._place(each, places)
        _check_size(places)
        for each, content in zip(inputs, contents, strict=True):
            self._write(each.name, places[each.name], content)
        return [
            StagedCodeInput(name=each.name, path=str(places[each.name]), bytes=len(content))
            for each, content in zip(inputs, contents, strict=True)
        ]

    def _place(self, each: CodeInput, places: dict[str, Path]) -> Path:
        """A directory for each name: no two meet, on no file system, whatever their file names are."""
        known = places.get(each.name)
        directory = self._root / str(len(places)) if known is None else known.parent
        return directory / segment(each.name if each.file_name is None else each.file_name)

    def _write(self, name: str, path: Path, content: bytes) -> None:
        """Replace what the name had; code that is reading it keeps what it opened."""
        path.parent.mkdir(parents=True, exist_ok=True)
        written = self._root / "incoming"
        written.write_bytes(content)
        written.replace(path)
        before = self._paths.get(name, path)
        if before != path:
            before.unlink(missing_ok=True)
        self._paths[name] = path


def segment(name: str) -> str:
    """Return one inert path segment for a name, never the same for two: plain names stay as they are."""
    if re.fullmatch(r"[A-Za-z0-9._-]{1,120}", name) and name.strip(".") and not name.startswith(_ENCODED):
        return name
    encoded = _ENCODED + re.sub(r"[^A-Za-z0-9.-]", lambda found: _escaped(found.group()), name)
    if len(encoded) < _LONGEST:
        return encoded
    ending = "_z" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return encoded[: _LONGEST - len(ending)] + ending


def _escaped(character: str) -> str:
    if character == "_":
        return "__"
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"_u{units[i : i + 2].hex().upper()}" for i in range(0, len(units), 2))


def _content(each: CodeInput) -> bytes:
    return each.data.encode("utf-8") if isinstance(each.data, str) else bytes(each.data)


def _manifest(paths: dict[str, Path]) -> dict[str, str]:
    """The variable; ASCII, so that no locale of the code's can misread it."""
    return {STAGED_INPUTS_ENV: json.dumps({name: str(path) for name, path in paths.items()})}


def _check_size(paths: dict[str, Path]) -> None:
    [(variable, value)] = _manifest(paths).items()
    if len(variable) + len(value) + 2 > _ENVIRONMENT_LIMIT:
        raise StagingError(f"the manifest of {len(paths)} inputs does not fit into the variable {variable}")
