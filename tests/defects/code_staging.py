"""Sessions that stage inputs wrongly."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from portproof_defects._runners import AroundSession, Runner
from portproof_defects._staging import StagingRunner, StagingSession

from agentports.ports import STAGED_INPUTS_ENV, StagedCodeInput
from agentports.runners import LocalCodeRunner
from portproof.selftest import defect


def staging(**parts: Any) -> type[StagingSession]:
    """The correct session with some of its parts replaced."""
    return type("Staging", (StagingSession,), parts)


@defect("CODE-STAGE-ABSENT-NOT-FAKED")
class PretendsToStage(StagingRunner):
    """Returns paths to which nothing was written."""

    around = staging(write=lambda self, path, data: len(data))


@defect("CODE-STAGE-DETECTED-BY-MEMBER")
class TellsStagingByTheClass(LocalCodeRunner):
    """Asks what the session is, not what it has."""

    @staticmethod
    def can_stage_code_inputs(session: Any) -> bool:
        return type(session).__name__ == "_LocalSession"


class _FirstOnly(StagingSession):
    async def execute(self, **stated: Any) -> Any:
        result = await super().execute(**stated)
        self.manifest = {}
        return result


@defect("CODE-STAGE-MANIFEST")
class SetsTheManifestOnce(StagingRunner):
    """Tells the first execute only."""

    around = _FirstOnly


def _listed(self: StagingSession) -> str:
    entries = json.dumps([{"name": name, "path": path} for name, path in self.manifest.items()])
    return f"import os\nos.environ[{STAGED_INPUTS_ENV!r}] = {entries!r}\n"


@defect("CODE-STAGE-MANIFEST")
class GivesAList(StagingRunner):
    """Writes a list of entries instead of an object."""

    around = staging(prelude=_listed)


@defect("CODE-STAGE-MANIFEST-ABSENT")
class AlwaysSetsTheManifest(StagingRunner):
    """Sets an empty object where nothing is staged."""

    around = staging(
        prelude=lambda self: f"import os\nos.environ[{STAGED_INPUTS_ENV!r}] = {json.dumps(self.manifest)!r}\n"
    )


class _Inheriting(AroundSession):
    async def execute(self, *, code: str, **stated: Any) -> Any:
        inherited = os.environ.get(STAGED_INPUTS_ENV)
        prelude = f"import os\nos.environ.setdefault({STAGED_INPUTS_ENV!r}, {inherited!r})\n" if inherited else ""
        return await super().execute(code=prelude + code, **stated)


@defect("CODE-STAGE-MANIFEST-ABSENT")
class InheritsTheManifest(Runner):
    """Lets the host's variable through."""

    around = _Inheriting


class _Configured(AroundSession):
    env: dict[str, str] = {}

    async def execute(self, *, code: str, **stated: Any) -> Any:
        return await super().execute(code=f"import os\nos.environ.update({self.env!r})\n{code}", **stated)


@defect("CODE-STAGE-MANIFEST-WINS")
class MergesTheOperatorsEnvironmentLast(Runner):
    """Lets a configured variable of that name override the manifest."""

    def __init__(self, *, env: dict[str, str] | None = None) -> None:
        super().__init__(env=env)
        self.around = type("_Own", (_Configured,), {"env": dict(env or {})})


def _sanitised(self: StagingSession, entry: Any) -> StagedCodeInput:
    staged = StagingSession.stage(self, entry)
    return staged.model_copy(update={"name": Path(staged.path).name.lower()})


@defect("CODE-STAGE-RESULT")
class ReturnsTheSanitisedName(StagingRunner):
    """Names the file where the input is asked for."""

    around = staging(stage=_sanitised)


def _as_text(self: StagingSession, path: Path, data: str | bytes) -> int:
    if isinstance(data, bytes):
        return path.write_bytes(data)
    return path.write_bytes("\n".join(data.splitlines()).encode()) and len(data.encode())


@defect("CODE-STAGE-BYTES")
class TranslatesLineEnds(StagingRunner):
    """Opens the file in text mode."""

    around = staging(write=_as_text)


