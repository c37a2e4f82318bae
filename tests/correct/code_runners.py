"""Code runners of other makes: threads and dictionaries, one live interpreter, files under hashed names."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import signal as signals
import subprocess
import sys
import tempfile
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from agentports.ports import AbortSignal

__all__ = ["Beside", "Frugal", "Hashing", "Living", "Threaded", "opened"]


class Stopped(Exception):
    """The session is over."""


class Late(Exception):
    """It took too long."""


@dataclass
class Said:
    """A result without exit code, artifacts or cuts."""

    ok: bool
    stdout: str
    stderr: str


class _Children:
    """Runs each call in a thread that waits for a process group."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.running: set[subprocess.Popen[bytes]] = set()
        self.over = False

    async def run(
        self, code: str, timeout_ms: int | None, signal: AbortSignal | None, env: dict[str, str]
    ) -> tuple[int, bytes, bytes]:
        if signal is not None:
            signal.raise_if_aborted()
        if self.over:
            raise Stopped("this session was stopped")
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            script.write(code)
            script.flush()
            child = subprocess.Popen(  # noqa: ASYNC220 - the point of this one: threads, not asyncio's processes
                [sys.executable, script.name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=env,
                cwd=self.folder,
                start_new_session=True,
            )
            self.running.add(child)
            aborted = asyncio.ensure_future(signal.wait() if signal is not None else asyncio.Event().wait())
            talking = asyncio.ensure_future(asyncio.to_thread(child.communicate))
            try:
                limit = (timeout_ms or 30_000) / 1000
                await asyncio.wait({talking, aborted}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
                if not talking.done() and not aborted.done():
                    raise Late(f"stopped after {limit:g} seconds")
                if not talking.done() and signal is not None:
                    signal.raise_if_aborted()
                out, err = await talking
                if self.over:
                    raise Stopped("this session was stopped while its code ran")
                return child.returncode, out, err
            finally:
                aborted.cancel()
                kill(child)
                await asyncio.shield(talking)
                self.running.discard(child)

    def end(self) -> None:
        self.over = True
        for child in self.running:
            kill(child)


def kill(child: subprocess.Popen[bytes]) -> None:
    """End a process and what it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signals.SIGKILL)


def allowed() -> dict[str, str]:
    """What code may see of the host's environment."""
    return {"PATH": os.environ.get("PATH", os.defpath)}


class Threaded:
    """Answers with dataclasses; stages nothing, reports no files, never cuts."""

    id = "threaded"

    async def start(self, *, key: str, language: str | None = None, signal: AbortSignal | None = None) -> Any:
        if signal is not None:
            signal.raise_if_aborted()
        check(language)
        return _ThreadedSession(hashlib.sha256(key.encode()).hexdigest())


def check(language: str | None) -> None:
    """Know one language, under two names."""
    if language not in (None, "python", "python3"):
        raise ValueError(f"no such language: {language}")


class _ThreadedSession:
    __slots__ = ("_children", "_id")

    def __init__(self, session_id: str) -> None:
        self._id = session_id
        self._children = _Children()

    @property
    def id(self) -> str:
        return self._id

    async def execute(self, code: str, language: str | None = None, timeout_ms: Any = None, signal: Any = None) -> Any:
        check(language)
        status, out, err = await self._children.run(code, timeout_ms, signal, allowed())
        return Said(status == 0, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))

    async def stop(self) -> None:
        self._children.end()


class Hashing:
    """Stages under hashed folders, keeps the first characters of what is long, answers with dictionaries."""

    id = "hashing"

    def __init__(self, max_output_chars: int = 5000, env: dict[str, str] | None = None) -> None:
        self.limit = max_output_chars
        self.env = dict(env or {})

    async def start(self, *, key: str, language: str | None = None, signal: AbortSignal | None = None) -> Any:
        if signal is not None:
            signal.raise_if_aborted()
        check(language)
        return _HashingSession(
            self, Path(tempfile.mkdtemp(prefix=f"h-{hashlib.sha256(key.encode()).hexdigest()[:8]}-"))
        )


class _HashingSession:
    def __init__(self, runner: Hashing, folder: Path) -> None:
        self.id = folder.name
        self.runner = runner
        self.folder = folder
        self.children = _Children()
        self.paths: dict[str, str] = {}

    async def execute(self, **call: Any) -> dict[str, Any]:
        check(call.get("language"))
        manifest = {"AF_STAGED_INPUTS": json.dumps(self.paths)} if self.paths else {}
        env = allowed() | {k: v for k, v in self.runner.env.items() if k != "AF_STAGED_INPUTS"} | manifest
        status, *streams = await self.children.run(call["code"], call.get("timeout_ms"), call.get("signal"), env)
        texts = dict(zip(("stdout", "stderr"), (stream.decode("utf-8", "replace") for stream in streams), strict=True))
        limit = self.runner.limit
        cut = {name: True for name, text in texts.items() if len(text) > limit}
        result: dict[str, Any] = {"ok": status == 0, "exit_code": status, "artifacts": []}
        result |= {name: text[:limit] for name, text in texts.items()}
        return result | ({"truncated": cut | {"of_chars": max(len(texts[name]) for name in cut)}} if cut else {})

    async def stage_inputs(self, inputs: Any) -> list[SimpleNamespace]:
        if self.children.over:
            raise Stopped("this session was stopped")
        staged = []
        for entry in inputs:
            data = entry.data.encode() if isinstance(entry.data, str) else entry.data
            name = entry.file_name or entry.name
            plain = name.isascii() and 0 < len(name) <= 120 and name.strip(".") and not set(name) - _PLAIN
            folder = self.folder / hashlib.sha256(entry.name.encode()).hexdigest()
            folder.mkdir(exist_ok=True)
            path = folder / (name if plain else "input" + "".join(c for c in Path(name).suffix if c in _PLAIN)[:9])
            path.write_bytes(data)
            self.paths[entry.name] = str(path)
            staged.append(SimpleNamespace(name=entry.name, path=str(path), bytes=len(data)))
        return staged

    async def stop(self) -> None:
        self.children.end()
        shutil.rmtree(self.folder, ignore_errors=True)


_PLAIN = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


class Beside(Hashing):
    """Runs code in the folder of its inputs and names them from there; without a limit, or with 0, nothing is cut."""

    id = "beside"

    def __init__(self, max_output_chars: int = 0) -> None:
        super().__init__(max_output_chars or sys.maxsize)

    async def start(self, *, key: str, language: str | None = None, signal: AbortSignal | None = None) -> Any:
        session = await super().start(key=key, language=language, signal=signal)
        return _BesideSession(self, session.folder)


class _BesideSession(_HashingSession):
    def __init__(self, runner: Hashing, folder: Path) -> None:
        super().__init__(runner, folder)
        self.children = _Children(folder)

    async def stage_inputs(self, inputs: Any) -> list[SimpleNamespace]:
        staged = await super().stage_inputs(inputs)
        for entry in staged:
            entry.path = self.paths[entry.name] = str(Path(entry.path).relative_to(self.folder))
        return staged


@asynccontextmanager
async def opened() -> Any:
    """A runner that is entered, and whose sessions end with it."""
    runner = Hashing()
    sessions: list[Any] = []
    start = runner.start

    async def starting(*, key: str, language: str | None = None, signal: AbortSignal | None = None) -> Any:
        sessions.append(await start(key=key, language=language, signal=signal))
        return sessions[-1]

    runner.start = starting  # type: ignore[method-assign]
    try:
        yield runner
    finally:
        for session in sessions:
            await session.stop()


_WORKER = """
import contextlib, io, json, os, sys, traceback
talk = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
names = {"__name__": "__main__"}
for line in sys.stdin:
    out, err, ok = io.StringIO(), io.StringIO(), True
    sys.stdin = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            exec(compile(json.loads(line), "<code>", "exec"), names)
        except SystemExit as leaving:
            ok = leaving.code in (None, 0)
        except BaseException:
            ok = False
            traceback.print_exc()
    print(json.dumps([ok, out.getvalue(), err.getvalue()]), file=talk, flush=True)
"""


class Living:
    """Keeps one interpreter a session, whose calls queue; after a kill every call raises, clearly."""

    id = "living"

    async def start(self, *, key: str, language: str | None = None, signal: AbortSignal | None = None) -> Any:
        if signal is not None:
            signal.raise_if_aborted()
        check(language)
        return await _LivingSession.begun(key)


class Lost(Exception):
    """The interpreter is gone, and its state with it."""


class _LivingSession:
    def __init__(self, session_id: str, process: asyncio.subprocess.Process) -> None:
        self.id = session_id
        self._process = process
        self._turn = asyncio.Lock()
        self._gone: str | None = None

    @classmethod
    async def begun(cls, key: str) -> _LivingSession:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _WORKER),
            stdin=pipe,
            stdout=pipe,
            stderr=asyncio.subprocess.DEVNULL,
            env=allowed(),
            start_new_session=True,
            limit=1 << 26,
        )
        return cls(f"living-{hashlib.sha256(key.encode()).hexdigest()}-{process.pid}", process)

    async def execute(self, *, code: str, language: Any = None, timeout_ms: Any = None, signal: Any = None) -> Any:
        check(language)
        if signal is not None:
            signal.raise_if_aborted()
        async with self._turn:
            if self._gone:
                raise Lost(self._gone)
            return await self._asked(code, (timeout_ms or 30_000) / 1000, signal)

    async def _asked(self, code: str, limit: float, signal: AbortSignal | None) -> Said:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(code).encode() + b"\n")
        answer = asyncio.ensure_future(self._process.stdout.readline())
        aborted = asyncio.ensure_future(signal.wait() if signal is not None else asyncio.Event().wait())
        try:
            await asyncio.wait({answer, aborted}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                if signal is not None and aborted.done():
                    signal.raise_if_aborted()
                raise Late(f"no answer within {limit:g} s")
            if not answer.result():
                raise Lost(self._gone or "the interpreter ended under the code")
            return Said(*json.loads(answer.result()))
        except BaseException as error:
            await self._lose(f"the interpreter was ended: {type(error).__name__}")
            raise
        finally:
            aborted.cancel()
            answer.cancel()

    async def _lose(self, why: str) -> None:
        self._gone = self._gone or why
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signals.SIGKILL)
        await self._process.wait()

    async def stop(self) -> None:
        await self._lose("the session was stopped")


