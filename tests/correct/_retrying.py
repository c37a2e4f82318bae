"""What correct retry wrappers of other makes share: the documented policy, read in other words than the reference's."""

from __future__ import annotations

import asyncio
import math
from typing import Any

from agentports.ports import OPTIONAL_CAPABILITIES

__all__ = ["Forwarding", "may_pass", "nap", "reason_of", "stated_ms", "status_of", "tell"]

_FINAL_CODES = {"ABORT_ERR", "ERR_CONTEXT_WINDOW_EXCEEDED"}


def status_of(error: BaseException) -> int | None:
    for name in ("status", "status_code"):
        if type(value := getattr(error, name, None)) is int:
            return value
    return None


def may_pass(error: BaseException) -> bool:
    """The documented default policy."""
    code = str(getattr(error, "code", None))
    if "AbortError" in (type(error).__name__, getattr(error, "name", None)):
        return False
    if code in _FINAL_CODES or code.startswith("ERR_UNSUPPORTED_"):
        return False
    status = status_of(error)
    return status is None or status == 429 or status // 100 != 4


def reason_of(error: BaseException) -> str:
    match status_of(error):
        case None:
            return "no-status"
        case 429:
            return "http-429"
        case status if status >= 500:
            return "http-5xx"
        case status if status >= 400:
            return "http-4xx"
        case status:
            return f"http-{status}"


def stated_ms(error: BaseException) -> float | None:
    value = getattr(error, "retry_after_ms", None)
    return value if type(value) in (int, float) and math.isfinite(value) and value >= 0 else None


def tell(hooks: Any, fact: Any) -> None:
    if hooks is not None and (listener := getattr(hooks, "on_resilience", None)) is not None:
        listener(fact)


async def nap(seconds: float, signal: Any) -> None:
    """`asyncio.sleep` that an abort ends, by the usual idiom."""
    if signal is None:
        return await asyncio.sleep(seconds)
    signal.raise_if_aborted()
    try:
        await asyncio.wait_for(signal.wait(), seconds)
    except TimeoutError:
        return None
    return signal.raise_if_aborted()


class Forwarding:
    """What every wrapper of one provider owes, by copying the members."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.name = inner.name
        for member in (*OPTIONAL_CAPABILITIES, "stream"):
            if (value := getattr(inner, member, None)) is not None:
                setattr(self, member, value)
