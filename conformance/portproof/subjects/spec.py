"""The text after `--adapter`: `[PORT=]TARGET`."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portproof.errors import UsageProblem
from portproof.running.guard import Hung, interruptible, no_exit
from portproof.running.plain import place_of, told

__all__ = ["Spec", "import_target", "parse_spec"]

_PORT = re.compile(r"^([a-z][a-z-]*)=(.+)$", re.DOTALL)
_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_IMPORT_DEADLINE_S = 30.0


@dataclass(frozen=True)
class Spec:
    """A subject as it was named: the whole text, the port if it was stated, module, and attribute if not the module.

    One that is given by its address has a `url`, and no module.
    """

    text: str
    port: str | None
    module: str
    attribute: str
    url: str | None = None


def parse_spec(text: str) -> Spec:
    """Read `[PORT=]module:attribute`, `PORT=module` for a module that is itself the subject, or `PORT=http://…`.

    Raises `UsageProblem` that says what the text lacks.
    """
    match = _PORT.match(text)
    port, target = (match[1], match[2]) if match else (None, text)
    if port is not None and target.startswith("http://"):
        return Spec(text, port, "", "", url=target)
    if target.startswith(("http://", "https://", "cmd:")):
        raise UsageProblem(
            f"--adapter {text}: subjects given by URL or command are not supported for these ports. Write "
            "module:attribute, such as mypkg:Provider; or, for a port that can be asked by URL, http:// with the port "
            f"before it: relay-server={target if target.startswith('http:') else 'http://127.0.0.1:8000/relay'}."
        )
    if not re.fullmatch(f"{_DOTTED}:{_DOTTED}" if port is None else f"{_DOTTED}(:{_DOTTED})?", target):
        raise UsageProblem(
            f"--adapter {text}: not a target. Write module:attribute, such as mypkg.providers:Provider, "
            "with the port before it where needed: provider=mypkg.providers:Provider."
        )
    module, _, attribute = target.partition(":")
    return Spec(text, port, module, attribute)


def import_target(spec: Spec) -> Any:
    """The class, factory or instance that the spec names. The current directory is importable.

    Raises `UsageProblem` for a module or attribute that is not there, or a module that fails when imported.
    """
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    target: Any = _import(spec)
    for depth, name in enumerate(spec.attribute.split(".") if spec.attribute else ()):
        try:
            target = getattr(target, name)
        except AttributeError:
            where = ".".join([spec.module, *spec.attribute.split(".")[:depth]])
            raise UsageProblem(
                f"--adapter {spec.text}: {where} has no attribute {name!r}. It has: {_offers(target)}."
            ) from None
        except ImportError as error:  # of a module that imports what it offers when it is asked for
            raise UsageProblem(f"--adapter {spec.text}: importing {name} failed: {error}.") from error
    return target


def _offers(target: Any) -> str:
    """The public names of a module or class, those that it defines itself first."""
    names = [name for name in dir(target) if not name.startswith("_") and hasattr(target, name)]
    public = [name for name in names if not inspect.ismodule(getattr(target, name))]
    home = getattr(target, "__name__", None)
    own = [name for name in public if getattr(getattr(target, name), "__module__", None) == home]
    return ", ".join(own or public) or "nothing public"


def _import(spec: Spec) -> Any:
    try:
        with interruptible(_IMPORT_DEADLINE_S), no_exit():
            return importlib.import_module(spec.module)
    except Hung as error:
        raise UsageProblem(f"--adapter {spec.text}: importing {spec.module} hangs ({error}).") from None
    except ModuleNotFoundError as error:
        if error.name and (spec.module == error.name or spec.module.startswith(error.name + ".")):
            raise UsageProblem(
                f"--adapter {spec.text}: there is no module {error.name!r} in {Path.cwd()} or on sys.path. "
                "Run from the directory that holds it, or install its package."
            ) from None
        raise UsageProblem(f"--adapter {spec.text}: importing {spec.module} failed: {error}.") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        where = place_of(error)
        raise UsageProblem(f"--adapter {spec.text}: importing {spec.module} raised {told(error)}{where}.") from error
