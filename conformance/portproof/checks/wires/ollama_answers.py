"""How an ollama answer is read, whole and as a stream (document 12, section 7)."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from hypothesis import strategies as st

from agentports.sim import Text, ToolCall, Turn, edited
from portproof.benches.provider import ProviderBench
from portproof.benches.truth import expect_calls
from portproof.checks.provider.answers import expect_stop_reasons, made_up_words
from portproof.checks.registry import check
from portproof.checks.wires.ollama_lines import with_arguments_as_text, with_counts
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import call_ids, json_objects, names, texts, tool_calls

_CALL = ToolCall("call-1", "add", {"x": 1})
_OBJECTS = st.lists(tool_calls(json_objects(max_leaves=8)), min_size=1, max_size=3, unique_by=lambda call: call.id)
_ARGUMENT_TEXTS = json_objects(max_leaves=4).map(json.dumps) | st.sampled_from(
    ['{"x": ', "not json", '{"x": 1} and more', "[1, 2]", '["x"]', '"x"', "7", "null"]
)


@check("WIRE-OLL-ARGUMENTS", calls=_OBJECTS)
async def arguments_arrive_as_the_object_that_they_are(bench: ProviderBench, calls: list[ToolCall]) -> None:
    turn = Turn.of(*calls)
    bench.play(turn)
    for way in bench.ways:
        expect_calls(await bench.ask(way), turn, way, ids=False)


@check("WIRE-OLL-ARGUMENTS-TEXT", name=names(), text=_ARGUMENT_TEXTS)
async def arguments_as_text_are_parsed(bench: ProviderBench, name: str, text: str) -> None:
    turn = Turn.of(ToolCall("call-1", name, text))
    bench.play(edited(turn, with_arguments_as_text))
    for way in bench.ways:
        expect_calls(await bench.ask(way), turn, way, ids=False)


@check("WIRE-OLL-ID", given=st.lists(st.none() | call_ids(), min_size=1, max_size=3, unique_by=lambda i: i or object()))
async def a_given_id_is_kept_and_a_missing_one_invented(bench: ProviderBench, given: list[str | None]) -> None:
    bench.play(Turn.of(*(ToolCall(identifier, "add", {"x": at}) for at, identifier in enumerate(given))))
    for way in bench.ways:
        ids = [call.id for call in (await bench.ask(way)).calls]
        expect(all(isinstance(i, str) and i for i in ids), f"a call has no id ({way})", ids=ids)
        kept = [got if wanted is not None else None for got, wanted in zip(ids, given, strict=True)]
        expect_equal(kept, given, f"the ids that the server gave ({way})")


@check("WIRE-OLL-DONE-REASON", at_most=4, made_up=made_up_words())
async def done_reasons_are_translated_by_the_table(bench: ProviderBench, made_up: str) -> None:
    await expect_stop_reasons(bench, {"stop": "stop", "length": "max_tokens", "load": "load", made_up: made_up})
    for word, expected in {"stop": "tool_use", "length": "max_tokens", made_up: made_up}.items():
        bench.play(Turn.of("Well.", _CALL, stop=word))
        for way in bench.ways:
            got = (await bench.ask(way)).stop_reason
            expect_equal(got, expected, f"stop_reason for {word!r} with a call ({way})")


_COUNT = st.integers(0, 1_000_000)
_COUNTS = st.fixed_dictionaries({}, optional={"prompt_eval_count": _COUNT, "eval_count": _COUNT})


@check("WIRE-OLL-USAGE", stated=_COUNTS, said=st.sampled_from([("Counted.",), (_CALL,), ()]))
async def the_counts_of_the_last_line_are_the_usage(
    bench: ProviderBench, stated: dict[str, int], said: tuple[Any, ...]
) -> None:
    bench.play(edited(Turn.of(*said), partial(with_counts, counts=stated)))
    expected = (stated.get("prompt_eval_count", 0), stated.get("eval_count", 0))
    for way in bench.ways:
        usage = (await bench.ask(way)).usage
        expect_equal((usage.input, usage.output), expected, f"usage.input and usage.output ({way})")


_SHORT = texts(min_size=0, max_size=12)


@check(
    "WIRE-OLL-INLINE-THINK-KEPT",
    parts=st.tuples(_SHORT, texts(max_size=12), _SHORT),
    closed=st.booleans(),
    cuts=st.none() | st.lists(st.integers(0, 40), max_size=4).map(lambda at: tuple(sorted(at))),
)
async def thinking_between_tags_stays_in_the_text(
    bench: ProviderBench, parts: tuple[str, str, str], closed: bool, cuts: tuple[int, ...] | None
) -> None:
    before, thought, after = parts
    text = f"{before}<think>{thought}{'</think>' if closed else ''}{after}"
    bench.play(Turn((Text(text, cuts),)))
    for way in bench.ways:
        expect_equal((await bench.ask(way)).content, text, f"the content ({way})")
    if bench.driver.can_stream:
        expect_equal((await bench.stream()).text, text, "the joined text of the chunks")
