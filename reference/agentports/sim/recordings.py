"""Recorded answers of vendors: VCR.py cassettes (version 1) with a section of ours.

VCR.py replays the exchanges and leaves the section `portproof` alone. That holds what a cassette cannot say: where the
recording comes from, what of it is known and what assumed, where the answer was divided into chunks and when each came,
whether the connection broke, and what an adapter is expected to make of it. `recordings/README.md` is its manual.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agentports.sim.replies import Disconnect, Pause, Reply, Step

__all__ = [
    "About",
    "Delivery",
    "Expected",
    "Origin",
    "Recording",
    "RecordingError",
    "find_recordings",
    "read_recording",
    "written",
]

#: How an error reached the client: as an HTTP answer, inside a stream after status 200, or by a broken connection.
Delivery = Literal["http", "sse_event", "eventstream_exception", "connection_closed"]

#: Headers that belong to one transfer and not to the answer.
_FRAMING = frozenset({"content-length", "transfer-encoding", "connection", "keep-alive"})


class RecordingError(ValueError):
    """A file is no recording; the message names the file, the place in it, and what is wrong."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Origin(_Model):
    """Where a recording comes from: captured by the recording proxy, or transcribed by hand from a public report."""

    kind: Literal["captured", "transcribed"]
    source: str = ""
    date: str


class Expected(_Model):
    """What an adapter makes of it. Where `raises` or `overflow` is null, either answer is right.

    `overflow`: it is raised as a context overflow; where that states numbers of tokens, they are these. `status`: the
    HTTP status that the error keeps, absent for errors inside a stream. `retry_after_ms`: the wait that the answer
    states, absent where it states none. `retryable`: whether the same request may succeed later. `message`: the
    vendor's sentence, which the error repeats.
    """

    raises: bool | None
    overflow: bool | None
    limit_tokens: int | None = None
    actual_tokens: int | None = None
    status: int | None = None
    retry_after_ms: float | None = None
    retryable: bool | None = None
    message: str | None = None


class About(_Model):
    """The section `portproof`. `chunks` are sizes in bytes, `waits_ms` the pauses before them, exchange by exchange."""

    id: str
    vendor: str
    wire: str
    kind: str = Field(alias="class")
    delivery: Delivery = "http"
    origin: Origin
    known: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    note: str = ""
    chunks: tuple[tuple[int, ...], ...] = ()
    waits_ms: tuple[tuple[float, ...], ...] = ()
    cut: bool = False
    expected: Expected | None = None


class Recording(_Model):
    """One file: its exchanges as VCR.py keeps them, and what is known about them."""

    path: Path
    about: About
    interactions: tuple[dict[str, Any], ...]

    @property
    def name(self) -> str:
        """Vendor and file, as reports show it."""
        return f"{self.path.parent.name}/{self.path.stem}"

    def body(self, index: int = 0) -> bytes:
        """The body of an answer."""
        return _bytes(self.interactions[index]["response"]["body"])

    def replies(self) -> list[Reply]:
        """The answers, as the simulator serves them: in the recorded chunks, with the recorded pauses."""
        return [self._reply(index) for index in range(len(self.interactions))]

    def _reply(self, index: int) -> Reply:
        response = self.interactions[index]["response"]
        headers = tuple(
            (name.lower(), str(value))
            for name, values in (response.get("headers") or {}).items()
            for value in (values if isinstance(values, list) else [values])
            if name.lower() not in _FRAMING
        )
        last = index == len(self.interactions) - 1
        steps = (*self._steps(index), *([Disconnect()] if self.about.cut and last else ()))
        return Reply(int(response["status"]["code"]), headers, steps)

    def _steps(self, index: int) -> Iterable[Step]:
        body, place = self.body(index), 0
        sizes = self.about.chunks[index] if index < len(self.about.chunks) else (len(body),)
        waits = self.about.waits_ms[index] if index < len(self.about.waits_ms) else ()
        for number, size in enumerate(sizes):
            yield Pause(waits[number] / 1000 if number < len(waits) else 0)
            yield body[place : place + size]
            place += size


def find_recordings(paths: Iterable[Path]) -> list[Path]:
    """Every cassette among the files and below the folders, in order. Raises `RecordingError` where there is none."""
    found = []
    for path in paths:
        files = sorted(path.rglob("*.yaml")) if path.is_dir() else [path] if path.is_file() else []
        if not files:
            problem = "holds no .yaml file" if path.is_dir() else "does not exist"
            raise RecordingError(f"{path}: {problem}; name a cassette, or a folder of cassettes")
        found += files
    return found


def read_recording(path: Path) -> Recording:
    """Read one cassette. Raises `RecordingError`."""
    try:
        document = yaml.load(path.read_text("utf-8"), _LOADER)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise RecordingError(f"{path}: it cannot be read as YAML: {error}") from None
    if not isinstance(document, Mapping) or not document.get("interactions"):
        raise RecordingError(f"{path}: it is no VCR.py cassette: there are no `interactions`")
    if not isinstance(document.get("portproof"), Mapping):
        raise RecordingError(
            f"{path}: the section `portproof` is missing, which names vendor, wire and origin; "
            "recordings/README.md shows a whole file"
        )
    return _checked(path, document)


def _checked(path: Path, document: Mapping[str, Any]) -> Recording:
    try:
        about = About.model_validate(document["portproof"])
        recording = Recording(path=path, about=about, interactions=tuple(document["interactions"]))
        for index, sizes in enumerate(about.chunks):
            if sum(sizes) != len(recording.body(index)):
                raise RecordingError(
                    f"{path}: portproof.chunks[{index}] adds up to {sum(sizes)} bytes, the body has "
                    f"{len(recording.body(index))}"
                )
        recording.replies()
    except ValidationError as error:
        told = "; ".join(f"{_place(e['loc'])}: {e['msg']}" for e in error.errors())
        raise RecordingError(f"{path}: {told}") from None
    except RecordingError:
        raise
    except KeyError as error:
        raise RecordingError(f"{path}: an interaction lacks {error}, which VCR.py writes") from None
    except (TypeError, IndexError, AttributeError, ValueError) as error:
        raise RecordingError(f"{path}: an interaction is not as VCR.py writes it: {error}") from None
    return recording


def _place(loc: tuple[int | str, ...]) -> str:
    return ".".join(map(str, loc if loc[:1] == ("interactions",) else ("portproof", *loc)))


def written(about: About, interactions: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of a cassette."""
    section = about.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    if about.expected is not None:
        judged = {"raises": about.expected.raises, "overflow": about.expected.overflow}
        section["expected"] = judged | about.expected.model_dump(exclude_none=True)
    document = {"interactions": list(interactions), "version": 1, "portproof": section}
    return yaml.dump(document, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=110)


def _bytes(body: Any) -> bytes:
    value = body.get("string", b"") if isinstance(body, Mapping) else body
    if isinstance(body, Mapping) and "base64_string" in body:
        return base64.b64decode(body["base64_string"])
    return value.encode() if isinstance(value, str) else bytes(value or b"")


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines line by line, so that a stream can be read and a change to it seen."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
