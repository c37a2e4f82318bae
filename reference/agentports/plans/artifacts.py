"""Artifacts: text that is read through a reader and kept as a pointer to it (document 33, section 7)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

__all__ = [
    "Artifact",
    "ArtifactReader",
    "MemoryReader",
    "NoReaderResolverError",
    "ReaderNotDescribableError",
    "decode_artifact",
    "encode_artifact",
    "register_spool_reader_resolver",
]


class NoReaderResolverError(LookupError):
    """Nothing is registered that opens a reader with this tag."""

    code = "E_NO_READER_RESOLVER"


class ReaderNotDescribableError(TypeError):
    """The artifact, or its reader, has no handle from which it could be opened again."""

    code = "E_READER_NOT_DESCRIBABLE"


class ArtifactReader(Protocol):
    """Where the bytes of an artifact are."""

    async def read(self) -> bytes:
        """All of them."""
        ...

    def describe(self) -> tuple[str, str]:
        """The tag and the locator of which a resolver makes this reader again."""
        ...


class MemoryReader:
    """Bytes in memory. They go into the locator, since there is nowhere else to find them."""

    TAG: Final = "spool:memory"

    def __init__(self, data: bytes) -> None:
        self._data = data

    async def read(self) -> bytes:
        """The bytes."""
        return self._data

    def describe(self) -> tuple[str, str]:
        """The bytes in base64."""
        return self.TAG, base64.b64encode(self._data).decode()

    @classmethod
    def resolve(cls, locator: str) -> MemoryReader:
        """The reader with this locator. Raises `ValueError` for what is no base64."""
        try:
            return cls(base64.b64decode(locator, validate=True))
        except binascii.Error as error:
            raise ValueError(f"the locator of a {cls.TAG} reader is no base64: {error}") from None


class Artifact:
    """A read-only view of text that no plan holds."""

    def __init__(self, reader: ArtifactReader) -> None:
        self.reader = reader

    @classmethod
    def of_text(cls, text: str) -> Artifact:
        """An artifact in memory."""
        return cls(MemoryReader(text.encode()))

    async def as_string(self) -> str:
        """The whole text, unchanged. Raises `UnicodeDecodeError` for bytes that are no UTF-8."""
        return (await self.reader.read()).decode()


_Resolver = Callable[[str], ArtifactReader]
_RESOLVERS: Final[dict[str, _Resolver]] = {}


def register_spool_reader_resolver(tag: str, resolver: _Resolver) -> None:
    """Say how a reader is opened that has this tag; another resolver of the tag is replaced.

    Raises `ValueError` for a tag that does not begin with `spool:`.
    """
    if not tag.startswith("spool:"):
        raise ValueError(f"tags of readers begin with 'spool:', not {tag!r}")
    _RESOLVERS[tag] = resolver


register_spool_reader_resolver(MemoryReader.TAG, MemoryReader.resolve)


def encode_artifact(artifact: Any) -> dict[str, str]:
    """A handle that leads to the artifact. Raises `ReaderNotDescribableError`."""
    describe = getattr(getattr(artifact, "reader", None), "describe", None)
    if type(artifact) is not Artifact or describe is None:
        raise ReaderNotDescribableError(f"{type(artifact).__name__} does not say how it could be opened again")
    tag, locator = describe()
    return {"class": "Artifact", "tag": tag, "locator": locator}


def decode_artifact(handle: Mapping[str, str]) -> Artifact:
    """The artifact of a handle. Raises `NoReaderResolverError`, which names the tag."""
    resolver = _RESOLVERS.get(handle["tag"])
    if resolver is None:
        raise NoReaderResolverError(f"no resolver is registered for readers with the tag {handle['tag']!r}")
    return Artifact(resolver(handle["locator"]))
