"""Exchanges become files: scrubbed, looked through once more, written under a name that is free."""

from __future__ import annotations

from collections.abc import Set
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from agentports.sim import wire_named
from portproof.recording.cassette import cassette, kind_of
from portproof.recording.exchanges import Exchange
from portproof.recording.hosts import vendor_at
from portproof.recording.refusals import Refused
from portproof.recording.scrubbing import scrubbed
from portproof.recording.secrets import Secrets
from portproof.recording.verifying import verify

__all__ = ["Recorder"]

_STAMP = "cap-{:%Y%m%d-%H%M%S}-{:03}"


class Recorder:
    """Writes the exchanges of one run below a folder, and counts what became of them.

    A credential that one exchange shows is looked for in all that follow. `also` are further names of secrets. Not
    for several threads at once.
    """

    def __init__(self, wire: str, upstream: httpx.URL, out: Path, also: Set[str] = frozenset()) -> None:
        self._wire = wire_named(wire)
        self._upstream, self._also = upstream, also
        self._vendor = vendor_at(upstream.host, wire)
        self._out = out / self._vendor
        self._secrets = Secrets()
        self._numbers = count(1)
        self.written: list[Path] = []
        self.refused = 0
        self.passed_on = 0

    def asks(self, exchange: Exchange) -> bool:
        """Whether the exchange is one of the recorded wire."""
        return self._wire.asks(exchange.asked.recorded())

    def record(self, exchange: Exchange) -> str:
        """Write one exchange down, or refuse to; say which."""
        if not self.asks(exchange):
            self.passed_on += 1
            return f"not recorded: no request of {self._wire.name}"
        try:
            path = self._write(exchange)
        except Refused as refusal:
            return self.refuse(f"REFUSED: {refusal}")
        except OSError as error:
            return self.refuse(f"NOT WRITTEN: {error}")
        self.written.append(path)
        return f"wrote {path}"

    def refuse(self, reason: str) -> str:
        """Count an exchange of which there is no cassette, for this reason."""
        self.refused += 1
        return reason

    def _write(self, exchange: Exchange) -> Path:
        _check_signature(exchange)
        secrets = self._secrets = self._secrets.credentials()
        clean = scrubbed(exchange, self._upstream, self._also, secrets)
        at = datetime.now(UTC)
        path = self._free_path(at, kind_of(exchange.answer))
        about: dict[str, Any] = {
            "id": path.stem[: len(_STAMP.format(at, 0))].upper(),
            "vendor": self._vendor,
            "wire": self._wire.name,
        }
        text = cassette(clean, exchange.asked.method, exchange.answer, about, at)
        verify(text, clean, exchange.answer.header("content-type"), self._also, secrets)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def _free_path(self, at: datetime, kind: str) -> Path:
        paths = (self._out / f"{_STAMP.format(at, n)}-{kind.replace('_', '-')}.yaml" for n in self._numbers)
        return next(path for path in paths if not path.exists())


def _check_signature(exchange: Exchange) -> None:
    """AWS signatures hold for one host, and clients sign for the proxy's."""
    signed = exchange.asked.header("authorization").startswith("AWS4-HMAC-SHA256")
    body = b"".join(piece.data for piece in exchange.answer.pieces)
    if signed and exchange.answer.status == 403 and b"ignature" in body:
        raise Refused(
            "the vendor did not take the signature, which the client made for this proxy's address; a Bedrock API key "
            "needs none (boto3 sends it over HTTPS only, other clients send it here too)"
        )
