"""What the error of a context overflow says, to programs and to people (document 20, sections 2 and 2.4)."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

from portproof.benches.classifier import OVERFLOW_CODE, sizes_of
from portproof.benches.failures import chained
from portproof.benches.overflows import overflow_phrase, sizes_said, typed_errors
from portproof.benches.provider import ProviderBench
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, NotTested, expect, expect_equal
from portproof.strategies import grouped, markers, names, token_sizes

_WORDS = st.lists(markers(), max_size=3).map(" ".join)


@check("ERR-CODE-STABLE", any_answer=True)
async def the_code_is_the_constant(bench: ProviderBench) -> None:
    for how, error in (await typed_errors(bench, overflow_phrase(bench))).items():
        expect_equal(view(error, "code"), OVERFLOW_CODE, f"code of the overflow ({how})")


@check("ERR-PROVIDER-NAMED", any_answer=True, at_most=3, name=names())
async def the_adapter_that_refused_is_named(bench: ProviderBench, name: str) -> None:
    for how, error in (await typed_errors(bench, overflow_phrase(bench), name)).items():
        provider = view(error, "provider")
        expect(isinstance(provider, str) and provider, f"provider is not a non-empty string ({how})", provider=provider)
        if how == "the classifier":
            expect_equal(provider, name, "provider of an error that the classifier made for this name")
        expect(provider in str(error), f"the message does not name the provider ({how})", text=str(error))


@check("ERR-CAUSE-KEPT", any_answer=True, at_most=3, words=_WORDS)
async def the_original_is_the_cause(bench: ProviderBench, words: str) -> None:
    sentence = f"{overflow_phrase(bench)} {words}".strip()
    errors = await typed_errors(bench, sentence)
    wrapped = [_expect_kept(how, error, sentence) for how, error in errors.items()]
    if bench.classifier is not None:
        original = Exception(sentence)
        made = bench.classifier.typed(original)
        expect(view(made, "cause") is original, "the attribute cause is not the original exception", got=made)
        expect(made.__cause__ is original, "__cause__ is not the original exception", got=made.__cause__)
    elif not any(wrapped):
        raise NotApplicable("the adapter reads the response itself: there is no original exception")


def _expect_kept(how: str, error: BaseException, sentence: str) -> bool:
    """Whether a client's exception with the vendor's words is behind the error; if so, it must be a cause of it."""
    originals = [one for one in chained(error)[1:] if sentence in _said(one)]
    causes = _causes(error)
    kept = any(one is cause for one in originals for cause in causes)
    expect(kept or not originals, f"the client's exception is not kept as the cause ({how})", dropped=originals)
    return kept


def _causes(error: BaseException) -> list[BaseException]:
    """What is reached by `cause` and `__cause__` alone."""
    found: list[BaseException] = []
    waiting: list[Any] = [error]
    while waiting:
        one = waiting.pop()
        for cause in (view(one, "cause"), one.__cause__):
            if isinstance(cause, BaseException) and not any(cause is other for other in found):
                found.append(cause)
                waiting.append(cause)
    return found


def _said(error: BaseException) -> str:
    return f"{error} {view(error, 'body')!r}"


# ---- the message


@check("ERR-MSG-SIZES", any_answer=True, at_most=3, limit=token_sizes(1_000), actual=token_sizes(1_000))
async def the_message_states_the_known_sizes(bench: ProviderBench, limit: int, actual: int) -> None:
    for stated in ((limit, actual), (limit, None), (None, actual), (None, None)):
        sentence = sizes_said(bench, *stated)
        for how, error in (await typed_errors(bench, sentence)).items():
            known = [grouped(size, ",") for size in sizes_of(error) if isinstance(size, int)]
            _expect_sizes(how, str(error).partition(sentence), known)


def _expect_sizes(how: str, message: tuple[str, str, str], known: list[str]) -> None:
    """`message` is what stands before the vendor's sentence, the sentence, and what stands behind it."""
    before, said, behind = message
    if not said:
        raise NotTested("the message does not quote the vendor's sentence as it came (ERR-MSG-PROVIDER-SAID)")
    missing = [
        size for size in known if not re.search(rf"(?<![\d,.]){size}(?![\d,])[^.]*?token", f"{before}. {behind}")
    ]
    expect(not missing, f"the message does not state a size that is known ({how})", missing=missing, text=before)
    others = [size for size in re.findall(r"([\d,._]+) tokens", before) if size not in known]
    expect(not others, f"the message states a size that is not known ({how})", stated=others, text=before)
    empty = _NO_SIZE.search(before)
    expect(empty is None, f"the message states a size as {empty and empty[0]!r} ({how})", text=before)


