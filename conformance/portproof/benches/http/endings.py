"""The ways in which a call may end, for rules that hold whatever the end is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentports.ports.http import ProviderAbortError, ProviderResult
from agentports.sim import Reply
from portproof.benches.http.bench import HttpBench
from portproof.benches.http.calls import Call
from portproof.benches.http.script import line, of_records
from portproof.benches.http.server import BREAK, holding, pieces, refusing

__all__ = ["ENDINGS", "HELD", "ended"]

_SAID = line({"content": "said"})

#: By name. What is held open is ended by the client.
ENDINGS: Mapping[str, Reply] = {
    "end": of_records({"content": "said"}),
    "result": holding(_SAID, line({"result": {"content": "all"}})),
    "refused": refusing(503, b"later"),
    "no body": Reply(head=False, steps=(b"HTTP/1.1 204 No Content\r\n\r\n",)),
    "decoder": holding(_SAID, line({"raise": "broken"})),
    "reset": pieces(_SAID, *BREAK),
    "remote abort": holding(_SAID, line({"raise": "aborted"})),
    "left early": holding(_SAID),
    "aborted": holding(_SAID),
}
#: Those after which the server still holds the connection.
HELD = tuple(name for name in ENDINGS if name in ("result", "decoder", "remote abort", "left early", "aborted"))


async def ended(bench: HttpBench, provider: Any, name: str) -> Call:
    """A call that has ended in this way."""
    if name == "remote abort" and bench.shows_seams:
        bench.journal.during = _far_abort
    bench.server.serve(ENDINGS[name])
    call = bench.call(provider)
    if name == "left early":
        await call.take()
        await call.close()
    elif name == "aborted":
        await call.take()
        async with bench.waiting(call, lambda: True):
            call.controller.abort()
    else:
        await call.rest()
    return call


def _far_abort(seam: str, value: Any) -> None:
    if seam == "read" and "raise" in value:
        raise ProviderAbortError(ProviderResult(content="far"))
