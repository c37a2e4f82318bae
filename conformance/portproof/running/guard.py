"""What a subject may do to the process without costing more than the rule at hand: hang, exit, raise anything."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Hung", "interruptible"]


class Hung(BaseException):
    """The subject did not come back within the deadline. No `Exception`, so that the subject cannot absorb it."""


@contextmanager
def interruptible(seconds: float) -> Iterator[None]:
    """Raise `Hung` in the body when it takes longer, even where it blocks the thread.

    Needs the main thread of a system with interval timers; elsewhere the body runs without this net.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(signum: int, frame: FrameType | None) -> None:
        # Once more a little later, in case the first was raised where the subject swallows everything.
        signal.setitimer(signal.ITIMER_REAL, 1.0)
        raise Hung(f"no answer within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, interval)
        signal.signal(signal.SIGALRM, before)
