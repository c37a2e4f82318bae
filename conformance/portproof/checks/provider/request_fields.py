"""The optional fields of a request: which are written, and which are not."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import CacheMarker, LLMMessage, LLMRequest, LLMToolSchema, ThinkingIntent
from portproof.benches.provider import ProviderBench
from portproof.checks.provider.bodies import expect_same_body
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import conversations, model_ids, tool_sets
from portproof.wires import WireRequest

_THINKING = ThinkingIntent(budget=2048)
_CACHE_MARKERS = st.builds(
    CacheMarker,
    field=st.sampled_from(["system", "tools", "messages"]),
    boundary_index=st.integers(0, 6),
    ttl=st.sampled_from(["short", "long"]),
    reason=st.just("a stable prefix"),
)


@check("PRV-FALSY-VALUES-SENT", temperature=st.sampled_from([0, 0.0]))
async def a_temperature_of_zero_is_sent(bench: ProviderBench, temperature: float) -> None:
    for way in bench.ways:
        if (await bench.sent(way, bench.request(temperature=0.5))).temperature is None:
            raise NotApplicable(f"the adapter sends no temperature for {bench.model}")
        body = await bench.sent(way, bench.request(temperature=temperature))
        expect_equal(body.temperature, temperature, f"the temperature on the wire ({way})")


@check("PRV-EMPTY-OPTIONALS-OMITTED")
async def what_is_absent_or_empty_is_not_written(bench: ProviderBench) -> None:
    minimal, empty = bench.request(), bench.request(tools=[], stop=[], system_prompt="", cache_markers=[])
    for way in bench.ways:
        await expect_same_body(bench, way, minimal, empty, "the body of a request whose optional fields are empty")
        for request in (minimal, empty):
            body = await bench.sent(way, request)
            written = {**bench.dialect.written(bench.last), **_read(body)}
            if not bench.dialect.asks_for_thinking(body) or bench.subject.options:
                written.pop("thinking", None)
            expect_equal(written, {}, f"what the body holds of optional fields that nobody set ({way})")


def _read(body: WireRequest) -> dict[str, object]:
    return {"system": body.system} if body.system else {}


@check("PRV-THINKING-ABSENT-NOT-SENT")
async def nothing_asks_for_thinking_unasked(bench: ProviderBench) -> None:
    if any("think" in key or "reason" in key for key in bench.subject.options):
        raise NotApplicable("the adapter's own options ask for thinking")
    for model in dict.fromkeys([bench.model, *bench.dialect.known_models]):
        for way in bench.ways:
            # Asked for first, so that a wish that sticks to the provider shows.
            await bench.attempt(way, bench.request(model=model, thinking=_THINKING))
            body = await bench.sent(way, bench.request(model=model))
            expect(
                not bench.dialect.asks_for_thinking(body),
                f"{way} turns thinking on although the request does not ask for it",
                model=model,
                thinking=body.thinking,
            )


@check(
    "PRV-CACHE-MARKERS-IGNORED",
    messages=conversations(max_rounds=2),
    tools=tool_sets(max_size=2),
    markers=st.lists(_CACHE_MARKERS, min_size=1, max_size=3),
)
async def cache_markers_change_nothing(
    bench: ProviderBench, messages: list[LLMMessage], tools: list[LLMToolSchema], markers: list[CacheMarker]
) -> None:
    plain = bench.request(*messages, tools=tools, system_prompt="Be brief.")
    marked = plain.model_copy(update={"cache_markers": markers})
    for way in bench.ways:
        await expect_same_body(bench, way, plain, marked, "the body of a request with cache markers")


@check("PRV-SHORTHAND-MODEL", model=model_ids())
async def a_model_id_goes_to_the_wire_unchanged(bench: ProviderBench, model: str) -> None:
    name, served = bench.driver.member("name"), set()
    for way in bench.ways:
        served.add(await _served(bench, bench.request(model=name)))
        if model != name:
            await bench.sent(way, bench.request(model=model))
            shown = (bench.body.model, *bench.last.path.split("/"))
            expect(model in shown, f"{way} asks for another model than the request's", asked=model, sent=shown[0])
        served.add(await _served(bench, bench.request(model=name)))
    expect(len(served) == 1, "the provider's name stands for several models", name=name, models=served)


async def _served(bench: ProviderBench, request: LLMRequest) -> str | None:
    """The model that the wire shows; None when the call was refused before anything was sent."""
    bench.forget()
    attempt = await bench.attempt("complete", request)
    return None if attempt.error is not None and not bench.requests else bench.body.model
