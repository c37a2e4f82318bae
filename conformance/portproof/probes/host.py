"""What a subject could inherit from the harness's own process, planted for a while."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["host_variable", "open_standard_input"]


@contextmanager
def host_variable(name: str, value: str) -> Iterator[None]:
    """Set an environment variable of this process."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


@contextmanager
def open_standard_input(text: str) -> Iterator[None]:
    """Make descriptor 0 a pipe that holds a text and never ends, which a child that inherits it reads and waits at."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    try:
        before = os.dup(0)
    except OSError:
        before = os.open(os.devnull, os.O_RDONLY)
    os.dup2(reading, 0)
    try:
        yield
    finally:
        os.dup2(before, 0)
        for descriptor in (before, reading, writing):
            os.close(descriptor)