def _counting(self: StagingSession, path: Path, data: str | bytes) -> int:
    StagingSession.write(self, path, data)
    return len(data)


@defect("CODE-STAGE-BYTES")
class CountsCharacters(StagingRunner):
    """Says how long the text is, not how many bytes were written."""

    around = staging(write=_counting)


def _by_file(self: StagingSession, entry: Any, path: Path) -> None:
    self.manifest[entry.file_name or entry.name] = str(path)


@defect("CODE-STAGE-KEY-IS-NAME")
class KeysTheManifestByFileName(StagingRunner):
    """Lists the file's name."""

    around = staging(note=_by_file)


class _Replacing(StagingSession):
    async def stage_inputs(self, inputs: Any) -> Any:
        self.manifest = {}
        return await super().stage_inputs(inputs)


@defect("CODE-STAGE-ACCUMULATES")
class ForgetsEarlierInputs(StagingRunner):
    """Has the last call's inputs in the manifest only."""

    around = _Replacing


def _joined(self: StagingSession, entry: Any) -> Path:
    path = self.folder / entry.name.replace("\0", "")
    if not str(path).startswith(tempfile.gettempdir()):
        raise PermissionError(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@defect("CODE-STAGE-NO-TRAVERSAL")
class JoinsTheNameAsGiven(StagingRunner):
    """Makes a path of whatever it is told."""

    around = staging(path_for=_joined)


def _slug(self: StagingSession, entry: Any) -> Path:
    return self.folder / ("".join(c if c.isalnum() or c in "._-" else "_" for c in entry.name) + "_")


@defect("CODE-STAGE-INJECTIVE")
class ReplacesWhatIsIllegal(StagingRunner):
    """Writes an underscore for every other character."""

    around = staging(path_for=_slug)


def _cut(self: StagingSession, entry: Any) -> Path:
    return self.folder / ("_" + "".join(c if c.isalnum() else f"%{ord(c):x}" for c in entry.name)[:120])


@defect("CODE-STAGE-INJECTIVE")
class CutsTheName(StagingRunner):
    """Keeps the first 120 characters."""

    around = staging(path_for=_cut)


@defect("CODE-STAGE-SAME-FILE-NAME")
class DerivesThePathFromTheFileName(StagingRunner):
    """Lets the second input overwrite the first."""

    around = staging(path_for=lambda self, entry: self.folder / self.segment(entry.file_name or entry.name))


def _hashed(self: StagingSession, entry: Any) -> Path:
    name = entry.file_name or entry.name
    return self.folder / (hashlib.sha256(f"{entry.name}/{name}".encode()).hexdigest() + Path(name).suffix)


@defect("CODE-STAGE-PLAIN-NAME-KEPT")
class HashesEveryName(StagingRunner):
    """Leaves nothing of the name but its extension."""

    around = staging(path_for=_hashed)


class _OneFolder(StagingSession):
    shared = Path(tempfile.gettempdir()) / f"one-folder-{os.getpid()}"

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self.folder.rmdir()
        self.folder = self.shared


@defect("CODE-STAGE-PER-SESSION")
class NamesTheFolderByTheInputOnly(StagingRunner):
    """Has one folder for all sessions."""

    around = _OneFolder


class _Keeping(StagingSession):
    async def stop(self) -> None:
        self.stopped = True
        await self.inner.stop()


@defect("CODE-STAGE-RELEASED")
class LeavesTheFolder(StagingRunner):
    """Stops, and leaves the files."""

    around = _Keeping


@defect("CODE-STAGE-AFTER-STOP")
class StagesIntoAStoppedSession(StagingRunner):
    """Makes the folder again."""

    around = staging(refuse=lambda self: None)


class _Strict(StagingSession):
    async def stop(self) -> None:
        if not self.stopped:
            for path in self.manifest.values():
                os.unlink(path)  # noqa: PTH108 - a path of the session, gone or not
        await super().stop()


@defect("CODE-STOP-ALREADY-GONE")
class MissesWhatIsGone(StagingRunner):
    """Raises where a staged file was removed before."""

    around = _Strict
