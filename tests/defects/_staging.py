"""Staging by other means than the reference: files in a folder of the session, a manifest that the code itself sets."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from portproof_defects._runners import AroundSession, Runner

from agentports.ports import STAGED_INPUTS_ENV, SessionStoppedError, StagedCodeInput

__all__ = ["StagingRunner", "StagingSession"]


class StagingSession(AroundSession):
    """A correct one. Override a part to break it."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self.folder = Path(tempfile.mkdtemp(prefix="staged-"))
        self.manifest: dict[str, str] = {}
        self.stopped = False

    async def execute(self, *, code: str, **stated: Any) -> Any:
        return await super().execute(code=self.prelude() + code, **stated)

    async def stage_inputs(self, inputs: Any) -> Any:
        self.refuse()
        return [self.stage(entry) for entry in inputs]

    async def stop(self) -> None:
        self.stopped = True
        shutil.rmtree(self.folder, ignore_errors=True)
        await super().stop()

    # ---- the parts

    def prelude(self) -> str:
        """What sets the manifest."""
        if not self.manifest:
            return ""
        return f"import os\nos.environ[{STAGED_INPUTS_ENV!r}] = {json.dumps(self.manifest)!r}\n"

    def refuse(self) -> None:
        if self.stopped:
            raise SessionStoppedError(self.id)

    def stage(self, entry: Any) -> StagedCodeInput:
        path = self.path_for(entry)
        size = self.write(path, entry.data)
        self.note(entry, path)
        return StagedCodeInput(name=entry.name, path=str(path), bytes=size)

    def path_for(self, entry: Any) -> Path:
        """A folder for each name, the plain file name in it."""
        folder = self.folder / entry.name.encode().hex()[:200] / str(hash(entry.name))
        folder.mkdir(parents=True, exist_ok=True)
        return folder / self.segment(entry.file_name or entry.name)

    def segment(self, name: str) -> str:
        plain = (
            name.isascii() and name.replace(".", "").replace("_", "").replace("-", "").isalnum() and len(name) <= 120
        )
        return name if plain else "file" + Path(name.replace("\0", "")).suffix[:10]

    def write(self, path: Path, data: str | bytes) -> int:
        return path.write_bytes(data.encode() if isinstance(data, str) else data)

    def note(self, entry: Any, path: Path) -> None:
        self.manifest[entry.name] = str(path)


class StagingRunner(Runner):
    """Opens such sessions."""

    around = StagingSession
