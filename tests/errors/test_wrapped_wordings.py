"""Any wording, however a client wraps it: numbers, cases, languages, errors within errors."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.errors import as_context_window_exceeded, can_resume, looks_like_context_window_exceeded
from portproof.strategies import Chain, any_case, chains, grouped

#: What applications write in front of what a vendor said, in the languages of their users.
WRAPPINGS = (
    "{}",
    "Error code: 400 - {{'error': {{'message': '{}', 'type': 'invalid_request_error'}}}}",
    "Die Anfrage ist fehlgeschlagen (Prüfen Sie Ihre Eingabe): „{}“",
    "La requête a échoué : « {} »",
    "リクエストに失敗しました：{}",
    "请求失败：{}。",
    "Запрос не выполнен: {}!",
    "فشل الطلب: {}",
    "İstek başarısız oldu: {} ",
    "αίτημα: {}\n\tat Client.send(client.py:42)",
    "\ud83d {} \x00",
)

#: Sentences with a limit, an actual size, and a second part of it.
PAIRS = (
    "prompt is too long: {actual} tokens > {limit} maximum",
    "The input token count ({actual}) exceeds the maximum number of tokens allowed ({limit}).",
    "maximum context length is {limit} tokens. However, your messages resulted in {actual} tokens",
    "Input tokens exceed the configured limit of {limit} tokens. You requested about {actual} tokens",
    "prompt token count of {actual} exceeds the limit of {limit}",
    "input token count is {actual} but the model only supports up to {limit}",
    "Your request exceeded model token limit: {limit} (requested: {actual})",
    "`inputs` must have less than {limit} tokens. Given: {actual}",
    "total number of tokens (prompt and prediction) cannot exceed {limit} - received {actual}",
    "Input length {actual} exceeds context length {limit}",
    "Cannot truncate prompt with n_keep ({actual}) >= n_ctx ({limit})",
)
NUMBERS = st.integers(1, 10**12)
SEPARATORS = st.sampled_from(["", ",", "_"])
WRAPPED = st.sampled_from(WRAPPINGS)
Written = Callable[[str], str]


@settings(deadline=None)
@given(st.sampled_from(PAIRS), NUMBERS, NUMBERS, SEPARATORS, WRAPPED, any_case(), chains(texts=True))
def test_sizes_are_found_in_any_wrapping(
    pair: str, limit: int, actual: int, separator: str, wrapping: str, cased: Written, chain: Chain
) -> None:
    """In any error of the chain, however the client writes it down."""
    said = pair.format(limit=grouped(limit, separator), actual=grouped(actual, separator))
    err = chain.around(wrapping.format(cased(said)))
    assert looks_like_context_window_exceeded(err)
    error = as_context_window_exceeded(err, provider="vendor")
    assert error is not None
    assert (error.limit_tokens, error.actual_tokens) == (limit, actual)
    assert not can_resume(err)


@settings(deadline=None)
@given(st.sampled_from(PAIRS), NUMBERS, WRAPPED, chains(), st.sampled_from(["error", "cause"]), st.integers(0, 3))
def test_rings_are_searched(pair: str, limit: int, wrapping: str, chain: Chain, by: str, back: int) -> None:
    """A chain that contains itself is searched like any other, and ends."""
    last = len(chain.links)
    said = wrapping.format(pair.format(limit=limit, actual=7))
    error = as_context_window_exceeded(chain.ring(last, said, by, min(back, last)), provider="vendor")
    assert error is not None
    assert (error.limit_tokens, error.actual_tokens) == (limit, 7)
    assert not looks_like_context_window_exceeded(chain.ring(None, said, by, min(back, last)))


@settings(deadline=None)
@given(st.sampled_from(PAIRS), NUMBERS, NUMBERS, SEPARATORS, WRAPPED, st.integers(400, 599))
def test_a_body_is_searched_beside_any_error(
    pair: str, limit: int, actual: int, separator: str, wrapping: str, status: int
) -> None:
    """What the vendor answered counts, whatever the client makes of it."""
    body = wrapping.format(pair.format(limit=grouped(limit, separator), actual=grouped(actual, separator)))
    error = as_context_window_exceeded(TimeoutError(), provider="vendor", body_text=body, status=status)
    assert error is not None
    assert (error.limit_tokens, error.actual_tokens, error.status) == (limit, actual, status)


@settings(deadline=None)
@given(st.text(max_size=300), st.text(max_size=300), chains())
def test_no_text_breaks_the_classifier(text: str, body: str, chain: Chain) -> None:
    """It answers, whatever was said: not an overflow, or one of which it quotes the words."""
    err = chain.around(text)
    error = as_context_window_exceeded(err, provider="vendor", body_text=body)
    assert (error is not None) is looks_like_context_window_exceeded(err, body)
    assert can_resume(err) in (True, False)
