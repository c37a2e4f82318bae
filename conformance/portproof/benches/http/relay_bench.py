"""The bench of the port relay-provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentports.ports.http import Message, ProviderStreamOptions, ToolDefinition
from portproof.benches.http.bench import SAY, WireBench
from portproof.benches.http.calls import Outcome
from portproof.benches.http.script import line, of_records
from portproof.benches.http.server import pieces
from portproof.running.outcome import Violation, expect, expect_equal

__all__ = ["CONTRACTS", "SETTLED", "RelayBench", "domain"]

#: The frame that ends most scripts.
SETTLED = {"channel": "result", "result": {"content": "all"}}
#: The shape that each contract is of, by its name.
CONTRACTS = {
    "message_contract": "message",
    "provider_request_contract": "request",
    "provider_result_contract": "result",
    "relay_frame_contract": "frame",
}


class RelayBench(WireBench):
    """Asks the subject, and is the relay that it asks."""

    @property
    def contracts(self) -> Mapping[str, Any]:
        """The wire contracts that are offered, by the shape that each is of."""
        members = self.subject.members
        return {shape: members[name] for name, shape in CONTRACTS.items() if members.get(name) is not None}

    async def reading(self, provider: Any, *frames: Mapping[str, Any]) -> Outcome:
        """What comes of these frames."""
        self.server.serve(of_records(*frames))
        return await self.drained(provider)

    async def reading_line(self, provider: Any, text: bytes) -> Outcome:
        """What comes of a line, with a delta before it and a result behind it."""
        self.server.serve(pieces(line({"channel": "content", "text": "said"}), text, line(SETTLED)))
        return await self.drained(provider)

    async def refuses(self, provider: Any, frame: Mapping[str, Any]) -> None:
        """Raise a `Violation` unless the frame breaks the protocol."""
        outcome = await self.reading_line(provider, line(frame))
        try:
            outcome.failed("PROTOCOL")
        except Violation as violation:
            raise Violation(f"a malformed frame: {violation}", frame=frame) from violation
        expect_equal(outcome.deltas, [("content", "said")], "the deltas before a malformed frame", frame=frame)

    async def sent(self, provider: Any, request: Mapping[str, Any]) -> Any:
        """The JSON that is sent for a request, as the contract's models are given to the provider."""
        self.server.serve(of_records(SETTLED))
        before = len(self.server.seen)
        outcome = await self.drained(provider, **domain(request))
        expect(outcome.error is None, outcome.told)
        return (await self.requested(before + 1))[before].request.json

    async def not_sent(self, provider: Any, messages: Sequence[Any] = SAY, **given: Any) -> BaseException:
        """The PROTOCOL failure of a request that is refused before anything is sent."""
        self.server.serve(of_records(SETTLED))
        before = len(self.server.seen)
        error = (await self.drained(provider, messages, **given)).failed("PROTOCOL")
        await self.turns()
        expect_equal(len(self.server.seen) - before, 0, "requests")
        return error


def domain(request: Mapping[str, Any]) -> dict[str, Any]:
    """A request as what `stream` is called with."""
    given: dict[str, Any] = {"messages": [Message(**message) for message in request["messages"]]}
    if "tools" in request:
        given["tools"] = [ToolDefinition(**tool) for tool in request["tools"]]
    if "options" in request:
        given["options"] = ProviderStreamOptions(**request["options"])
    return given
