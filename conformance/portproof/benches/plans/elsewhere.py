"""The encoder under test in other interpreters, whose hash seeds differ from ours."""

from __future__ import annotations

import importlib.util
import inspect
import os
import pickle
import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from portproof.benches.plans.carrying import Carrier
from portproof.subjects.subject import Subject

__all__ = ["Elsewhere"]

_SEEDS = ("1", "2")


@dataclass(frozen=True)
class _Address:
    """How to find an object in another interpreter; `packages` are those that no search path leads to."""

    packages: dict[str, str]
    module: str
    name: str
    is_built: bool


class Elsewhere:
    """Interpreters that are started when they are first asked, and stay until they are closed."""

    def __init__(self, subject: Subject) -> None:
        self._address = _address_of(subject)
        self._interpreters: list[subprocess.Popen[bytes]] = []

    def encode(self, values: list[Any]) -> list[list[bytes | str]]:
        """The encodings of the values, of the contract's classes, once for each seed; in place of one, what was raised.

        Empty where the subject cannot be imported elsewhere, or needs arguments.
        """
        if self._address is None:
            return []
        if not self._interpreters:
            self._interpreters = [_started(self._address, seed) for seed in _SEEDS]
        for interpreter in self._interpreters:
            _send(interpreter.stdin, values)
        try:
            return [pickle.load(interpreter.stdout) for interpreter in self._interpreters]  # type: ignore[arg-type]
        except EOFError:
            return []

    def close(self) -> None:
        """End the interpreters."""
        for interpreter in self._interpreters:
            interpreter.kill()
            interpreter.communicate()


def _started(address: _Address, seed: str) -> subprocess.Popen[bytes]:
    interpreter = subprocess.Popen(
        [sys.executable, "-c", f"from {__name__} import serve; serve()"],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    _send(interpreter.stdin, address)
    return interpreter


def _send(pipe: IO[bytes] | None, message: Any) -> None:
    assert pipe is not None
    pickle.dump(message, pipe)
    pipe.flush()


def _address_of(subject: Subject) -> _Address | None:
    """Where the target is to be found again; None for what only this process has."""
    target = subject.target
    is_module = inspect.ismodule(target)
    module = target.__name__ if is_module else getattr(target, "__module__", None)
    name = "" if is_module else getattr(target, "__qualname__", None)
    if subject.problem or name is None or _found(sys.modules.get(module or ""), name) is not target:
        return None
    if subject.parameters is not None and (subject.parameters.required or inspect.iscoroutinefunction(target)):
        return None
    top = str(module).partition(".")[0]
    origin = getattr(sys.modules.get(top), "__file__", None)
    packages = {top: origin} if origin and PathFinder.find_spec(top) is None else {}
    return _Address(packages, str(module), name, subject.parameters is not None)


def _found(module: ModuleType | None, name: str) -> Any:
    found: Any = module
    for part in filter(None, name.split(".")):
        found = getattr(found, part, None)
    return found


def serve() -> None:
    """Encode what comes in on standard input until it ends. Run in the other interpreter."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    codec = _imported(pickle.load(source))
    carrier = Carrier(codec)
    while True:
        try:
            values = pickle.load(source)
        except EOFError:
            return
        pickle.dump([_encoded(codec, carrier.value(value)) for value in values], sink)
        sink.flush()


def _encoded(codec: Any, value: Any) -> bytes | str:
    try:
        data = codec.encode(value)
        return data if isinstance(data, bytes) else repr(data)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _imported(address: _Address) -> Any:
    for package, file in address.packages.items():
        _load_package(package, file)
    target = _found(import_module(address.module), address.name)
    return target() if address.is_built else target


def _load_package(name: str, file: str) -> None:
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[str(Path(file).parent)])
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
