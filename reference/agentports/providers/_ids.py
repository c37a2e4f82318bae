"""Ids for tool calls to which the wire gave none (PRV-INVENTED-IDS-NO-COLLISION)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from agentports.ports import LLMMessage

__all__ = ["CallIds", "ids_in"]


class CallIds:
    """Invents `PREFIX-call-1`, `-2`, ... for one provider; the only state that its calls share."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._numbers = itertools.count(1)

    def invent(self, taken: set[str]) -> str:
        """Return an id that is not in `taken`: a resumed conversation holds ids that another process invented."""
        return next(name for n in self._numbers if (name := f"{self._prefix}-call-{n}") not in taken)

    def is_one(self, call_id: str) -> bool:
        """Whether an id is of the invented kind, whichever process invented it."""
        return re.fullmatch(rf"{re.escape(self._prefix)}-call-[0-9]+", call_id) is not None


def ids_in(messages: Iterable[LLMMessage]) -> set[str]:
    """Collect every tool-call id of a conversation."""
    ids = {call.id for message in messages for call in message.tool_calls or ()}
    return ids | {message.tool_call_id for message in messages if message.tool_call_id is not None}
