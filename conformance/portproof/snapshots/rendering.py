"""From a subject and a canonical request to the text of what the vendor was sent."""

from __future__ import annotations

import json
import re
from typing import Any

from agentports.sim import RecordedRequest
from portproof.benches.provider import Attempt, ProviderBench, Way
from portproof.running.outcome import NotApplicable
from portproof.snapshots.canonical import canonical_request
from portproof.subjects.providers import supply_for
from portproof.subjects.subject import Subject

__all__ = ["wire_text"]

_DEADLINE_S = 10.0
#: Headers that a client's version, the clock or the place decides; and those of which only the presence is told.
_VOLATILE = re.compile(
    r"host|connection|content-length|date|user-agent|x-goog-api-client|(x-stainless|x-amz|amz-sdk|accept-encoding).*"
)
_SECRET = re.compile(r"(proxy-)?authorization|cookie|.*api-key|.*-token")
_ACCOUNT = re.compile(r"^/a\d+(?=/)")


def wire_text(subject: Subject, name: str, way: Way) -> str:
    """What the subject sends for the canonical request of that name, as JSON with sorted keys.

    A refusal before transport is told by its code. Raises `NotApplicable` where the subject cannot stream.
    """
    bench = ProviderBench(subject, _DEADLINE_S)
    told: dict[str, Any] = {}

    async def ask(bench: ProviderBench) -> None:
        if way not in bench.ways:
            raise NotApplicable("the subject declares no stream")
        attempt = await bench.attempt(way, canonical_request(name, bench.model))
        told.update(_told(attempt, bench.requests, str(supply_for(subject, None).get("api_key"))))

    try:
        bench.run(ask, {})
    finally:
        bench.close()
    return json.dumps(told, indent=2, sort_keys=True, ensure_ascii=False)


def _told(attempt: Attempt, requests: list[RecordedRequest], key: str) -> dict[str, Any]:
    if not requests and attempt.error is not None:
        return {"raised": getattr(attempt.error, "code", None) or type(attempt.error).__name__}
    sent = [_request(request, key) for request in requests]
    return sent[0] if len(sent) == 1 else {"requests": sent}


def _request(request: RecordedRequest, key: str) -> dict[str, Any]:
    queries = {name: ["(secret)" if key in value else value for value in all_] for name, all_ in request.query.items()}
    kept = {name: value for name, value in request.headers.items() if not _VOLATILE.fullmatch(name)}
    return {
        "method": request.method,
        "path": _ACCOUNT.sub("", request.raw_path),
        **({"query": queries} if queries else {}),
        "headers": {name: "(secret)" if _is_secret(name, value, key) else value for name, value in kept.items()},
        "body": request.text if request.json is None else request.json,
    }


def _is_secret(name: str, value: str, key: str) -> bool:
    return key in value or _SECRET.fullmatch(name) is not None
