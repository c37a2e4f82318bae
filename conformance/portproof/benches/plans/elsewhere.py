"""The encoder under test in other interpreters, whose hash seeds differ from ours."""

from __future__ import annotations

import inspect
import os
import pickle
import subprocess
import sys
from importlib.machinery import PathFinder
from typing import IO, Any

from portproof.benches.plans.serving import Address, found, serve
from portproof.subjects.subject import Subject

__all__ = ["Elsewhere"]

_SEEDS = ("1", "2")


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
        try:
            for interpreter in self._interpreters:
                _send(interpreter.stdin, values)
            return [pickle.load(interpreter.stdout) for interpreter in self._interpreters]  # type: ignore[arg-type]
        except (EOFError, OSError):
            return []

    def close(self) -> None:
        """End the interpreters."""
        for interpreter in self._interpreters:
            interpreter.kill()
            interpreter.communicate()


def _started(address: Address, seed: str) -> subprocess.Popen[bytes]:
    interpreter = subprocess.Popen(
        [sys.executable, "-c", f"from {serve.__module__} import serve; serve()"],
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


def _address_of(subject: Subject) -> Address | None:
    """Where the target is to be found again; None for what only this process has."""
    target = subject.target
    is_module = inspect.ismodule(target)
    module = target.__name__ if is_module else getattr(target, "__module__", None)
    name = "" if is_module else getattr(target, "__qualname__", None)
    if subject.problem or name is None or found(sys.modules.get(module or ""), name) is not target:
        return None
    if subject.parameters is not None and (subject.parameters.required or inspect.iscoroutinefunction(target)):
        return None
    top = str(module).partition(".")[0]
    origin = getattr(sys.modules.get(top), "__file__", None)
    packages = {top: origin} if origin and PathFinder.find_spec(top) is None else {}
    return Address(packages, str(module), name, subject.parameters is not None)
