"""What it costs to encode and to digest a plan, beside canonical JSON and canonical CBOR of the same data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from agentports.plans import decode, encode, plan_digest
from agentports.ports import DEFAULT_PLAN_BOUNDS, PlanEdge, PlanNode, RawPlanView
from tests.benchmarks.measuring import in_turns

_OP: dict[str, Any] = {
    "op_id": "op-000123",
    "actor_id": "actor-7",
    "lamport": 4711,
    "at": "2026-07-02T03:04:05.000006Z",
    "op": "set_node_field",
    "node_id": "send_mail",
    "path": "args.to.0",
    "value": {"address": "someone@example.org", "retries": 3, "urgent": False, "weight": 0.5},
}


def _definition(number: int) -> dict[str, Any]:
    return {
        "tool": "mail.send",
        "args": {
            "to": ["a@example.org", "b@example.org"],
            "subject": f"Invoice {number}",
            "retries": number,
            "weight": 0.5,
            "urgent": False,
            "note": None,
        },
        "output": [{"path": "id", "type": "string"}, {"path": "count", "type": "number"}],
        "on_missing_value": "fail",
        "authority": [{"capability": "mail", "scope": "out", "verb": "create"}],
        "replay_safe": False,
        "on_indeterminate": "halt",
    }


def _plan(nodes: int) -> dict[str, Any]:
    return {
        "plan_id": "p",
        "revision": nodes,
        "nodes": [{"id": f"n{n}", "kind": "call", "definition": _definition(n)} for n in range(nodes)],
        "edges": [{"id": f"e{n}", "from": f"n{n}", "to": f"n{n + 1}", "handle": "always"} for n in range(nodes - 1)],
        "bounds": dict(DEFAULT_PLAN_BOUNDS),
    }


_SUBJECTS = {"an op": (_OP, 300), "a plan of 256 nodes": (_plan(256), 1)}


def _digested(encoder: Callable[[Any], bytes], value: Any, times: int) -> Callable[[], None]:
    def often() -> None:
        for _ in range(times):
            hashlib.sha256(encoder(value)).hexdigest()

    return often


@pytest.mark.parametrize("name", _SUBJECTS)
def test_encoding_and_hashing(benchmark: Any, found: Callable[..., None], name: str) -> None:
    """Beside json.dumps with sorted keys, which loses types, and two canonical forms of other people."""
    rfc8785, cbor2 = pytest.importorskip("rfc8785"), pytest.importorskip("cbor2")
    value, times = _SUBJECTS[name]
    encoders: list[Callable[[Any], bytes]] = [
        encode,
        lambda given: json.dumps(given, sort_keys=True).encode(),
        rfc8785.dumps,
        lambda given: cbor2.dumps(given, canonical=True),
    ]
    measured = in_turns(*(_digested(encoder, value, times) for encoder in encoders), rounds=40)
    ours, plain, jcs, cbor = (seconds / times * 1e6 for seconds in measured)
    found(us=ours, of_json=ours / plain, of_rfc8785=ours / jcs, of_cbor2=ours / cbor, bytes=len(encode(value)))
    assert jcs / ours >= 3
    assert ours / cbor <= 1.3
    benchmark.pedantic(_digested(encode, value, times), rounds=5)


def test_digesting_a_view(benchmark: Any, found: Callable[..., None]) -> None:
    """From its nodes and edges one by one, beside encoding the record as a whole; and the way back."""
    record = _plan(256)
    view = RawPlanView(
        plan_id="p",
        revision=256,
        nodes=[PlanNode(**node) for node in record["nodes"]],
        edges=[PlanEdge.model_validate(edge) for edge in record["edges"]],
        bounds=DEFAULT_PLAN_BOUNDS,
    )
    data = encode(record)
    digested, encoded, decoded = in_turns(
        lambda: plan_digest(view), _digested(encode, record, 1), lambda: decode(data), rounds=20
    )
    found(digest_ms=digested * 1e3, of_encoding=digested / encoded, decode_ms=decoded * 1e3)
    benchmark.pedantic(lambda: plan_digest(view), rounds=5)


@pytest.mark.parametrize("name", ["wide", "deep", "many keys"])
def test_time_grows_with_the_size_alone(benchmark: Any, found: Callable[..., None], name: str) -> None:
    """Twice as much takes about twice as long."""
    makers: dict[str, Callable[[int], Any]] = {
        "wide": lambda size: [[number, str(number)] for number in range(size * 10)],
        "deep": lambda size: [_nested(600) for _ in range(size // 100)],
        "many keys": lambda size: {f"key {number}": number for number in range(size * 10)},
    }
    once, twice = makers[name](1000), makers[name](2000)
    short, long = in_turns(lambda: encode(once), lambda: encode(twice), rounds=10)
    found(ms=long * 1e3, ratio=long / short)
    assert long / short < 3
    benchmark.pedantic(lambda: encode(twice), rounds=3)


def _nested(depth: int) -> Any:
    value: Any = "innermost"
    for _ in range(depth):
        value = [value]
    return value