_NO_SIZE = re.compile(
    r"\b(?:None|nan|null) tokens?\b|\b(?:limit|sent|actual|size)\W+(?:(?:of|is)\W+)?(?:None|nan|null|0)\b"
)
_NOTHING_CAME = re.compile(
    r"\b(?:nothing|no|not|never|none|before|without)\b.{0,80}?(?:generat|produc|answer|output|respon|complet|ran\b|run\b)"
    r"|(?:generat|produc|answer|output)\w*.{0,40}?\b(?:nothing|none|never|not)\b",
    re.DOTALL,
)
_AGAIN = r"(?:re-?sen[dt]|resubmi|re-?tr[yi]|again|repeat|same (?:conversation|request|messages|prompt))"
_IN_VAIN = (
    r"(?:fail|refus|reject|useless|pointless|in vain|no use|not help|same|identical|cannot|won't|will not|never|not)"
)
_RETRY_FAILS = re.compile(rf"{_AGAIN}.{{0,120}}?{_IN_VAIN}|{_IN_VAIN}.{{0,120}}?{_AGAIN}", re.DOTALL)


@check("ERR-MSG-NOT-RETRY", any_answer=True)
async def the_message_says_that_a_retry_is_useless(bench: ProviderBench) -> None:
    for how, own in (await _own_words(bench)).items():
        expect(_NOTHING_CAME.search(own), f"the message does not say that nothing was generated ({how})", text=own)
        expect(_RETRY_FAILS.search(own), f"the message does not say that sending it again fails ({how})", text=own)


_NUMBERED = re.compile(
    r"(?:(?<![\d,.])1(?![\d,])|\bfirst)(.*?)(?:(?<![\d,.])2(?![\d,])|\bsecond)(.*?)(?:(?<![\d,.])3(?![\d,])|\bthird)(.*)",
    re.DOTALL,
)
_REMEDIES = {
    "cap oversized tool results": r"tool.{0,40}?(?:result|output|respon|return)|(?:result|output|respon).{0,40}?\btool",
    "drop older rounds": r"drop|window|trim|trunc|remov|old",
    "compaction": r"compact|summar",
}
_WARNING = re.compile(
    r"cannot|can't|can not|unable|unless|won't|will not|does not|doesn't|fails|too (?:big|large|long)|larger"
)


@check("ERR-MSG-FIXES", any_answer=True)
async def the_remedies_stand_in_the_order_worth_trying(bench: ProviderBench) -> None:
    for how, own in (await _own_words(bench)).items():
        numbered = _NUMBERED.search(own)
        expect(numbered, f"the message lists no three numbered remedies ({how})", text=own)
        remedies = numbered.groups() if numbered else ()
        for (name, words), said in zip(_REMEDIES.items(), remedies, strict=True):
            expect(re.search(words, said), f"{name!r} does not stand in its place ({how})", remedies=remedies)
        warned = _WARNING.search(remedies[2])
        expect(warned, f"nothing warns that compaction cannot fold too big a span ({how})", text=own)


@check("ERR-MSG-PROVIDER-SAID", any_answer=True, at_most=6, before=_WORDS, behind=_WORDS)
async def the_vendors_sentence_is_quoted(bench: ProviderBench, before: str, behind: str) -> None:
    sentence = f"{before} {overflow_phrase(bench)} {behind}".strip()
    for how, error in (await typed_errors(bench, sentence)).items():
        expect(sentence in str(error), f"the message does not quote the vendor ({how})", said=sentence, text=str(error))


async def _own_words(bench: ProviderBench) -> dict[str, str]:
    """The messages in lower case without what the vendor said."""
    sentence = overflow_phrase(bench)
    errors = await typed_errors(bench, sentence)
    return {how: str(error).replace(sentence, "…").lower() for how, error in errors.items()}
