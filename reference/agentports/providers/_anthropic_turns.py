"""The turns of a conversation on Anthropic's wire, and where each message of the request ended up."""

from __future__ import annotations

from typing import Any

__all__ = ["WireTurns"]


class WireTurns:
    """Grows message by message. Consecutive tool results share one turn, in which text comes behind them."""

    def __init__(self) -> None:
        self.turns: list[dict[str, Any]] = []
        self.places: dict[int, int] = {}
        self._takes_results = False

    def add(self, index: int, role: str, content: list[dict[str, Any]] | str) -> None:
        """Give a message a turn of its own."""
        self.turns.append({"role": role, "content": content})
        self.places[index] = len(self.turns) - 1
        self._takes_results = False

    def add_result(self, index: int, block: dict[str, Any]) -> None:
        """Put what answers a call into the turn of the results before it, if there is one."""
        if self._takes_results:
            self.turns[-1]["content"].append(block)
            self.turns[-1]["content"].sort(key=_is_text)
        else:
            self.add(index, "user", [block])
        self.places[index] = len(self.turns) - 1
        self._takes_results = True


def _is_text(block: dict[str, Any]) -> bool:
    return bool(block["type"] == "text")