class Frugal:
    """Opens the service's session at the first execute, and asks it to stop behind the caller's back, once."""

    id = "frugal"

    def __init__(self, service: Any) -> None:
        self.service = service

    async def start(self, *, key: str, language: str | None = None, signal: AbortSignal | None = None) -> Any:
        if signal is not None:
            signal.raise_if_aborted()
        check(language)
        name = hashlib.sha256(key.encode()).hexdigest()
        opened = await self.service.start_session(name=name)
        if not opened.get("session_id"):
            raise RuntimeError("the service named no session")
        if signal is not None and signal.aborted:
            await self.service.stop_session(session_id=opened["session_id"])
            signal.raise_if_aborted()
        return _FrugalSession(self.service, str(opened["session_id"]))


class _FrugalSession:
    def __init__(self, service: Any, session_id: str) -> None:
        self.id = session_id
        self.service = service
        self.stopping: asyncio.Future[None] | None = None

    async def execute(self, *, code: str, language: Any = None, timeout_ms: Any = None, signal: Any = None) -> Any:
        if language not in (None, "python"):
            raise ValueError(f"no such language: {language}")
        if self.stopping is not None:
            raise Stopped(self.id)
        if signal is not None:
            signal.raise_if_aborted()
        events = self.service.invoke(session_id=self.id, code=code, language="python")
        if events is None:
            raise RuntimeError("there is no stream of events")
        reading = asyncio.ensure_future(self._read(events))
        aborted = asyncio.ensure_future(signal.wait() if signal is not None else asyncio.Event().wait())
        limit = (timeout_ms or 30_000) / 1000
        try:
            await asyncio.wait({reading, aborted}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                return reading.result()
            if signal is not None and aborted.done():
                signal.raise_if_aborted()
            raise Late(f"no end within {limit:g} s")
        finally:
            aborted.cancel()
            reading.cancel()
            await asyncio.wait({reading})
            if reading.cancelled():
                await events.aclose()

    async def _read(self, events: Any) -> Any:
        async for event in events:
            if "error" in event:
                raise RuntimeError(f"{event['error']['name']}: {event['error'].get('message')}")
            result = event["result"]
            failed = result.get("is_error") or result.get("exit_code")
            return SimpleNamespace(ok=not failed, stdout=result["stdout"], stderr=result["stderr"])
        raise RuntimeError("the stream ended without a result")

    async def stop(self) -> None:
        if self.stopping is None:
            self.stopping = asyncio.ensure_future(self._stopped())
        await asyncio.shield(self.stopping)

    async def _stopped(self) -> None:
        try:
            await self.service.stop_session(session_id=self.id)
        except Exception as error:
            if getattr(error, "name", "") != "not_found":
                raise
