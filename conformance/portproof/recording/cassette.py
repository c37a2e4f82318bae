"""A scrubbed exchange as a cassette: VCR.py's interaction, and what is known beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from agentports.sim.recordings import About, Delivery, Origin, written
from portproof.recording.exchanges import Answer, Ending, Headers
from portproof.recording.frames import CONTENT_TYPE, frames_of
from portproof.recording.scrubbing import Scrubbed

__all__ = ["cassette", "kind_of"]

_KNOWN = ("request", "status", "headers", "body", "chunk boundaries", "pauses")


def cassette(scrubbed: Scrubbed, method: str, answer: Answer, about: Mapping[str, Any], at: datetime) -> str:
    """Return the text of a cassette; `about` has its id, vendor and wire."""
    section = About.model_validate(
        {
            **about,
            "class": kind_of(answer),
            "delivery": _delivery(scrubbed.body, answer),
            "origin": Origin(kind="captured", source="portproof record", date=f"{at:%Y-%m-%d}"),
            "known": _KNOWN,
            "assumed": ("end of the body",) if answer.ending == "client-left" else (),
            "note": _NOTES.get(answer.ending, ""),
            "chunks": (scrubbed.sizes,),
            "waits_ms": (scrubbed.waits_ms,),
            "cut": answer.ending != "finished",
        }
    )
    return written(section, [_interaction(scrubbed, method, answer)])


_ENDS_OF_LINES = re.compile("[\x85\u2028\u2029]")

_NOTES: dict[Ending, str] = {
    "client-left": "The client left before the answer ended; what would have come is not known.",
    "vendor-cut": "The connection broke before the answer ended.",
}


def kind_of(answer: Answer) -> str:
    """The class of a recording: what the proxy can tell without judging."""
    if answer.status >= 400:
        return f"http_{answer.status}"
    return "cut" if answer.ending == "vendor-cut" else "answer"


def _interaction(scrubbed: Scrubbed, method: str, answer: Answer) -> dict[str, Any]:
    return {
        "request": {
            "method": method,
            "uri": scrubbed.uri,
            "body": _string(scrubbed.asked_body),
            "headers": _lists(scrubbed.asked_headers),
        },
        "response": {
            "status": {"code": answer.status, "message": scrubbed.reason},
            "headers": _lists(scrubbed.headers),
            "body": {"string": _string(scrubbed.body)},
        },
    }


def _lists(headers: Headers) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    for name, value in headers:
        lists.setdefault(name, []).append(value)
    return lists


def _string(body: bytes) -> str | bytes:
    """Text, unless it is broken off within a character or has ends of lines that YAML takes for its own."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return body
    return body if _ENDS_OF_LINES.search(text) else text


def _delivery(body: bytes, answer: Answer) -> Delivery:
    if answer.ending == "vendor-cut":
        return "connection_closed"
    kind = answer.header("content-type").lower()
    if answer.status == 200 and kind.startswith(CONTENT_TYPE):
        return "eventstream_exception" if b"exception" in _message_types(body) else "http"
    streamed = kind.startswith(("text/event-stream", "application/x-ndjson"))
    return "sse_event" if answer.status == 200 and streamed and _tells_error(body) else "http"


def _message_types(body: bytes) -> set[bytes]:
    frames = frames_of(body)
    return {body[slice(*frame.headers[":message-type"])] for frame in frames if ":message-type" in frame.headers}


def _tells_error(body: bytes) -> bool:
    return any(_is_error(line.removeprefix(b"data:")) for line in body.splitlines())


def _is_error(line: bytes) -> bool:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(event, dict) and (bool(event.get("error")) or event.get("type") in ("error", "response.failed"))
