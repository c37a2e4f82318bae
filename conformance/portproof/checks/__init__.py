"""The checks, one a rule, in folders by port."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

__all__ = ["load", "load_all"]


@cache
def load(folder: str) -> None:
    """Import every module of a folder, so that its checks are registered."""
    package = import_module(f"{__name__}.{folder}")
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        import_module(module.name)


@cache
def load_all() -> None:
    """Import every module of every folder."""
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            load(module.name)
