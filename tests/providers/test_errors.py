"""What failed calls turn into."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.ports import ContextWindowExceededError, LLMResponse, ProviderError
from agentports.providers._errors import error_of, read_refusal
from tests.providers.provider_doubles import KEY, Vendor, ask, complete, delta, openai, read, shown, sse, stream

METHODS: list[Callable[..., Any]] = [complete, stream]


def envelope(message: str, **fields: Any) -> dict[str, Any]:
    """Build the vendor's error body."""
    return {"error": {"message": message, "type": None, "code": None} | fields}


def failure(body: Any = b"", *, status: int = 429, **headers: str) -> ProviderError:
    """Return what both methods raise for an HTTP error, which is the same."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    raised = []
    for method in METHODS:
        vendor = Vendor(body, status=status, headers={"content-type": "application/json"} | named)
        with pytest.raises(ProviderError) as caught:
            method(vendor)
        assert len(vendor.requests) == 1
        raised.append(caught.value)
    first, second = raised
    assert (type(first), str(first), first.status) == (type(second), str(second), second.status)
    return first


# ---- status, message, code


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b'""', {"error": None}, envelope("boom"), b"\xff<html>"])
@pytest.mark.parametrize("status", [300, 307, 400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 503, 529, 599])
def test_every_status_raises_once(status: int, body: Any) -> None:
    """Whatever the body is, the status is kept and nothing is sent again."""
    error = failure(body, status=status)
    assert (error.status, error.provider, type(error)) == (status, "openai", ProviderError)
    assert str(error).startswith(f"[openai] HTTP {status}: ")
    assert error.retry_after_ms is None


@pytest.mark.parametrize(
    ("body", "said", "code"),
    [
        (envelope("boom", code="bad_thing"), "boom", "bad_thing"),
        (envelope("boom", type="server_error"), "boom", "server_error"),
        (envelope("boom", code=429), "boom", None),
        ([envelope("boom", status="RESOURCE_EXHAUSTED", code=429)], "boom", "RESOURCE_EXHAUSTED"),
        ({"error": "boom"}, "boom", None),
        ({"message": "boom"}, "boom", None),
        ({"detail": "boom"}, "boom", None),
        (b"upstream request timeout", "upstream request timeout", None),
        ({"other": "boom"}, '{"other": "boom"}', None),
    ],
)
def test_vendors_words_are_quoted(body: Any, said: str, code: str | None) -> None:
    """In whatever envelope they came; the code is the vendor's."""
    error = failure(body, status=500)
    assert str(error) == f"[openai] HTTP 500: {said}"
    assert error.code == code


def test_foreign_bodies_are_quoted_in_part() -> None:
    """A page does not fill the log; the vendor's own message is whole."""
    assert len(str(failure(b"<html>" + b"x" * 5000, status=500))) < 300
    assert str(failure(envelope("y" * 2000), status=500)).endswith("y" * 2000)


def test_body_that_breaks_off_leaves_the_status() -> None:
    """The answer was an HTTP error, whatever happened to its body."""
    for method in METHODS:
        with pytest.raises(ProviderError) as caught:
            method(Vendor(status=503, pieces=[b"{", httpx.ReadError("reset")]))
        assert caught.value.status == 503


@pytest.mark.parametrize("exc", [httpx.ConnectError, httpx.ReadError, httpx.ReadTimeout, httpx.PoolTimeout, OSError])
def test_transport_failures_have_no_status(exc: type[Exception]) -> None:
    """No HTTP answer, no status; the kind of failure is named."""

    def handler(_: httpx.Request) -> httpx.Response:
        raise exc("lost")

    for method in METHODS:
        with pytest.raises(ProviderError, match=rf"\[openai\] {exc.__name__}: lost") as caught:
            method(Vendor(handler=handler))
        assert (caught.value.status, caught.value.retry_after_ms, caught.value.code) == (None, None, None)
        assert type(caught.value.__cause__) is exc


