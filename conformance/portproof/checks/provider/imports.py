"""Importing a provider's module costs nothing: no credential, no connection."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import textwrap

from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, Violation, expect

_CREDENTIAL = re.compile(r"KEY|TOKEN|SECRET|CREDENTIAL|PASSWORD", re.IGNORECASE)
_CONNECTED, _NOT_IMPORTABLE, _RAISED = 3, 4, 5

#: Runs in a process of its own. Its arguments: the module's name, its file, and `sys.path`.
_IMPORT = textwrap.dedent(
    f"""
    import importlib, importlib.util, json, os, socket, sys, traceback

    name, file, path = json.loads(sys.argv[1])
    sys.path[:] = path
    tried = []
    connect = socket.socket.connect

    def refuse(self, address):
        if self.family not in (socket.AF_INET, socket.AF_INET6):
            return connect(self, address)
        tried.append(str(address))
        raise ConnectionRefusedError("no connections while a module is imported")

    def look_up(host, *rest, **named):
        tried.append(str(host))
        raise socket.gaierror("no look-ups while a module is imported")

    socket.socket.connect = socket.socket.connect_ex = refuse
    socket.getaddrinfo = look_up
    code = 0
    try:
        if importlib.util.find_spec(name.partition(".")[0]) or not file:
            importlib.import_module(name)
        else:
            spec = importlib.util.spec_from_file_location(name.rpartition(".")[2], file)
            spec.loader.exec_module(importlib.util.module_from_spec(spec))
    except BaseException as error:
        code = {_NOT_IMPORTABLE} if isinstance(error, ImportError) else {_RAISED}
        traceback.print_exc()
    if tried:
        code = {_CONNECTED}
        print("tried to reach", *tried, file=sys.stderr)
    sys.stderr.flush()
    os._exit(code)
    """
)


@check("PRV-KEY-NOT-READ-AT-IMPORT", any_answer=True)
async def importing_the_module_needs_no_key_and_sends_nothing(bench: ProviderBench) -> None:
    module = bench.subject.module
    assert module is not None
    done = await _import_alone(module, bench.deadline * 0.9)
    said = done.stderr.decode("utf-8", "replace").strip()
    last = said.rpartition("\n")[2]
    if done.returncode == _NOT_IMPORTABLE:
        raise NotTested(f"{module} cannot be imported in a process of its own: {last}")
    expect(done.returncode != _CONNECTED, f"importing {module} opens connections", last_line=last)
    if done.returncode != 0:
        raise Violation(f"importing {module} without credentials fails", last_line=last)


async def _import_alone(module: str, seconds: float) -> subprocess.CompletedProcess[bytes]:
    """The end of a fresh process that imported the module without credentials."""
    file = getattr(sys.modules.get(module), "__file__", None)
    command = [sys.executable, "-c", _IMPORT, json.dumps([module, file, sys.path])]
    environment = {name: value for name, value in os.environ.items() if not _CREDENTIAL.search(name)}
    try:
        return await asyncio.to_thread(
            subprocess.run, command, env=environment, capture_output=True, timeout=seconds, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise NotTested(f"importing {module} takes longer than {seconds:g} s") from None
