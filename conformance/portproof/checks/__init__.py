"""The checks, one a rule, in one folder a port."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

__all__ = ["load_all"]


@cache
def load_all() -> None:
    """Import every module of this package, so that its checks are registered."""
    for module in pkgutil.walk_packages(__path__, __name__ + "."):
        import_module(module.name)
