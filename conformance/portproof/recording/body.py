"""One body: the texts in it, what is secret there, and what becomes of its chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from portproof.recording.bodies import decoded
from portproof.recording.edits import Edit, joined
from portproof.recording.exchanges import Headers
from portproof.recording.frames import reframed
from portproof.recording.marks import marks
from portproof.recording.refusals import Refused
from portproof.recording.secrets import SHORTEST, Secrets
from portproof.recording.texts import framing_of, regions_of

__all__ = ["Body", "edits_in"]


class Body:
    """A body as it arrived in pieces, decoded. Raises `Refused` for what is neither text nor known frames.

    `whole` unless it was broken off.
    """

    def __init__(self, pieces: Sequence[bytes], headers: Headers, whole: bool = True) -> None:
        named = dict(headers)
        decoded_pieces = decoded(pieces, named.get("content-encoding", ""))
        self.sizes = [len(piece) for piece in decoded_pieces]
        self.data = b"".join(decoded_pieces)
        self._whole = whole
        self._framing = framing_of(self.data, named.get("content-type", ""), whole)
        self._texts = regions_of(self.data, self._framing)

    def learn(self, where: str, also: Set[str], secrets: Secrets) -> None:
        """Learn the secrets that the body itself gives away."""
        for start, end in self._texts:
            for mark in marks(self.data[start:end], also):
                secrets.learn(mark.value, where, mark.kind == "credential")

    def edits(self, also: Set[str], secrets: Secrets) -> list[Edit]:
        """What is to be replaced, in order; in frames their lengths and checksums too. Raises `Refused`."""
        found = [
            edit.shifted(start) for start, end in self._texts for edit in edits_in(self.data[start:end], also, secrets)
        ]
        if not self._whole:
            found += _begun(self.data, secrets)
        edits = joined(found)
        if self._framing is None:
            return edits
        if edits and edits[-1].end > (self._framing[-1].end if self._framing else 0):
            raise Refused("the answer broke off within a frame, and that part of it holds a secret")
        return [edit for frame in self._framing for edit in reframed(self.data, frame, edits)]


def edits_in(text: bytes, also: Set[str], secrets: Secrets) -> list[Edit]:
    """What is to be replaced in a text: by name, by form, and every value that is known."""
    named = [Edit(mark.start, mark.end, secrets.stand_in(mark.value).encode()) for mark in marks(text, also)]
    return joined([*named, *secrets.find(text)])


def _begun(data: bytes, secrets: Secrets) -> Iterator[Edit]:
    """Find a secret at the end of broken-off data of which only the beginning arrived."""
    for value, _ in secrets:
        raw = value.encode()
        start = max(0, len(data) - len(raw) + 1)
        while (start := data.find(raw[:SHORTEST], start)) >= 0:
            if raw.startswith(data[start:]):
                yield Edit(start, len(data), secrets.stand_in(value).encode())
                break
            start += 1
