"""The fields of an ollama request, and where it goes (document 12, section 7)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from hypothesis import strategies as st

from agentports.ports import ThinkingIntent
from agentports.sim import Turn
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import texts
from portproof.wires import WireRequest

_CAPS = st.integers(1, 8192)
#: Greater than every cap, and nothing else in these requests has as many digits.
_BUDGETS = st.integers(20_000, 60_000)
_LEVELS = (True, "low", "medium", "high", "max")
_FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "max_tokens": _CAPS,
        "temperature": st.sampled_from([0, 0.5, 1]),
        "stop": st.lists(texts(max_size=5), min_size=1, max_size=2),
    },
)
_OPTIONS = {"max_tokens": "num_predict", "temperature": "temperature", "stop": "stop"}


@check("WIRE-OLL-THINK", budget=_BUDGETS, cap=st.none() | _CAPS)
async def a_wish_for_thinking_is_a_switch_and_no_cap(bench: ProviderBench, budget: int, cap: int | None) -> None:
    model, wish = _thinking_model(bench), ThinkingIntent(budget=budget)
    for way in bench.ways:
        usual = (await bench.sent(way, bench.request(model=model, max_tokens=cap))).cap
        body = await bench.sent(way, bench.request(model=model, max_tokens=cap, thinking=wish))
        expect(_is_level(body.thinking), f"think is neither true nor a level ({way})", think=body.thinking)
        expect_equal(body.cap, usual if cap is None else cap, f"options.num_predict beside a budget ({way})")
        expect(str(budget) not in bench.last.text, f"the budget stands in the body ({way})", body=body.raw)


def _thinking_model(bench: ProviderBench) -> str:
    mode = bench.driver.member("thinking_mode")
    able = (model for model in bench.dialect.known_models if mode is None or mode(model) != "none")
    if (model := next(able, None)) is None:
        raise NotApplicable("thinking_mode answers none for every model that was tried")
    return model


def _is_level(think: Any) -> bool:
    return any(think is level if isinstance(level, bool) else think == level for level in _LEVELS)


@check("WIRE-OLL-OPTIONS", given=_FIELDS)
async def cap_temperature_and_stop_are_options(bench: ProviderBench, given: dict[str, Any]) -> None:
    expected = {_OPTIONS[name]: value for name, value in given.items()}
    for way in bench.ways:
        options = _options(await bench.sent(way, bench.request(**given)))
        stated = {name: value for name, value in options.items() if name in expected}
        expect_equal(stated, expected, f"the options of the request ({way})")
        expect(given or not options, f"options are sent though the request states none ({way})", options=options)


def _options(body: WireRequest) -> dict[str, Any]:
    """The options, one stop sequence as a list of one; the server passes null over."""
    stop = {} if body.stop is None else {"stop": list(body.stop)}
    return {k: v for k, v in {**(body.raw.get("options") or {}), **stop}.items() if v is not None}


@check("WIRE-OLL-STREAM-FIELD", text=texts())
async def stream_is_always_written(bench: ProviderBench, text: str) -> None:
    bench.play(Turn.of(text))
    for way in bench.ways:
        bench.forget()
        answer = await bench.ask(way)
        stream = bench.body.raw.get("stream")
        # To answer `complete` from a stream is an adapter's right, if it reads all of it.
        legal = (True,) if way == "stream" else (True, False)
        expect(any(stream is value for value in legal), f"stream is not written as it must be ({way})", stream=stream)
        expect_equal(answer.content, text, f"the content ({way})")


@check("WIRE-OLL-BASE-URL", ending=st.sampled_from(["", "/", "/v1", "/v1/"]))
async def every_spelling_of_the_base_url_gives_the_same_path(bench: ProviderBench, ending: str) -> None:
    root = bench.upstream.base_url
    async with bench.another(base_url=root + ending) as driver, bench.using(driver):
        for way in bench.ways:
            await bench.sent(way)
            expect_equal(bench.last.path, f"{urlsplit(root).path}/api/chat", f"the path ({way})")
