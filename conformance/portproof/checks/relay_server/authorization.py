"""The hook decides first, on what the client sent, and only True lets through."""

from __future__ import annotations

import asyncio
import string
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from portproof.benches.relay.bench import MINIMAL, TOKEN, RelayBench
from portproof.benches.relay.in_process import AppBench, Request, has_token
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies import markers

_HOOK = "the inside of the hook"
#: What a request without a right to it may hold as its body.
_BODIES: Sequence[Any] = (MINIMAL, b"{", b"", {"messages": "x"}, [b"[" * 2**16] * 32)
_NOT_TRUE: Sequence[Any] = (1, 1.0, "yes", {"ok": True}, None, [], [True], False, 0, object(), True.__class__, "True")
_TOKEN_CHARACTERS = string.ascii_letters + string.digits + "-_"
_header_names = st.text(_TOKEN_CHARACTERS, min_size=1, max_size=8).map(lambda name: f"x-{name.lower()}")
_header_values = st.text(string.ascii_letters + string.digits + "-._~:/;=,", min_size=1, max_size=12)


def _always(decision: Any) -> Callable[[Any], Any]:
    return lambda request: decision


def _later(hook: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The hook as an async function that takes its time."""

    async def decide(request: Any) -> Any:
        await asyncio.sleep(0.01)
        return hook(request)

    return decide


@check("RLY-AUTH-FIRST")
async def the_hook_decides_before_the_body_is_asked_for(bench: AppBench) -> None:
    bench.needs_inside("when the body is read")
    for decision in (True, False):
        seen: list[int] = []
        begun: list[Request] = []

        def hook(request: Any, seen: list[int] = seen, begun: list[Request] = begun, decision: bool = decision) -> bool:
            seen.append(begun[0].exchange.received)
            return decision

        for made in (hook, _later(hook)):
            await bench.authorize_with(made)
            begun[:] = [await bench.open()]
            await begun[0].over()
            expect_equal(seen[-1:], [0], "how often the body was asked for before the decision")
            if not decision:
                expect_equal(begun[0].exchange.received, 0, "how often the body was asked for in a refused request")


@check("RLY-AUTH-REFUSED")
async def who_is_not_let_through_is_answered_401(bench: RelayBench) -> None:
    for token in (None, "wrong", "", "portproof2"):
        await bench.refuses(MINIMAL, 401, f"with the token {token!r}", token=token)
    if isinstance(bench, AppBench):
        await bench.authorize_with(lambda request: False)
        await bench.refuses(MINIMAL, 401, "with a hook that says False")


@check("RLY-AUTH-TRUE-ONLY")
async def only_true_itself_lets_through(bench: AppBench) -> None:
    bench.needs_inside(_HOOK)
    for decision in _NOT_TRUE:
        for hook in (_always(decision), _later(_always(decision))):
            await bench.authorize_with(hook)
            await bench.refuses(MINIMAL, 401, f"with a hook that gives {plain(decision)}")


@check("RLY-AUTH-THROWS", marker=markers())
async def a_hook_that_fails_lets_nobody_through(bench: AppBench, marker: str) -> None:
    bench.needs_inside(_HOOK)
    for error in (RuntimeError(marker), PermissionError(marker), KeyError(marker), TimeoutError(marker)):

        def hook(request: Any, error: Exception = error) -> bool:
            raise error

        for made in (hook, _later(hook)):
            await bench.authorize_with(made)
            answer = await bench.post(MINIMAL)
            expect_equal(answer.status, 401, f"the status when the hook raises {type(error).__name__}")
            expect(marker not in answer.text, "the answer holds the text of the failure", answer=answer.text)
            expect(not bench.calls, "the provider was called")


@check("RLY-AUTH-ASYNC")
async def the_hook_may_be_async(bench: AppBench) -> None:
    bench.needs_inside(_HOOK)
    for decision, status in ((False, 401), (True, 200)):
        for hook in (_later(_always(decision)), _always(decision)):
            await bench.authorize_with(hook)
            expect_equal((await bench.post(MINIMAL)).status, status, f"the status for a hook that gives {decision}")


@check("RLY-AUTH-NO-PROVIDER")
async def a_refused_request_reaches_no_provider(bench: RelayBench) -> None:
    bench.needs_upstream()
    for body in _BODIES[:4]:
        await bench.refuses(body, 401, "without a right", token="wrong")
    if isinstance(bench, AppBench):
        gate = asyncio.Event()

        async def hook(request: Any) -> bool:
            await gate.wait()
            return False

        await bench.authorize_with(hook)
        under_way = await bench.open()
        await bench.quiet()
        expect(not bench.calls, "the provider is called while the hook decides")
        gate.set()
        await under_way.over()
        expect(not bench.calls, "the provider is called although the hook said False")


@check("RLY-AUTH-BEFORE-VALIDATION")
async def outsiders_learn_nothing_of_limits_and_shapes(bench: RelayBench) -> None:
    for body in _BODIES:
        await bench.refuses(body, 401, "without a right", token="wrong")


@check(
    "RLY-AUTH-REQUEST-SEEN",
    headers=st.dictionaries(_header_names, _header_values, max_size=4),
    path=st.text(_TOKEN_CHARACTERS + "/", max_size=12).map(lambda path: f"/{path}".replace("//", "/x/")),
    query=st.text(_TOKEN_CHARACTERS + "=&%2", max_size=12).map(lambda query: query.replace("%", "%20")),
    method=st.sampled_from(["POST", "PUT", "PATCH"]),
)
async def the_hook_sees_what_was_sent(
    bench: AppBench, headers: dict[str, str], path: str, query: str, method: str
) -> None:
    bench.needs_inside(_HOOK)
    seen: list[Any] = []

    def hook(request: Any) -> bool:
        seen.append(request)
        return False

    await bench.authorize_with(hook)
    await bench.post(MINIMAL, headers=list(headers.items()), path=path, query=query, method=method)
    expect(seen, "the hook is not asked", method=method)
    request = seen[0]
    expect_equal({name: request.headers.get(name) for name in headers}, headers, "the headers that the hook sees")
    expect_equal(request.headers.get("authorization"), "Bearer portproof", "the credential that the hook sees")
    expect_equal(request.method, method, "the method that the hook sees")
    expect_equal((request.url.path, request.url.query), (path, query), "the path and query that the hook sees")


@check("RLY-AUTH-EACH-REQUEST")
async def each_request_is_decided(bench: RelayBench) -> None:
    asked: list[bool] = []
    if isinstance(bench, AppBench):
        await bench.authorize_with(lambda request: asked.append(has_token(request)) or asked[-1])  # type: ignore[func-returns-value]
    async with bench.one_connection():
        answers = [await bench.post(MINIMAL, token=token) for token in (TOKEN, TOKEN, "revoked")]
    expect_equal([answer.status for answer in answers], [200, 200, 401], "the statuses of requests in a row")
    if isinstance(bench, AppBench):
        expect_equal(asked, [True, True, False], "what the hook was asked")


@check("RLY-AUTH-HOOK-CONSUMES")
async def a_hook_that_takes_the_body_leaves_nothing(bench: AppBench) -> None:
    bench.needs_inside(_HOOK)

    async def whole(request: Any) -> bool:
        await request.body()
        return True

    async def pieces(request: Any) -> bool:
        async for _ in request.stream():
            pass
        return True

    for hook in (whole, pieces):
        await bench.authorize_with(hook)
        await bench.refuses(MINIMAL, 400, "after a hook that took the body")


@check("RLY-NO-ORIGIN-CHECK")
async def origin_method_and_content_type_do_not_matter(bench: RelayBench) -> None:
    foreign = [("origin", "https://elsewhere.test"), ("sec-fetch-site", "cross-site"), ("referer", "https://a.test/")]
    for type_ in ("text/plain", "application/x-www-form-urlencoded", None):
        for headers in ([], foreign):
            answer = await bench.post(MINIMAL, headers=headers, content_type=type_)
            expect_equal(answer.status, 200, f"the status for the content type {type_}", headers=headers)
    answer = await bench.post(MINIMAL, method="PUT")
    routed = bench.is_remote and answer.status in (404, 405)
    expect(answer.status == 200 or routed, "a PUT is refused", status=answer.status)
