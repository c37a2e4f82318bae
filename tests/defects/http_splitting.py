"""Splitters that take the wrong text for reasoning."""

from __future__ import annotations

import re
from typing import Any

from agentports.ports.http import THINK_CLOSE, THINK_OPEN
from agentports.relay import AgentProvider, ThinkSplitter
from agentports.relay._answer import Answer
from portproof.selftest import defect


class _Splitting(AgentProvider[Any]):
    """A provider with a splitter of its own, which it offers too."""

    ThinkSplitter: type[ThinkSplitter] = ThinkSplitter

    def _answer(self) -> Answer:
        return Answer(self.ThinkSplitter() if self._split else None)


@defect("SPLIT-PLAIN")
class AnyBracketOpens(_Splitting):
    """A bracket before a blank opens a span."""

    class ThinkSplitter(ThinkSplitter):
        def split(self, delta: str) -> str:
            return super().split(delta.replace("< ", THINK_OPEN))


@defect("SPLIT-SPAN")
class KeepsTheCloseTag(_Splitting):
    """The close tag stays in the content."""

    class ThinkSplitter(ThinkSplitter):
        def _go_to(self, tag: str, kept: list[str], let_through: list[str]) -> bool:
            found = super()._go_to(tag, kept, let_through)
            if found and tag == THINK_CLOSE:
                self._content.append(THINK_CLOSE)
            return found


@defect("SPLIT-CHUNK-INVARIANT")
class TrimsEachPiece(_Splitting):
    """A blank at the beginning of a piece after a span is dropped."""

    class ThinkSplitter(ThinkSplitter):
        def split(self, delta: str) -> str:
            return super().split(delta.lstrip(" ") if self._opened and not self._inside else delta)


@defect("SPLIT-HOLD")
class HoldsNothing(_Splitting):
    """The beginning of a tag is let through at once."""

    class ThinkSplitter(ThinkSplitter):
        def _held(self) -> int:
            return 0


@defect("SPLIT-HOLD-MINIMAL")
class HoldsFromTheLastBracket(_Splitting):
    """All that follows the last bracket is held."""

    class ThinkSplitter(ThinkSplitter):
        def _held(self) -> int:
            place = self._pending.rfind("<")
            return 0 if place < 0 else len(self._pending) - place


@defect("SPLIT-OPEN-ACROSS")
class WholeOpenTags(_Splitting):
    """An open tag has to come in one piece."""

    class ThinkSplitter(ThinkSplitter):
        def _held(self) -> int:
            return super()._held() if self._inside else 0


@defect("SPLIT-CLOSE-ACROSS")
class WholeCloseTags(_Splitting):
    """A close tag has to come in one piece."""

    class ThinkSplitter(ThinkSplitter):
        def _held(self) -> int:
            return 0 if self._inside else super()._held()


@defect("SPLIT-IMPLICIT-OPEN")
class NoBareCloseTags(_Splitting):
    """A bare close tag is content."""

    class ThinkSplitter(ThinkSplitter):
        def _began_inside(self) -> bool:
            return False


class _Late(Answer):
    def add(self, increment: Any) -> str:
        before = self._splitter is not None and not self._splitter._opened
        shown = super().add(increment)
        if self._splitter is not None and before:
            self.kept = getattr(self, "kept", "") + shown
            return self._splitter.content if self._splitter._opened else ""
        return shown

    def flush(self) -> str:
        opened = self._splitter is None or self._splitter._opened
        shown = super().flush()
        return shown if opened else getattr(self, "kept", "") + shown


@defect("SPLIT-IMPLICIT-DELTAS")
class WaitsForATag(AgentProvider[Any]):
    """Nothing is shown until it is known whether it is reasoning."""

    def _answer(self) -> Answer:
        return _Late(super()._answer()._splitter)


@defect("SPLIT-IMPLICIT-ONCE")
class BareAtAnyTime(_Splitting):
    """Every bare close tag makes reasoning of what was before."""

    class ThinkSplitter(ThinkSplitter):
        def split(self, delta: str) -> str:
            self._opened = False
            return super().split(delta)


@defect("SPLIT-IMPLICIT-ONLY-BEFORE-OPEN")
class FirstCloseTagWins(_Splitting):
    """The first close tag makes reasoning of all before it."""

    class ThinkSplitter(ThinkSplitter):
        def _began_inside(self) -> bool:
            return THINK_CLOSE in self._pending


@defect("SPLIT-MULTIPLE")
class FirstSpanOnly(_Splitting):
    """After a span all is content."""

    class ThinkSplitter(ThinkSplitter):
        def _go_to(self, tag: str, kept: list[str], let_through: list[str]) -> bool:
            if tag == THINK_OPEN and self._opened:
                tag = "\0"
            return super()._go_to(tag, kept, let_through)


@defect("SPLIT-NO-NESTING")
class CountsOpenTags(_Splitting):
    """A span ends when as many tags have closed as have opened."""

    class ThinkSplitter(ThinkSplitter):
        def _step(self, let_through: list[str]) -> bool:
            text, closed, rest = self._pending.partition(THINK_CLOSE)
            if self._inside and closed and THINK_OPEN in text:
                self._thinking.append(text.replace(THINK_OPEN, "", 1) + THINK_CLOSE)
                self._pending = rest
                return True
            return super()._step(let_through)


@defect("SPLIT-UNCLOSED")
class TailIsContent(_Splitting):
    """What is held inside a span is content in the end."""

    class ThinkSplitter(ThinkSplitter):
        def flush(self) -> str:
            self._inside = False
            return super().flush()


@defect("SPLIT-FLUSH-CONTENT")
class DropsWhatIsHeld(_Splitting):
    """What is held outside a span is dropped in the end."""

    class ThinkSplitter(ThinkSplitter):
        def flush(self) -> str:
            self._pending = self._pending if self._inside else ""
            return super().flush()


@defect("SPLIT-EMPTY-DELTA")
class EmptyIsTheEnd(_Splitting):
    """An empty delta decides what is held."""

    class ThinkSplitter(ThinkSplitter):
        def split(self, delta: str) -> str:
            return super().split(delta) if delta else self.flush()


@defect("SPLIT-EXACT-TAG")
class AnyCase(_Splitting):
    """The case of a tag does not matter."""

    class ThinkSplitter(ThinkSplitter):
        def split(self, delta: str) -> str:
            return super().split(re.sub(THINK_OPEN, THINK_OPEN, delta, flags=re.IGNORECASE))


@defect("SPLIT-CONSERVES")
class TrimsAfterASpan(_Splitting):
    """White space after a span is dropped."""

    class ThinkSplitter(ThinkSplitter):
        def _go_to(self, tag: str, kept: list[str], let_through: list[str]) -> bool:
            found = super()._go_to(tag, kept, let_through)
            if found and tag == THINK_CLOSE:
                self._pending = self._pending.lstrip()
            return found


@defect("SPLIT-MID-READ")
class FilledAtTheEnd(_Splitting):
    """Content and thinking are there when the splitter was flushed."""

    class ThinkSplitter(ThinkSplitter):
        _flushed = False

        @property
        def content(self) -> str:
            return super().content if self._flushed else ""

        def flush(self) -> str:
            self._flushed = True
            return super().flush()
