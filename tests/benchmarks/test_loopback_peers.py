"""The simulator as a process on loopback, beside two other mock servers: requests a second of one client."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.measuring import in_turns
from tests.benchmarks.serving import asking, served

_REQUESTS = 50
_ROUNDS = 40
#: What `llmock` answers in its static style, and so what the others are told to answer. In a stream: 7 events.
_PIECES = ["Mock ", "response ", "from ", "gpt-4o-mini."]
_EVENTS = len(_PIECES) + 3


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    """Ours and the peers that are installed, each serving the same text on its port."""
    place = tmp_path_factory.mktemp("peers")
    peers = _peers(place)
    if not peers:
        pytest.skip("no peer below PORTPROOF_PEERS")
    script = place / "script.json"
    script.write_text(json.dumps([{"text": _PIECES}]))
    ours = [str(Path(sys.executable).with_name("portproof")), "simulate", "--wire", "openai-chat", "--quiet"]
    commands = {"ours": [*ours, "--script", str(script), "--port", "PORT"], **peers}
    with ExitStack() as running:
        yield {name: running.enter_context(served(command)) for name, command in commands.items()}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_requests_a_second(benchmark: Any, found: Callable[..., None], ports: dict[str, int], stream: bool) -> None:
    """By the clock on the wall, since the work is done in other processes."""
    with ExitStack() as open_:
        clients = {
            name: open_.enter_context(asking(port, stream=stream, times=_REQUESTS)) for name, port in ports.items()
        }
        for name, client in clients.items():
            assert client().count(b"data: ") == (_EVENTS if stream else 0), name
        times = in_turns(*clients.values(), rounds=_ROUNDS, clock=time.perf_counter)
        benchmark.pedantic(clients["ours"], rounds=5)
    best = dict(zip(ports, times, strict=True))
    ratios = {f"ratio_to_{name}": seconds / best["ours"] for name, seconds in best.items() if name != "ours"}
    found(**{f"{name}_per_s": _REQUESTS / seconds for name, seconds in best.items()}, **ratios)


def _peers(place: Path) -> dict[str, list[str]]:
    """The commands of the peers that are installed."""
    root = Path(os.environ.get("PORTPROOF_PEERS", os.devnull))
    node, aimock, llmock = shutil.which("node"), root / "node_modules/.bin/llmock", root / "llmock/bin/llmock"
    answer = {"match": {"userMessage": "hi"}, "response": {"content": "".join(_PIECES)}}
    fixtures = place / "fixtures.json"
    fixtures.write_text(json.dumps({"fixtures": [answer]}))
    peers: dict[str, list[str]] = {}
    if node and aimock.exists():
        # Pieces of eight characters make as many events as the words do.
        pieces = ["--fixtures", str(fixtures), "--chunk-size", "8", "--log-level", "silent"]
        peers["aimock"] = [node, str(aimock), "--port", "PORT", *pieces]
    if llmock.exists():
        peers["llmock"] = [str(llmock), "serve", "--port", "PORT", "--response-style", "static", "--log-level", "error"]
    return peers
