"""Adapters that misread the lines of an ollama stream."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentports.providers import OllamaProvider
from agentports.providers._ndjson import NDJSONDecoder
from agentports.providers._sse import ServerSentEvent
from portproof.selftest import defect


class WithDecoder(OllamaProvider):
    """Reads streams with a decoder of its own."""

    decoder: type[NDJSONDecoder] = NDJSONDecoder

    def new_stream(self, call: Any) -> Any:
        state = super().new_stream(call)
        state.decoder = self.decoder()
        return state


@defect("WIRE-OLL-NDJSON", wire="ollama")
class ParsesEachPacket(WithDecoder):
    """Takes the end of a packet for the end of a line."""

    class decoder(NDJSONDecoder):
        def feed(self, piece: bytes) -> list[ServerSentEvent]:
            return super().feed(piece + b"\n")


@defect("WIRE-OLL-NDJSON", wire="ollama")
class DropsALineWithoutItsEnd(WithDecoder):
    """Reads no line that nothing ends."""

    class decoder(NDJSONDecoder):
        def end(self) -> list[ServerSentEvent]:
            return []


@defect("WIRE-OLL-ERROR-LINE", wire="ollama")
class SkipsLinesWithoutMessage(OllamaProvider):
    """Reads lines with a message and nothing else."""

    def read_data(self, state: Any, data: Mapping[str, Any]) -> Iterable[Any]:
        return super().read_data(state, data) if "message" in data else ()


@defect("WIRE-OLL-ERROR-LINE", wire="ollama")
class KeepsTheReasonToItself(OllamaProvider):
    """Raises without the server's text."""

    def stated_error(self, call: Any, error: object) -> Any:
        return super().stated_error(call, "the stream failed")


@defect("WIRE-OLL-ERROR-LINE", wire="ollama")
class LooksAtTheFirstLineOnly(OllamaProvider):
    """Looks for an error before anything was said, and no longer after that."""

    def read_data(self, state: Any, data: Mapping[str, Any]) -> Iterable[Any]:
        return () if "error" in data and state.text else super().read_data(state, data)
