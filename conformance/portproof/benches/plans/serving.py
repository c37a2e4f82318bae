"""An encoder that answers in an interpreter of its own. Imports little, since it is waited for."""

from __future__ import annotations

import importlib.util
import pickle
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from portproof.benches.plans.carrying import Carrier

__all__ = ["Address", "found", "serve"]


@dataclass(frozen=True)
class Address:
    """How to find an object in another interpreter; `packages` are those that no search path leads to."""

    packages: dict[str, str]
    module: str
    name: str
    is_built: bool


def found(module: ModuleType | None, name: str) -> Any:
    """What the dotted name leads to in the module; the module itself without one, None where it leads nowhere."""
    part: Any = module
    for step in filter(None, name.split(".")):
        part = getattr(part, step, None)
    return part


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


def _imported(address: Address) -> Any:
    for package, file in address.packages.items():
        _load_package(package, file)
    target = found(import_module(address.module), address.name)
    return target() if address.is_built else target


def _load_package(name: str, file: str) -> None:
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[str(Path(file).parent)])
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
