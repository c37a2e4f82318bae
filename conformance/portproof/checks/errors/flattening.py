"""Where in an error the classifier looks: which fields, which inner errors, how deep."""

from __future__ import annotations

from collections.abc import Callable, Set
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from portproof.benches.classifier import ClassifierBench
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import LINKS, Chain, chains, link

PHRASE = "prompt is too long"
#: A phrase that can stand in any field, and be the name of a class.
WORD = "context_length_exceeded"
#: The tags before the phrase in a body that is long: a gateway's page, or a request that it repeats.
_LONG = 5_000


def classifier_of(bench: ProviderBench) -> ClassifierBench:
    """The subject's classifier; the rules here apply to subjects that expose one."""
    assert bench.classifier is not None
    return bench.classifier


_FIELDS = st.sampled_from(["message", "code", "type", "name"])
_NO_TEXTS: st.SearchStrategy[Any] = st.sampled_from([[WORD], {"text": WORD}, WORD.encode(), 400, 1.5, True, None])


@check("ERR-FLATTEN-FIELDS", any_answer=True, chain=chains(texts=True), field=_FIELDS, no_text=_NO_TEXTS)
async def four_fields_and_the_body_are_searched(bench: ProviderBench, chain: Chain, field: str, no_text: Any) -> None:
    classifier = classifier_of(bench)
    expect(classifier.looks_like(chain.around(WORD, field)), f"a phrase in the field {field} was not found")
    for body in (WORD, f"{'<br>' * _LONG}{WORD}"):
        found = classifier.looks_like(Exception("request failed"), body)
        expect(found, f"a phrase in a body text of {len(body)} characters was not found")
    expect(not classifier.looks_like({field: no_text}), f"what is no text was searched in the field {field}")


@check("ERR-FLATTEN-NESTED", any_answer=True, chain=chains(texts=True))
async def an_inner_error_is_searched(bench: ProviderBench, chain: Chain) -> None:
    expect(classifier_of(bench).looks_like(chain.around(PHRASE)), "a phrase in an inner error was not found")


_HOLDERS = [
    (holder, first, second)
    for holder in ("exception", "mapping", "object")
    for first, second in combinations(LINKS, 2)
    if holder == "exception" or second != "__cause__"
]


@check("ERR-FLATTEN-ERROR-FIRST", any_answer=True, followed=st.sampled_from(_HOLDERS))
async def one_inner_error_is_followed(bench: ProviderBench, followed: tuple[str, str, str]) -> None:
    kind, first, second = followed
    looks_like = classifier_of(bench).looks_like
    expect(looks_like(_forked(kind, {first: PHRASE, second: "stale"})), f"{first} was not followed beside {second}")
    expect(not looks_like(_forked(kind, {first: "fresh", second: PHRASE})), f"{second} was followed beside {first}")


def _forked(kind: str, inner: dict[str, str]) -> Any:
    """An error with two inner ones."""
    outer = Chain((kind,), ()).around("request failed")
    for name, said in inner.items():
        link(outer, name, ValueError(said))
    return outer


@check(
    "ERR-FLATTEN-CYCLE",
    any_answer=True,
    chain=chains(),
    at=st.none() | st.integers(0, 3),
    by=st.sampled_from(["error", "cause"]),
    back=st.integers(0, 3),
)
async def a_chain_that_contains_itself_is_searched(
    bench: ProviderBench, chain: Chain, at: int | None, by: str, back: int
) -> None:
    last = len(chain.links)
    at = None if at is None else min(at, last)
    ring = chain.ring(at, PHRASE, by, min(back, last))
    expect_equal(classifier_of(bench).looks_like(ring), at is not None, "whether a ring of errors says the phrase")


@check("ERR-FLATTEN-DEPTH", any_answer=True, chain=chains(least=9, most=9))
async def four_errors_are_visited(bench: ProviderBench, chain: Chain) -> None:
    classifier = classifier_of(bench)
    for nodes in range(1, 11):
        cut = Chain(chain.kinds[:nodes], chain.links[: nodes - 1])
        found = classifier.looks_like(cut.around(PHRASE))
        expect_equal(found, nodes <= 4, f"whether a phrase in node {nodes} of a chain is found")
    expect(not classifier.looks_like(_Deep(100_000)), "a phrase 100 000 links deep was found")


class _Deep:
    """An error with so many below it, of which each is made when it is asked for, and the last says the phrase."""

    def __init__(self, links: int) -> None:
        self._links = links
        self.message = "request failed" if links else PHRASE

    @property
    def error(self) -> _Deep | None:
        return _Deep(self._links - 1) if self._links else None


#: Where a phrase stands, and what may fail beside it.
_CARRIERS = ("__str__", "code", "type", "cause")
_BREAKABLE = (*_CARRIERS, "message", "name", "error", "body", "status", "status_code", "response")


@check(
    "ERR-FLATTEN-HOSTILE",
    any_answer=True,
    carrier=st.sampled_from(_CARRIERS),
    broken=st.sets(st.sampled_from(_BREAKABLE), min_size=1),
    kind=st.sampled_from([ValueError, AttributeError, KeyError, RuntimeError]),
)
async def what_cannot_be_read_is_absent(
    bench: ProviderBench, carrier: str, broken: Set[str], kind: type[Exception]
) -> None:
    classifier = classifier_of(bench)
    err = _hostile(broken - {carrier}, kind, carrier)
    expect(classifier.looks_like(err), f"a phrase in {carrier} was not found beside what raises", raises=sorted(broken))
    classifier.typed(err)
    silent = _hostile(broken, kind)
    expect(not classifier.looks_like(silent), "taken for a context overflow", raises=sorted(broken))
    expect(not classifier.is_exceeded(silent), "taken for the typed error", raises=sorted(broken))
    expect(classifier.translate(silent) is None, "translated as a context overflow", raises=sorted(broken))


def _hostile(broken: Set[str], kind: type[Exception], carrier: str | None = None) -> Exception:
    """An exception of which these members raise; the carrier says the phrase."""

    def fail(self: Exception) -> Any:
        raise kind("cannot be read")

    members: dict[str, Callable[..., Any] | property] = {
        name: fail if name == "__str__" else property(fail) for name in broken
    }
    err: Exception = type("HostileError", (Exception,), members)(PHRASE if carrier == "__str__" else "request failed")
    if carrier is not None and carrier != "__str__":
        setattr(err, carrier, ValueError(PHRASE) if carrier == "cause" else PHRASE)
    return err


@check("ERR-FLATTEN-NO-CONTEXT", any_answer=True)
async def an_error_raised_while_another_is_handled_is_another(bench: ProviderBench) -> None:
    classifier = classifier_of(bench)
    expect(not classifier.looks_like(_raised(chained=False)), "__context__ was followed: the errors are unrelated")
    expect(classifier.looks_like(_raised(chained=True)), "__cause__ was not followed")


def _raised(*, chained: bool) -> Exception:
    try:
        try:
            raise ValueError(PHRASE)
        except ValueError as inner:
            raise KeyError("another thing") from (inner if chained else None)
    except KeyError as outer:
        if not chained:
            outer.__suppress_context__ = False
        return outer
