"""Files that the code leaves: a folder for each execution, read back within bounds (CODE-ARTIFACTS-*)."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from agentports.ports import CodeArtifact

__all__ = ["files_in"]

#: How many bytes of content come back with one result; what does not fit is described only.
_READ_BACK = 1024 * 1024


def files_in(folder: Path) -> list[CodeArtifact]:
    """Describe the regular files below the folder, by name; small ones with their content. Follows no link."""
    artifacts, room = [], _READ_BACK
    for path, size in sorted(_regular_files(folder)):
        data = _content(path, size) if size <= room else None
        room -= 0 if data is None else size
        name = os.fsencode(path.relative_to(folder)).decode("utf-8", "replace")
        artifacts.append(CodeArtifact(name=name, bytes=size, data=data, uri=path.as_uri()))
    return artifacts


def _regular_files(folder: Path) -> Iterator[tuple[Path, int]]:
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names):
            with contextlib.suppress(FileNotFoundError):  # somebody may still be at work there
                found = path.lstat()
                if stat.S_ISREG(found.st_mode):
                    yield path, found.st_size


def _content(path: Path, size: int) -> bytes | None:
    """The content, if it can be read and is as long as it was said to be."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            data = file.read(size + 1)
    except OSError:
        return None
    return data if len(data) == size else None
