"""What a subject may do to the process without costing more than the rule at hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from portproof.running.guard import Hung, interruptible
from portproof.running.outcome import Violation

__all__ = ["contained"]


@contextmanager
def contained(seconds: float) -> Iterator[None]:
    """Turn what a subject does to the process into a `Violation`: stopping the loop, exiting, odd exceptions."""
    try:
        with interruptible(seconds):
            yield
    except (Hung, KeyboardInterrupt):
        raise
    except RuntimeError as error:
        if "Event loop" in str(error):
            raise Violation(f"the subject stopped or closed the event loop: {error}") from error
        raise
    except Exception:
        raise
    except BaseException as error:
        if type(error).__module__.startswith(("portproof.", "hypothesis.")):
            raise
        raise Violation(f"the subject raised {type(error).__name__}, which is no Exception: {error}") from error