def test_closed_client_is_a_providers_error() -> None:
    """Any other exception of the transport is translated too."""

    async def go() -> None:
        vendor = Vendor({})
        await vendor.client.aclose()
        with pytest.raises(ProviderError, match="closed"):
            await openai(vendor).complete(ask())

    asyncio.run(go())


# ---- the stated wait


@given(st.integers(0, 10**6), st.sampled_from(["", " ", "\t"]))
@settings(deadline=None, max_examples=20)
def test_retry_after_in_seconds(seconds: int, blank: str) -> None:
    """Whole seconds, blanks around them allowed."""
    error = error_of("p", read_refusal(""), status=429, headers={"retry-after": f"{blank}{seconds}{blank}"})
    assert error.retry_after_ms == seconds * 1000


def test_retry_after_as_a_date() -> None:
    """Time from now; a date in the past is no wait. Every form of a date that HTTP knows is read."""
    later, earlier = time.time() + 3600, time.time() - 3600
    wait = failure(retry_after=formatdate(later, usegmt=True)).retry_after_ms
    assert wait is not None
    assert abs(wait - 3_600_000) < 120_000
    assert failure(retry_after=formatdate(earlier, usegmt=True)).retry_after_ms == 0
    assert failure(retry_after="Sunday, 06-Nov-94 08:49:37 GMT").retry_after_ms == 0
    assert failure(retry_after="Sun Nov  6 08:49:37 1994").retry_after_ms == 0


@pytest.mark.parametrize(
    "value",
    ["", " ", "soon", "-5", "1.5", "7, 7", "1e3", "٣", "9" * 5000, "12:30", "Mon, 99 Foo 2024 99:99:99 GMT", "inf"],
)
def test_malformed_headers_say_nothing(value: str) -> None:
    """The next source is tried, the error is otherwise unchanged."""
    said = read_refusal(json.dumps(envelope("busy, try again in 2s")))
    for headers in ({"retry-after": value}, {"retry-after-ms": value.replace("1.5", "x")}):
        assert error_of("p", read_refusal(""), headers=headers).retry_after_ms is None
        assert error_of("p", said, headers=headers).retry_after_ms == 2000


def test_order_of_the_sources() -> None:
    """Milliseconds before seconds before words before Google's detail."""
    details = [{"@type": "x"}, {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "44.5s"}]
    silent = envelope("busy", details=details)
    spoken = envelope("busy, try again in 3s", details=details)
    assert failure(spoken, retry_after_ms="1500.5", retry_after="7").retry_after_ms == 1500.5
    assert failure(spoken, retry_after_ms="x", retry_after="7").retry_after_ms == 7000
    assert failure(spoken, retry_after="x").retry_after_ms == 3000
    assert failure(silent).retry_after_ms == 44_500
    assert failure(envelope("busy", details=[{"retryDelay": "x"}, {"retryDelay": 4}, None])).retry_after_ms is None


@pytest.mark.parametrize(
    ("text", "wait"),
    [
        ("Please try again in 20s.", 20_000),
        ("Please try again in 1.5 seconds", 1500),
        ("try again in 350ms", 350),
        ("try again in 350 milliseconds.", 350),
        ("Please try again in 9m38.016s. Visit", 578_016),
        ("Try Again In 1h2m3s", 3_723_000),
        ("try again in 1 hour and 5 minutes", 3_900_000),
        ("retry in 1 minute, 30 seconds.", 90_000),
        ("retry after 86400 seconds", 86_400_000),
        ("Please retry in 2 minutes", 120_000),
        ("please retry in 44.123456789s", 44_123.457),
        ("try again in 1 hour", 3_600_000),
        ("try again in 20", None),
        ("try again in 20 models", None),
        ("try again in 5 somethings", None),
        ("waited 30 seconds; try again later", None),
        ("try again soon, in 5s", None),
    ],
)
def test_wait_in_words(text: str, wait: float | None) -> None:
    """A number with a unit behind the right words; anything else states nothing."""
    assert failure(envelope(text)).retry_after_ms == wait
    assert failure(text.encode()).retry_after_ms == wait


