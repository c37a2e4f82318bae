"""Classifiers that search too little of an error, or too much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from portproof_defects._classifiers import Exposing

from agentports.errors.overflow import is_context_window_exceeded
from agentports.errors.reading import SEPARATOR, field, nodes_of, searched_text, texts_of
from agentports.ports import ContextWindowExceededError
from portproof.selftest import defect

_INNER = ("error", "body", "cause", "__cause__")


def _joined(nodes: Iterator[Any], body_text: str | None) -> str:
    """What these nodes say, behind the body."""
    return SEPARATOR.join([body_text or "", *(text for node in nodes for text in texts_of(node))])


def _inner(node: Any) -> Any:
    return next((inner for name in _INNER if (inner := field(node, name)) is not None), None)


@defect("ERR-FLATTEN-FIELDS")
class ReadsTheMessageAlone(Exposing):
    """Never looks at a code."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        told = [text for node in nodes_of(err) for text in texts_of(node) if text != field(node, "code")]
        return SEPARATOR.join([body_text or "", *told])


@defect("ERR-FLATTEN-FIELDS")
class ReadsWhateverThereIs(Exposing):
    """Makes a text of what is none."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        return super().text_of(err, body_text) + str([field(err, name) for name in ("message", "code", "type")])


@defect("ERR-FLATTEN-FIELDS")
class ReadsTheBeginningOfABody(Exposing):
    """Cuts a long body before it is searched."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        return super().text_of(err, (body_text or "")[:2000])


@defect("ERR-FLATTEN-NESTED")
class ReadsTheOuterErrorAlone(Exposing):
    """Looks at the error it is given and at nothing below it."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        return _joined(iter([err]), body_text)


@defect("ERR-FLATTEN-NESTED")
class KnowsNoParsedBody(Exposing):
    """Does not know where the vendors' own clients keep what the vendor said."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        return _joined(iter([err]), body_text) if field(err, "body") is not None else super().text_of(err, body_text)


@defect("ERR-FLATTEN-ERROR-FIRST")
class FollowsEveryBranch(Exposing):
    """Searches whatever hangs on the error."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        inner = (node for name in _INNER if (node := field(err, name)) is not None)
        return super().text_of(err, body_text) + _joined(inner, None)


@defect("ERR-FLATTEN-ERROR-FIRST")
class FollowsTheCauseFirst(Exposing):
    """Prefers the cause to what the vendor's error object says."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        cause = field(err, "cause")
        return searched_text(err, body_text) if cause is None else _joined(iter([err, cause]), body_text)


@defect("ERR-FLATTEN-CYCLE")
class FollowsAChainToItsEnd(Exposing):
    """Calls itself for each inner error, and knows no end but the chain's."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        cls._last(err)
        return super().text_of(err, body_text)

    @classmethod
    def _last(cls, node: Any) -> Any:
        inner = node.get("error") or node.get("cause") if isinstance(node, dict) else getattr(node, "cause", None)
        return node if inner is None else cls._last(inner)


@defect("ERR-FLATTEN-CYCLE")
class GivesUpAtARing(Exposing):
    """Finds nothing in a chain that contains itself."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        seen = [err]
        while (node := _inner(seen[-1])) is not None and len(seen) < 5:
            if any(node is other for other in seen):
                return ""
            seen.append(node)
        return super().text_of(err, body_text)


@defect("ERR-FLATTEN-DEPTH")
class FollowsWithoutEnd(Exposing):
    """Searches a chain however long it is."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        return _joined(cls._all(err), body_text)

    @classmethod
    def _all(cls, err: Any) -> Iterator[Any]:
        seen: set[int] = set()
        while err is not None and id(err) not in seen and len(seen) < 200_000:
            seen.add(id(err))
            yield err
            err = _inner(err)


@defect("ERR-FLATTEN-DEPTH")
class VisitsThree(Exposing):
    """Counts the errors below the first one too low."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        second = _inner(err)
        nodes = [err, second, _inner(second)]
        return _joined((node for node in nodes if node is not None), body_text)


@defect("ERR-FLATTEN-HOSTILE")
class TrustsEveryProperty(Exposing):
    """Reads a code without expecting that it raises."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        getattr(err, "code", None)
        return super().text_of(err, body_text)


@defect("ERR-FLATTEN-HOSTILE")
class GivesUpAtTheFirstThatRaises(Exposing):
    """Takes an error of which something cannot be read for one that says nothing."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        try:
            for name in ("message", "code", "type", "error", "cause"):
                getattr(err, name, None)
        except Exception:
            return body_text or ""
        return super().text_of(err, body_text)


@defect("ERR-FLATTEN-NO-CONTEXT")
class FollowsTheTraceback(Exposing):
    """Searches what was being handled when the error was raised."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        context = getattr(err, "__context__", None)
        return super().text_of(err, body_text) + ("" if context is None else str(context))


@defect("ERR-RECOGNISED-BY-CODE")
class KnowsItsOwnClass(Exposing):
    """Recognises the class of this very package alone."""

    @classmethod
    def is_context_window_exceeded(cls, err: Any) -> bool:
        return isinstance(err, ContextWindowExceededError)


@defect("ERR-RECOGNISED-BY-CODE")
class TakesAnythingWithTheCode(Exposing):
    """Takes a parsed body with the code for the typed error."""

    @classmethod
    def is_context_window_exceeded(cls, err: Any) -> bool:
        return is_context_window_exceeded(err) or field(err, "code") == ContextWindowExceededError.CODE
