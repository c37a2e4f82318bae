"""Relay providers that read lines wrongly."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import Any

from agentports.ports.http import ProviderError, ProviderIncrement
from agentports.relay import NDJSONParser, RelayProvider, ThinkSplitter
from agentports.relay._answer import Answer
from portproof.selftest import defect


@defect("RLP-CONTENT-DELTA")
class AllIsContent(RelayProvider):
    """Reasoning is content."""

    def read(self, record: Any) -> ProviderIncrement:
        increment = super().read(record)
        text = increment.content + increment.thinking
        return increment.model_copy(update={"content": text, "thinking": ""})


@defect("RLP-RESULT-VERBATIM")
class PutsItTogether(RelayProvider):
    """The result is made of the deltas."""

    def _shown(self, increment: Any, answer: Any, signal: Any) -> Any:
        if increment.result is not None:
            increment = increment.model_copy(update={"result": answer.result()})
        yield from super()._shown(increment, answer, signal)


@defect("RLP-TAGS-VERBATIM")
class SplitsAgain(RelayProvider):
    """Reasoning is separated once more."""

    def _answer(self) -> Answer:
        return Answer(ThinkSplitter())


@defect("RLP-STRICT")
class TakesWhatHasCome(RelayProvider):
    """An end without a result is an end."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._strict = False


@defect("RLP-MALFORMED-FRAME")
class SkipsMalformedFrames(RelayProvider):
    """What is no frame is passed over."""

    def read(self, record: Any) -> ProviderIncrement:
        try:
            return super().read(record)
        except ProviderError as error:
            if error.code == "PROTOCOL":
                return ProviderIncrement()
            raise


class _Parsing(RelayProvider):
    """A provider with a parser of its own."""

    own: Any

    def __init__(self, url: str, **named: Any) -> None:
        super().__init__(url, **{"parser": self.own, **named})


class _Raising(NDJSONParser):
    def parse(self, chunk: str) -> list[Any]:
        for text in "".join([*self._rest, chunk]).split("\n")[:-1]:
            if text.strip():
                json.loads(text)
        return super().parse(chunk)


@defect("RLP-BAD-LINE")
class BreaksAtBadLines(_Parsing):
    """A line that is no JSON breaks the reader."""

    own = _Raising


class _Quoting(NDJSONParser):
    def parse(self, chunk: str) -> list[Any]:
        whole = "".join([*self._rest, chunk]).split("\n")[:-1]
        bad = [text for text in whole if text.strip() and not text.strip().startswith("{")]
        return [*({"channel": "content", "text": text} for text in bad), *super().parse(chunk)]


@defect("RLP-BAD-LINE")
class ShowsBadLines(_Parsing):
    """A line that is no JSON is shown as it is."""

    own = _Quoting


class _Strict(NDJSONParser):
    def parse(self, chunk: str) -> list[Any]:
        for text in "".join([*self._rest, chunk]).split("\n")[:-1]:
            if not text.strip() and chunk != "\n":
                json.loads(text)
        return super().parse(chunk)


@defect("RLP-BLANK-LINES")
class ReadsBlankLines(_Parsing):
    """A blank line is read as JSON."""

    own = _Strict


class _Forgetful(NDJSONParser):
    def parse(self, chunk: str) -> list[Any]:
        self.clear()
        return super().parse(chunk if chunk.endswith("\n") else f"{chunk}\n")


@defect("RLP-FRAGMENTED")
class ChunksAreFrames(_Parsing):
    """The end of a chunk is the end of a frame."""

    own = _Forgetful


@defect("RLP-UNTERMINATED-FINAL")
class DropsTheLastLine(RelayProvider):
    """A last line without its newline is dropped."""

    def finish(self, parser: Any) -> Any:
        return []


@defect("RLP-TRUNCATED-FINAL")
class RepairsTheLastLine(RelayProvider):
    """Half a frame is made whole."""

    def finish(self, parser: Any) -> Any:
        rest = "".join(parser._rest)
        for closing in ("", "}", "}}", '"}}', "]}}"):
            try:
                return [json.loads(rest + closing)]
            except ValueError:
                continue
        return []


@defect("RLP-TERMINAL-STOPS")
class ReadsToTheEnd(RelayProvider):
    """All is read before any of it counts."""

    async def _chunks(self, response: Any, signal: Any) -> Any:
        async with aclosing(super()._chunks(response, signal)) as chunks:
            whole = [chunk async for chunk in chunks]
        for chunk in whole:
            yield chunk


@defect("RLP-CONTENT-TYPE-IGNORED")
class WantsItsContentType(RelayProvider):
    """An answer of another content type breaks the protocol."""

    async def _refuse(self, response: Any, signal: Any) -> None:
        await super()._refuse(response, signal)
        if "ndjson" not in response.headers.get("content-type", ""):
            raise ProviderError("PROTOCOL", "no frames")


@defect("RLP-FRESH-PARSER")
class KeepsItsParser(RelayProvider):
    """One parser serves all calls."""

    _kept: Any = None

    def frame(self) -> Any:
        self._kept = self._kept or _Keeping()
        return self._kept


class _Keeping(NDJSONParser):
    def clear(self) -> None:
        pass


@defect("RLP-FRESH-PARSER")
class MakesOneParser(RelayProvider):
    """The factory of parsers is called once."""

    _kept: Any = None

    def frame(self) -> Any:
        self._kept = self._kept or super().frame()
        return self._kept
