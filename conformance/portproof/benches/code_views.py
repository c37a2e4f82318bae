"""What sessions of a third party's runner give back, read leniently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from portproof.benches.views import view
from portproof.running.outcome import expect

__all__ = ["ResultView", "StagedView"]


@dataclass(frozen=True)
class StagedView:
    """A staged input as `stage_inputs` describes it."""

    raw: Any

    @property
    def name(self) -> Any:
        """The name that was asked for."""
        return view(self.raw, "name")

    @property
    def path(self) -> Any:
        """Where the code finds it."""
        return view(self.raw, "path")

    @property
    def size(self) -> Any:
        """The number of bytes that were written."""
        return view(self.raw, "bytes")


@dataclass(frozen=True)
class ResultView:
    """A result of any make."""

    raw: Any

    @property
    def ok(self) -> Any:
        """Whether it ran to completion without an error exit."""
        return view(self.raw, "ok")

    @property
    def stdout(self) -> Any:
        """Standard output."""
        return view(self.raw, "stdout")

    @property
    def stderr(self) -> Any:
        """Standard error."""
        return view(self.raw, "stderr")

    @property
    def exit_code(self) -> Any:
        """The exit status, None where it is not known."""
        return view(self.raw, "exit_code")

    @property
    def artifacts(self) -> Sequence[Any] | None:
        """What files it left; None where the runner does not report them."""
        artifacts = view(self.raw, "artifacts")
        return None if artifacts is None else list(artifacts)

    @property
    def truncated(self) -> Any:
        """What was cut; None where nothing was."""
        return view(self.raw, "truncated")

    def says_cut(self, stream: str) -> bool:
        """Whether it states that this stream, `stdout` or `stderr`, was cut."""
        return self.truncated is not None and bool(view(self.truncated, stream))

    @property
    def of_chars(self) -> Any:
        """The length before the cut, None where it is not stated."""
        return None if self.truncated is None else view(self.truncated, "of_chars")

    def text(self, stream: str) -> str:
        """What a stream holds. Raises a `Violation` when it is no text."""
        held = view(self.raw, stream)
        expect(isinstance(held, str), f"{stream} is no text", got=held)
        return str(held)
