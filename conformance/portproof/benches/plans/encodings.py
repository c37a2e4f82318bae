"""The bench of the port encoding: three functions that are called, and whose refusals are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agentports.ports import RawPlanView
from portproof.benches.in_process import InProcessBench, InProcessBenches
from portproof.benches.plans.carrying import Carrier
from portproof.benches.plans.elsewhere import Elsewhere
from portproof.benches.plans.portraits import portrait
from portproof.running.loops import Time
from portproof.running.outcome import CheckFunction, Violation
from portproof.running.plain import plain, told
from portproof.subjects.looking import common_supply
from portproof.subjects.subject import Subject

__all__ = ["EncodingBench", "EncodingBenches", "Refusal", "shown"]

_LONGEST = 500


def shown(value: Any) -> str:
    """A value as Python writes it, which tells a tuple from a list and 1 from True; shortened."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return f"a {type(value).__name__} that is too deep or too large to be shown"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


@dataclass(frozen=True)
class Refusal:
    """A `ValueError` with a code."""

    code: str
    path: Any
    text: str


class EncodingBenches(InProcessBenches):
    """Opens a fresh bench for every example; the interpreters with other hash seeds serve all of them."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        elsewhere = Elsewhere(subject)
        super().__init__(subject, deadline, lambda subject, time: EncodingBench(subject, time, elsewhere))
        self._elsewhere = elsewhere

    def close(self) -> None:
        self._elsewhere.close()


class EncodingBench(InProcessBench):
    """Calls the subject with values of the classes that it has of its own, else of the contract's."""

    def __init__(self, subject: Subject, time: Time, elsewhere: Elsewhere) -> None:
        super().__init__(subject, time)
        #: The same subject in interpreters with other hash seeds.
        self.elsewhere = elsewhere
        #: The namespace under test.
        self.codec: Any = None

    def supply(self) -> dict[str, Any]:
        return common_supply(self.subject, self.time)

    async def start(self) -> None:
        self.codec = await self.another()
        self.carrier = Carrier(self.codec)

    async def example(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        try:
            await super().example(check, drawn)
        except Violation as violation:
            # As data, most of these values could not be told apart.
            violation.evidence = {name: shown(value) for name, value in drawn.items()} | violation.evidence
            raise

    @property
    def classes(self) -> Any:
        """The classes of plans, by name: the subject's own where it has them."""
        return self.carrier.classes

    # ---- calls that must succeed

    def encode(self, value: Any) -> bytes:
        """The encoding of a value of the contract's classes. Raises a `Violation` when there is none."""
        return self.encode_own(self.carrier.value(value))

    def encode_own(self, value: Any) -> bytes:
        """The encoding of a value of the subject's classes."""
        data = _owed("encode", self.codec.encode, value)
        if not isinstance(data, bytes):
            raise Violation(f"encode returned {type(data).__name__}, not bytes", encoded=shown(value))
        return data

    def decode(self, data: bytes) -> Any:
        """The value, of the subject's classes. Raises a `Violation` when there is none."""
        return _owed("decode", self.codec.decode, data)

    def digest(self, view: RawPlanView) -> str:
        """The digest of a view of the contract's classes. Raises a `Violation` when there is none."""
        return self.digest_own(self.carrier.view(view))

    def digest_own(self, view: Any) -> str:
        """The digest of a view of the subject's classes."""
        digest: str = _owed("plan_digest", self.codec.plan_digest, view)
        return digest

    def portrait(self, value: Any) -> str:
        """What identifies a value of the subject's classes."""
        return portrait(value, self.classes)

    def expect_back(self, value: Any, data: bytes) -> Any:
        """Decode and expect this value of the contract's classes; what came back."""
        back = self.decode(data)
        if self.portrait(back) != portrait(value):
            raise Violation(
                "the value came back as another one",
                went_in=shown(value),
                came_back=shown(back),
                encoding=data[:_LONGEST].decode("utf-8", "backslashreplace"),
            )
        return back

    # ---- calls that must fail

    def refusal_of(self, value: Any) -> Refusal:
        """How encoding a value of the subject's classes is refused. Raises a `Violation` when it is not."""
        return _refused("encode", self.codec.encode, value)

    def decode_refusal(self, data: bytes) -> Refusal:
        """How decoding is refused. Raises a `Violation` when it is not."""
        return _refused("decode", self.codec.decode, data)

    def read_or_refused(self, data: bytes) -> tuple[Any, Refusal | None]:
        """What decoding gives, or how it is refused."""
        try:
            return self.codec.decode(data), None
        except Exception as error:
            return None, _refusal("decode", error, data)


def _owed(name: str, function: Callable[[Any], Any], argument: Any) -> Any:
    try:
        return function(argument)
    except Exception as error:
        raise Violation(f"{name} raised {told(error)}", given=shown(argument), raised=plain(error)) from error


def _refused(name: str, function: Callable[[Any], Any], argument: Any) -> Refusal:
    try:
        answer = function(argument)
    except Exception as error:
        return _refusal(name, error, argument)
    raise Violation(f"{name} did not refuse", given=shown(argument), answered=shown(answer))


def _refusal(name: str, error: Exception, argument: Any) -> Refusal:
    code = getattr(error, "code", None)
    if not isinstance(error, ValueError) or not isinstance(code, str):
        raise Violation(
            f"{name} raised {told(error)}, which is no ValueError with a code", given=shown(argument)
        ) from error
    return Refusal(code, getattr(error, "path", None), str(error))
