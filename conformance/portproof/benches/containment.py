"""What a subject may do to the process without costing more than the rule at hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from portproof.running.guard import Exiting, Hung, interruptible, no_exit
from portproof.running.outcome import Violation
from portproof.running.plain import told

__all__ = ["contained"]


@contextmanager
def contained(seconds: float) -> Iterator[None]:
    """Turn what a subject does to the process into a `Violation`: stopping the loop, exiting, odd exceptions."""
    try:
        with interruptible(seconds) as interruption, no_exit():
            yield
    except Hung:
        raise
    except KeyboardInterrupt as error:
        if interruption.asked:
            raise
        raise Violation(f"the subject raised {told(error)}, which ends the program") from error
    except RuntimeError as error:
        if "Event loop" in str(error):
            raise Violation(f"the subject stopped or closed the event loop: {error}") from error
        raise
    except Exception:
        raise
    except Exiting as error:
        raise Violation(str(error)) from error
    except BaseException as error:
        if type(error).__module__.startswith(("portproof.", "hypothesis.")):
            raise
        raise Violation(f"the subject raised {told(error)}, which is no Exception") from error
