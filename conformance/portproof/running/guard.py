"""What a subject may do to the process without costing more than the rule at hand: hang, exit, raise anything."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

__all__ = ["Exiting", "Hung", "interruptible", "no_exit"]


class Hung(BaseException):
    """The subject did not come back within the deadline. No `Exception`, so that the subject cannot absorb it."""


class Exiting(BaseException):
    """The subject wanted to end the process at once."""


class Interruption:
    """Whether the user asked to stop, as opposed to a subject that only says so."""

    asked = False


@contextmanager
def interruptible(seconds: float) -> Iterator[Interruption]:
    """Raise `Hung` in the body when it takes longer, even where it blocks the thread; tell real interrupts from others.

    Needs the main thread of a system with interval timers; elsewhere the body runs without this net.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield Interruption()
        return
    interruption = Interruption()

    def stop(signum: int, frame: FrameType | None) -> None:
        interruption.asked = True
        raise KeyboardInterrupt

    def ring(signum: int, frame: FrameType | None) -> None:
        # Once more a little later, in case the first was raised where the subject swallows everything.
        signal.setitimer(signal.ITIMER_REAL, 1.0)
        raise Hung(f"no answer within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    interrupted_before = signal.signal(signal.SIGINT, stop)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, interrupted_before)
        signal.setitimer(signal.ITIMER_REAL, left, interval)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def no_exit() -> Iterator[None]:
    """Raise `Exiting` for `os._exit`, which would end the run without a word and read as success."""
    leave, process = os._exit, os.getpid()

    def refuse(status: int) -> NoReturn:
        if os.getpid() != process:
            leave(status)
        raise Exiting(f"the subject called os._exit({status}), which ends the program")

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = leave