# ---- context overflow

OVERFLOWS = [
    (
        "This model's maximum context length is 8,192 tokens. However, your messages resulted in 8227 tokens.",
        8192,
        8227,
    ),
    ("maximum context length is 4097 tokens, however you requested 4569 tokens (3545 in your prompt)", 4097, 4569),
    ("maximum context length is 131072 tokens. However, you requested about 141_600 tokens", 131072, 141600),
    (
        "Input tokens exceed the configured limit of 272_000 tokens. Your messages resulted in 300,001 tokens.",
        272000,
        300001,
    ),
    ("prompt is too long: 210000 tokens > 200000 maximum", 200000, 210000),
    ("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease", 200000, 210000),
    ("exceed context limit: 0 + 20000 > 200000", 200000, None),
    ("Input is too long for requested model.", None, None),
    ("input token count (1048577) exceeds the maximum number of tokens allowed (1048576).", 1048576, 1048577),
    ("input token count () exceeds the maximum number of tokens allowed (1048576).", 1048576, None),
    ("The input token count exceeds the maximum number of tokens allowed.", None, None),
    ("the request exceeds the maximum allowed number of input tokens", None, None),
    ("exceeds the maximum input tokens; you sent 5000 tokens", None, 5000),
    ("PROMPT IS TOO LONG: 0 tokens > ,,, maximum; a stray limit of 7 tokens", None, None),
    ("maximum context length is ٣٣ tokens", None, None),
]


@pytest.mark.parametrize(("text", "limit", "actual"), OVERFLOWS)
@pytest.mark.parametrize("status", [400, 413, 422, 429, 500])
def test_overflow_is_recognised(text: str, limit: int | None, actual: int | None, status: int) -> None:
    """By the vendors' sentences whatever status a gateway gives them, which is kept; the numbers are integers."""
    error = failure(envelope(text), status=status)
    assert isinstance(error, ContextWindowExceededError)
    assert (error.limit_tokens, error.actual_tokens) == (limit, actual)
    assert (error.status, error.provider, error.code) == (status, "openai", "ERR_CONTEXT_WINDOW_EXCEEDED")
    assert str(error).startswith("[openai] ")
    assert text in str(error)


@pytest.mark.parametrize("escaped", [False, True])
def test_overflow_in_any_body(escaped: bool) -> None:
    """The code alone, a sentence far behind, a body that is no envelope, one whose signs are escaped."""
    assert isinstance(failure(envelope("no", code="context_length_exceeded"), status=400), ContextWindowExceededError)
    sentence = "prompt is too long: 5 tokens > 4 maximum"
    far = failure(envelope("x" * 3000 + sentence), status=400)
    page = failure(b"<html>" + b"x" * 3000 + sentence.encode() + b"y" * 3000, status=400)
    text = json.dumps(envelope(sentence))
    inner = failure((text.replace(">", "\\u003e") if escaped else text).encode(), status=400)
    for error in (far, page, inner):
        assert isinstance(error, ContextWindowExceededError)
        assert (error.limit_tokens, error.actual_tokens) == (4, 5)
        assert sentence in str(error)
    assert len(str(page)) < 1200


