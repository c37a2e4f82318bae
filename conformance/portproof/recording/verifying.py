"""The last look at a cassette before it is written: no known secret stands in it, read whichever way."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

import yaml

from portproof.recording.frames import CONTENT_TYPE, frames_of
from portproof.recording.marks import marks
from portproof.recording.readings import readings
from portproof.recording.refusals import Refused
from portproof.recording.scrubbing import Scrubbed
from portproof.recording.secrets import Secrets
from portproof.recording.texts import Framing, deltas, regions_of

__all__ = ["verify"]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TOGETHER = "stream, put together,"


def verify(text: str, scrubbed: Scrubbed, content_type: str, also: Set[str], secrets: Secrets) -> None:
    """Raise `Refused` where a secret is found in a cassette's text, or where the text does not hold these bodies."""
    interaction = yaml.load(text, _LOADER)["interactions"][0]
    body = _bytes(interaction["response"]["body"]["string"])
    if (body, _bytes(interaction["request"]["body"])) != (scrubbed.body, scrubbed.asked_body):
        raise Refused("YAML does not keep a body as it is")
    framing = frames_of(body) if content_type.lower().startswith(CONTENT_TYPE) else None
    sought = [(value.encode(), where) for value, where in secrets]
    _look_at("file", text.encode(), sought)
    for place, data in _places(scrubbed, body, framing):
        for reading in readings(data):
            _look_at(place, reading, sought)
    for said in deltas(body, framing):
        _look_for_marks(said.encode("utf-8", "replace"), also)


def _look_at(place: str, data: bytes, sought: list[tuple[bytes, str]]) -> None:
    for value, where in sought:
        if value in data:
            raise Refused(f"the {place} still holds the secret of the {where}, in a form that was not replaced")


def _look_for_marks(said: bytes, also: Set[str]) -> None:
    """What shows a secret only when the pieces of a stream are put together cannot be replaced piece by piece."""
    for mark in marks(said, also):
        if mark.kind != "identity" and "EXAMPLE" not in mark.value:
            raise Refused(f"the {_TOGETHER} holds something that has the name or form of a secret")


def _places(scrubbed: Scrubbed, body: bytes, framing: Framing) -> Iterator[tuple[str, bytes]]:
    values = (value for _, value in (*scrubbed.asked_headers, *scrubbed.headers))
    yield "head", "\n".join((scrubbed.uri, scrubbed.reason, *values)).encode()
    yield "request body", scrubbed.asked_body
    yield "response body", b"\n".join(body[start:end] for start, end in regions_of(body, framing))
    yield _TOGETHER, "\n".join(deltas(body, framing)).encode("utf-8", "replace")


def _bytes(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value
