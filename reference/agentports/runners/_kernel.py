"""One running Jupyter kernel, as far as a code runner needs it."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import json
import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from queue import Empty
from typing import Any

from agentports.ports import InterpreterLostError, InterpreterMissingError
from agentports.runners import _kernel_setup
from agentports.runners._captures import Captures

__all__ = ["Kernel", "require_jupyter"]

_READY_S = 60.0
#: How often a silent kernel is asked whether it still lives, in seconds.
_PULSE_S = 0.25


def require_jupyter() -> None:
    """Raise `ImportError`, naming the extra, where its packages are not installed."""
    missing = [name for name in ("jupyter_client", "ipykernel") if importlib.util.find_spec(name) is None]
    if missing:
        raise ImportError(f"kernels need {' and '.join(missing)}: pip install 'portproof[jupyter]'")


class Kernel:
    """A Python kernel that `launch` started. It keeps its state until it is killed."""

    def __init__(self, place: Path) -> None:
        from jupyter_client.manager import AsyncKernelManager  # only those who use it need it

        place.mkdir()
        self._ipython = place / "ipython"
        # Sockets in our own directory: ports would have to be guessed free.
        self._manager = AsyncKernelManager(
            kernel_name="python3", transport="ipc", ip=str(place / "ipc"), connection_file=str(place / "kernel.json")
        )
        self._client: Any = None

    async def launch(self, *, env: Mapping[str, str], cwd: Path) -> None:
        """Start it. Raises `InterpreterMissingError` when it does not come up."""
        try:
            await self._launch({"IPYTHONDIR": str(self._ipython), **env}, str(cwd))
        except BaseException as error:
            await self.kill()
            if isinstance(error, Exception):
                raise InterpreterMissingError("the python3 kernel", str(error)) from error
            raise

    async def run(self, code: str, env: Mapping[str, str], output: Captures) -> tuple[bool, int | None]:
        """Run code with these variables set; return whether it ended well, and the status that it exited with.

        Raises `InterpreterLostError` when the kernel ends meanwhile.
        """
        variables = json.dumps(dict(env))
        await self._execute(f"__import__('os').environ.update(__import__('json').loads({variables!r}))", silent=True)
        reply = await self._execute(code, output)
        statuses = [each["status"] for each in reply.get("payload") or () if each.get("source") == "exit-status"]
        if statuses:
            return statuses[0] == 0, statuses[0]
        return reply["status"] == "ok", None

    async def kill(self) -> None:
        """End the kernel and everything in its process group."""
        if self._client is not None:
            self._client.stop_channels()
        group = getattr(self._manager.provisioner, "pgid", None)
        if group:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        await self._manager.shutdown_kernel(now=True)

    async def _launch(self, env: Mapping[str, str], cwd: str) -> None:
        await self._manager.start_kernel(
            env=dict(env),
            cwd=cwd,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            extra_arguments=["--HistoryManager.enabled=False"],
        )
        self._client = self._manager.client()
        self._client.start_channels(stdin=False, hb=False)
        await self._client.wait_for_ready(timeout=_READY_S)
        setup = inspect.getsource(_kernel_setup)
        await self._execute(f"exec({setup!r}, made := {{}}); made['set_up'](get_ipython()); del made", silent=True)

    async def _execute(self, code: str, output: Captures | None = None, *, silent: bool = False) -> dict[str, Any]:
        """Run code until the kernel is idle again, and return the reply."""
        asked = self._client.execute(code, silent=silent, store_history=False, allow_stdin=False, stop_on_error=False)
        while True:
            message = await self._of(asked, self._client.get_iopub_msg)
            content = message["content"]
            if message["msg_type"] == "stream" and output is not None:
                stream = output.stderr if content["name"] == "stderr" else output.stdout
                stream.add(content["text"])
            if message["msg_type"] == "status" and content["execution_state"] == "idle":
                break
        reply: dict[str, Any] = (await self._of(asked, self._client.get_shell_msg))["content"]
        if silent and reply["status"] != "ok":
            raise InterpreterLostError(None)
        return reply

    async def _of(self, asked: str, receive: Any) -> dict[str, Any]:
        """The next message that answers this request; what belongs to another one is dropped."""
        while True:
            try:
                message: dict[str, Any] = await receive(timeout=_PULSE_S)
            except Empty:
                if not await self._manager.is_alive():
                    raise InterpreterLostError(self._status()) from None
                continue
            if message["parent_header"].get("msg_id") == asked:
                return message

    def _status(self) -> int | None:
        status: int | None = self._manager.provisioner.process.poll()  # type: ignore[union-attr]
        return status