def test_overflow_message_says_what_to_do() -> None:
    """Sizes, why not to retry, three remedies in order, the vendor's words at the end."""
    text = str(failure(envelope("prompt is too long: 210000 tokens > 200000 maximum"), status=400))
    facts = [
        "210,000 tokens",
        "200,000 tokens",
        "before generating",
        "again fails",
        "1. cap",
        "2. drop",
        "3. compaction",
    ]
    places = [text.index(fact) for fact in [*facts, "prompt is too long"]]
    assert places == sorted(places)
    assert "None" not in str(failure(envelope("Input is too long for requested model"), status=400))


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (429, "Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000."),
        (413, "Request too large for model on tokens per minute (TPM): Limit 6000, Requested 7000"),
        (400, "max_tokens: must be less than or equal to 8192"),
        (400, "max_tokens: 100000 > 64000, which exceeds the maximum allowed number of output tokens"),
        (400, "exceeds the maximum allowed number of tokens"),
        (400, "too many tokens"),
        (429, "Quota exceeded for quota metric input token count per minute"),
        (400, "input token count is high. It exceeds the maximum number of tokens allowed"),
        (400, "input token count" + "x" * 81 + "exceeds the maximum number of tokens allowed"),
        (404, "The model does not exist"),
        (401, "Incorrect API key"),
    ],
)
def test_other_failures_are_no_overflow(status: int, text: str) -> None:
    """Throttling, output caps and a vendor's own failures stay what they were."""
    error = failure(envelope(text), status=status)
    assert type(error) is ProviderError
    assert error.status == status


def test_overflow_inside_a_stream() -> None:
    """An error event is translated in the same way."""
    error = {"message": "no", "code": "context_length_exceeded"}
    with pytest.raises(ContextWindowExceededError) as caught:
        stream(Vendor(pieces=[sse(delta(content="x"), {"error": error})]))
    assert caught.value.status == 400


def test_answer_that_mentions_the_words_is_an_answer() -> None:
    """Status 200 is no failure."""
    body = {"choices": [{"message": {"content": "the prompt is too long: context_length_exceeded"}}]}
    response: LLMResponse = complete(Vendor(body))
    assert response.content.startswith("the prompt")


# ---- the key


def failing(kind: str, echo: str) -> Vendor:
    """Build a vendor that fails in one way and says `echo`, and nothing of the request, wherever it can."""

    def transport(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError(f"no route for {echo}")

    def foreign(_: httpx.Request) -> httpx.Response:
        raise RuntimeError(f"headers were {echo}")

    return {
        "transport": Vendor(handler=transport),
        "foreign": Vendor(handler=foreign),
        "status": Vendor(envelope(f"Incorrect API key provided: {echo}", code=echo), status=401),
        "page": Vendor(f"<p>{echo}</p>".encode(), status=500),
        "malformed": Vendor(f"<p>{echo}</p>".encode()),
        "overflow": Vendor(envelope(f"prompt is too long {echo}"), status=400),
        "event": Vendor(pieces=[sse({"error": {"message": echo}})]),
        "reset": Vendor(pieces=[sse(delta(content="x")), httpx.ReadError(f"reset {echo}")]),
        "headers": Vendor({"error": "x"}, status=429, headers={"x-echo": echo}),
    }[kind]


KINDS = ["transport", "foreign", "status", "page", "malformed", "overflow", "event", "reset", "headers"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", METHODS)
def test_key_is_shown_nowhere(kind: str, method: Callable[..., Any]) -> None:
    """Not in the message, the attributes or the chain, nor in the locals of any frame that a report may show."""
    with pytest.raises(ProviderError) as caught:
        method(failing(kind, "nothing"), api_key=lambda: KEY)
    assert KEY not in shown(caught.value, with_locals=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", METHODS)
def test_repeated_key_is_taken_out(kind: str, method: Callable[..., Any]) -> None:
    """What the vendor or the transport repeats does not get on."""
    with pytest.raises(ProviderError) as caught:
        method(failing(kind, KEY))
    assert KEY not in shown(caught.value, with_locals=False)


def test_short_keys_are_not_replaced() -> None:
    """They would shred ordinary text."""
    with pytest.raises(ProviderError, match="bad a key"):
        complete(Vendor(envelope("bad a key"), status=401), api_key="a")


def test_reading_goes_on_after_a_failure() -> None:
    """One failed call leaves the provider as it was."""

    async def go() -> None:
        answers = iter([httpx.Response(500), httpx.Response(200, content=sse(delta("stop", content="x")))])
        provider = openai(Vendor(handler=lambda _: next(answers)))
        with pytest.raises(ProviderError):
            await read(provider, ask())
        assert len(await read(provider, ask())) == 2

    asyncio.run(go())
