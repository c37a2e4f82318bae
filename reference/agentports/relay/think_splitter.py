"""Reasoning that stands in the content between tags is taken out of it (document 50, section 8)."""

from __future__ import annotations

from agentports.ports.http import THINK_CLOSE, THINK_OPEN

__all__ = ["ThinkSplitter"]


class ThinkSplitter:
    """Splits one stream of text. What could still become a tag is held back."""

    def __init__(self) -> None:
        self._pending = ""
        self._inside = False
        self._opened = False  # a tag has been seen
        self._content: list[str] = []
        self._thinking: list[str] = []

    @property
    def content(self) -> str:
        """The text outside the tags, as far as it is decided."""
        return _whole(self._content)

    @property
    def thinking(self) -> str:
        """The text inside the tags, as far as it is decided."""
        return _whole(self._thinking)

    def split(self, delta: str) -> str:
        """Take in the next text; return what is content of it."""
        self._pending += delta
        let_through: list[str] = []
        while self._step(let_through):
            pass
        return "".join(let_through)

    def flush(self) -> str:
        """Decide what was held; return what is content of it."""
        rest, self._pending = self._pending, ""
        (self._thinking if self._inside else self._content).append(rest)
        if not self._inside:
            return rest
        self._inside = False
        return ""

    def _step(self, let_through: list[str]) -> bool:
        """Go to the next tag; False when there is none."""
        if self._inside:
            return self._go_to(THINK_CLOSE, self._thinking, [])
        if not self._opened and self._began_inside():
            self._thinking[:] = [*self._content, self._up_to(THINK_CLOSE)]
            self._content.clear()
            let_through.clear()
            self._opened = True
            return True
        return self._go_to(THINK_OPEN, self._content, let_through)

    def _began_inside(self) -> bool:
        close, open_ = self._pending.find(THINK_CLOSE), self._pending.find(THINK_OPEN)
        return close >= 0 and not 0 <= open_ < close

    def _go_to(self, tag: str, kept: list[str], let_through: list[str]) -> bool:
        found = tag in self._pending
        text = self._up_to(tag) if found else self._all_but_held()
        if text:
            kept.append(text)
            let_through.append(text)
        if found:
            self._inside, self._opened = not self._inside, True
        return found

    def _up_to(self, tag: str) -> str:
        text, _, self._pending = self._pending.partition(tag)
        return text

    def _all_but_held(self) -> str:
        end = len(self._pending) - self._held()
        text, self._pending = self._pending[:end], self._pending[end:]
        return text

    def _held(self) -> int:
        """How long the end is with which a tag still looked for could begin."""
        if THINK_OPEN[0] not in self._pending[-len(THINK_CLOSE) :]:
            return 0
        if self._inside:
            tags: tuple[str, ...] = (THINK_CLOSE,)
        else:
            tags = (THINK_OPEN,) if self._opened else (THINK_OPEN, THINK_CLOSE)
        return max(_overlap(self._pending, tag) for tag in tags)


def _overlap(text: str, tag: str) -> int:
    lengths = range(min(len(tag) - 1, len(text)), 0, -1)
    return next((length for length in lengths if text.endswith(tag[:length])), 0)


def _whole(pieces: list[str]) -> str:
    if len(pieces) > 1:
        pieces[:] = ["".join(pieces)]
    return pieces[0] if pieces else ""
