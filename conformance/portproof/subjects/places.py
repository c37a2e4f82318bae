"""Where a subject keeps what it keeps, so that it can be built again over the same place."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from portproof.errors import UsageProblem
from portproof.subjects.supply import OnDemand

__all__ = ["Place"]

_POSTGRES = re.compile(r"(postgres(?:ql)?)((?:\+\w+)?://[^/?]*)(?:/[^?]*)?(\?.*)?")


class Place:
    """An empty directory; and an empty database where the option `dsn` names a PostgreSQL server.

    Databases are made on that server, and dropped in the end. Any other `dsn` is handed on as it is.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._exits = ExitStack()
        self._directory: Path | None = None
        self._server = str(options["dsn"]) if "dsn" in options else None
        self._dsn: str | None = None

    @property
    def is_fresh(self) -> bool:
        """Whether it is empty at first: not where a database is shared by all."""
        return self._server is None or _POSTGRES.fullmatch(self._server) is not None

    @property
    def directory(self) -> Path:
        """The directory, made when it is first asked for."""
        if self._directory is None:
            around = self._exits.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
            self._directory = Path(around, "place")  # so that what is put beside it is seen, and removed as well
            self._directory.mkdir()
        return self._directory

    def dsn(self) -> str:
        """The connection string. Raises `UsageProblem` for a server that makes no database."""
        assert self._server is not None
        if self._dsn is None:
            match = _POSTGRES.fullmatch(self._server)
            self._dsn = self._server if match is None else self._fresh_database(*match.groups(default=""))
        return self._dsn

    def supply(self) -> dict[str, Any]:
        """What a factory may name; the place outlives what is built there."""
        places: dict[str, Any] = {"tmp_path": OnDemand(lambda exits: self.directory)}
        return places if self._server is None else places | {"dsn": OnDemand(lambda exits: self.dsn())}

    def supply_once(self) -> dict[str, Any]:
        """The same for one build, with which the place is removed."""

        def for_one_build(wanted: OnDemand) -> OnDemand:
            def make(exits: AsyncExitStack) -> Any:
                exits.callback(self.close)
                return wanted.make(exits)

            return OnDemand(make)

        return {name: for_one_build(wanted) for name, wanted in self.supply().items()}

    def close(self) -> None:
        """Remove all of it."""
        with suppress(Exception):  # what still writes there loses nothing of anybody's
            self._exits.close()

    def _fresh_database(self, scheme: str, server: str, query: str) -> str:
        name = f"portproof_{uuid4().hex[:12]}"
        _administer(self._server, f"CREATE DATABASE {name}")
        self._exits.callback(_administer, self._server, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        return f"{scheme}{server}/{name}{query}"


def _administer(server: str | None, statement: str) -> None:
    try:
        import psycopg
    except ImportError as error:
        raise UsageProblem(
            "--adapter-option dsn: databases are made with psycopg: pip install 'portproof[postgres]'"
        ) from error
    plain = re.sub(r"^(\w+)\+\w+://", r"\1://", server or "")
    try:
        with psycopg.connect(plain, autocommit=True) as connection:
            connection.execute(statement.encode())
    except psycopg.Error as error:
        raise UsageProblem(
            f"--adapter-option dsn: no database could be made on {plain}: {error}. It must name a server and a user "
            "that may create databases; each run makes its own there, and drops them."
        ) from error
