"""What a script in a file makes of an answer that the vendor wants back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from agentports.sim import VendorServer
from agentports.sim.scripts import read_script

SCRIPT = '[{"thinking": "Add them.", "calls": [{"id": "a", "name": "add"}, {"id": "b", "name": "add"}]}]'
TURNS: dict[str, tuple[str, dict[str, Any], list[Any], Any]] = {
    "anthropic-messages": (
        "/v1/messages",
        {"model": "claude-x", "max_tokens": 9},
        [{"role": "user", "content": "hi"}],
        lambda answer: [
            {"role": "assistant", "content": answer["content"]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": ref} for ref in "ab"]},
        ],
    ),
    "gemini": (
        "/v1beta/models/gemini-3-pro-preview:generateContent",
        {},
        [{"role": "user", "parts": [{"text": "hi"}]}],
        lambda answer: [
            answer["candidates"][0]["content"],
            {"role": "user", "parts": [{"functionResponse": {"name": "add", "id": ref}} for ref in "ab"]},
        ],
    ),
}


@pytest.mark.parametrize("wire", TURNS)
def test_what_a_script_says_may_go_back_as_it_came(wire: str, tmp_path: Path) -> None:
    """Thinking and calls are signed where the vendor demands signatures, though the script names none."""
    (tmp_path / "answers.json").write_text(SCRIPT, "utf-8")
    path, fields, said, more = TURNS[wire]
    key = "contents" if wire == "gemini" else "messages"
    with VendorServer(wire, script=read_script(tmp_path / "answers.json")) as server:
        first = httpx.post(server.root_url + path, json={**fields, key: said}, trust_env=False)
        second = httpx.post(server.root_url + path, json={**fields, key: [*said, *more(first.json())]}, trust_env=False)
    assert (first.status_code, second.status_code) == (200, 200)
