"""Decoders that take too much, or do too much."""

from __future__ import annotations

import contextlib
import importlib
import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from portproof_defects._encodings import Codec

from agentports.ports import EncodingError
from portproof.selftest import defect


class Lenient(Codec):
    """A correct decoder that may do something with what is refused."""

    def decode(self, data: bytes) -> Any:
        try:
            return super().decode(data)
        except EncodingError as refused:
            return self.instead(data, refused)

    def instead(self, data: bytes, refused: EncodingError) -> Any:
        """What to answer for a text that is refused."""
        raise refused


@defect("ENC-DECODE-STRICT")
class RawLists(Lenient):
    """An array with an unknown tag is the list."""

    def instead(self, data: bytes, refused: EncodingError) -> Any:
        return json.loads(data) if refused.code == "unknown_tag" else super().instead(data, refused)


@defect("ENC-DECODE-STRICT")
class AnySpacing(Lenient):
    """White space and order of keys do not matter."""

    def instead(self, data: bytes, refused: EncodingError) -> Any:
        with contextlib.suppress(ValueError):
            text = json.dumps(json.loads(data), ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
            return super().decode(text) if text != data else super().instead(data, refused)
        return super().instead(data, refused)


@defect("ENC-DECODE-STRICT")
class StrayErrors(Lenient):
    """What is not UTF-8 raises the codec's own error."""

    def instead(self, data: bytes, refused: EncodingError) -> Any:
        data.decode()
        raise refused


@defect("ENC-ZONE-OFFSET-CHECKED")
class IgnoresOffsets(Lenient):
    """The zone decides, whatever offset is recorded."""

    def instead(self, data: bytes, refused: EncodingError) -> Any:
        with contextlib.suppress(ValueError, LookupError, OSError):
            tag, local, _, zone = json.loads(data)
            if tag == "dt" and zone is not None:
                return datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))
        raise refused


@defect("ENC-ZONE-OFFSET-CHECKED")
class OnlyTheFirstFold(Codec):
    """Of an hour that the zone has twice, the second is refused."""

    def decode(self, data: bytes) -> Any:
        value = super().decode(data)
        if isinstance(value, datetime) and value.fold:
            raise EncodingError("the offset is not that of the zone", code="unbuildable_value")
        return value


@defect("ENC-DECODE-UNBUILDABLE")
class LetsThrough(Lenient):
    """What building a value raises comes through."""

    def instead(self, data: bytes, refused: EncodingError) -> Any:
        raise refused.__cause__ or refused


@defect("ENC-DECODE-UNBUILDABLE")
class Prints(Lenient):
    """A pattern with DEBUG is refused after it was compiled, which prints it."""

    def instead(self, data: bytes, refused: EncodingError) -> Any:
        if data.startswith(b'["re"'):
            print("compiling", data)
        raise refused


@defect("ENC-UNKNOWN-TAG-NAMED")
class NamesNoTag(Lenient):
    """The error does not say which tag is unknown."""

    def instead(self, data: bytes, refused: EncodingError) -> Any:
        raise EncodingError("unknown tag", code=refused.code)


@defect("ENC-DECODE-INERT")
class ImportsClasses(Lenient):
    """A tag with a dot is looked for as a class."""

    def instead(self, data: bytes, refused: EncodingError) -> Any:
        with contextlib.suppress(ValueError, TypeError, ImportError, AttributeError, IndexError):
            module, _, name = str(json.loads(data)[0]).rpartition(".")
            getattr(importlib.import_module(module), name)
        raise refused


@defect("ENC-DECODE-INERT")
class OpensZones(Lenient):
    """A zone that is not known is read from a file of that name."""

    def instead(self, data: bytes, refused: EncodingError) -> Any:
        with contextlib.suppress(ValueError, TypeError, OSError, IndexError):
            Path(json.loads(data)[3]).read_bytes()
        raise refused
