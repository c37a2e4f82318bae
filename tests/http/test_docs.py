"""The page on providers over HTTP says what is so."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from agentports.ports import AbortController
from agentports.ports.http import Message, ToolCall
from agentports.sim import ToolCall as TurnCall
from agentports.sim import Turn, VendorServer

PAGE = (Path(__file__).parents[2] / "docs" / "http-provider.md").read_text("utf-8")


def test_the_example_of_four_seams_talks_to_its_vendor() -> None:
    """Text, a call and usage come of the simulated vendor."""
    example = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
    made: dict[str, Any] = {"__name__": "example"}
    exec(compile(example, "http-provider.md", "exec"), made)
    with VendorServer("ollama", script=[Turn.of("Hello there", TurnCall("c", "add", {"x": 1}))]) as server:
        provider = made["OllamaHere"](server.root_url, "/api/chat")
        asked = [Message(id="1", role="user", content="hi")]
        result = asyncio.run(provider.generate(asked, AbortController().signal))
    assert (result.content, result.tools) == ("Hello there", [ToolCall(id="call_0", name="add", arguments={"x": 1})])
    assert result.usage.total == result.usage.prompt + result.usage.completion
