"""Processes on this machine: which ones a subject started, and whether they are gone."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

import psutil

__all__ = ["below", "descendants", "end", "is_alive", "shown"]


def below() -> set[psutil.Process]:
    """Every process below this one; equal to no later one that is given the same id."""
    with contextlib.suppress(psutil.Error):
        return set(psutil.Process().children(recursive=True))
    return set()


def descendants() -> set[int]:
    """The ids of every process below this one."""
    return {child.pid for child in below()}


def is_alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and only waits to be reaped does not."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.Error:
        return False


def shown(pid: int) -> str:
    """The process id with its command line, for people."""
    try:
        return f"{pid} ({' '.join(psutil.Process(pid).cmdline())[:120]})"
    except psutil.Error:
        return f"{pid}"


def end(pids: Iterable[int]) -> None:
    """Kill what is left of these processes."""
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            psutil.Process(pid).kill()
