"""An empty PostgreSQL database for a test, where a server is named."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from portproof.subjects.places import Place

__all__ = ["empty_database"]

#: A server on which databases can be made.
_SERVER = "PORTPROOF_TEST_POSTGRES"


@contextmanager
def empty_database() -> Iterator[str]:
    """Its connection string. Skips the test where no server is named."""
    server = os.environ.get(_SERVER)
    if server is None:
        pytest.skip(f"{_SERVER} names no server")
    place = Place({"dsn": server})
    try:
        yield place.dsn()
    finally:
        place.close()
