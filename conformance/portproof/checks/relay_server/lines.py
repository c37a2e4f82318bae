"""Headers and lines of a streamed answer."""

from __future__ import annotations

import re
from typing import Any

from portproof.benches.relay.answers import DELTAS, TERMINALS
from portproof.benches.relay.bench import MINIMAL, RelayBench
from portproof.benches.relay.scripts import Say, Settle
from portproof.benches.relay.values import same_json
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.relays import delta_lists, results

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_AWKWARD = ("a\nb", "\t", '"quoted"', "\u2028\u2029\u0085", "\x00\x1f", "👩🏽‍🚀", "\\", "\r\n", "{}\n{}")
_TAGGED = ("<think>a</think>b", "</think>", "<think>", "a<think>", "\x00\x07", " padded ", "\ufeff", "\r\n")


@check("RLY-CONTENT-TYPE")
async def the_content_type_is_that_of_frames(bench: RelayBench) -> None:
    answer = await bench.post(MINIMAL)
    expect_equal(answer.status, 200, "the status")
    said = "".join(answer.header("content-type").lower().split())
    expect_equal(said, "application/x-ndjson;charset=utf-8", "the content type")


@check("RLY-NO-STORE")
async def no_cache_keeps_an_answer(bench: RelayBench) -> None:
    answer = await bench.post(MINIMAL)
    directives = [part.strip() for part in answer.header("cache-control").lower().split(",")]
    expect("no-store" in directives, "cache-control does not say no-store", got=answer.header("cache-control"))


@check("RLY-LINE-FORMAT", deltas=delta_lists())
async def each_frame_is_one_line(bench: RelayBench, deltas: list[tuple[str, str]]) -> None:
    if not bench.sees_upstream:
        answer = await bench.post(MINIMAL)
    else:
        said = [Say(text or "x", channel) for channel, text in deltas] + [Say(text) for text in _AWKWARD]
        answer = await bench.told([*said, Settle({"content": "a\nb"})])
        expect_equal(len(answer.lines), len(said) + 1, "the number of lines")
    expect(answer.body.endswith(b"\n"), "the body does not end with a newline", body=answer.body[-50:])
    expect(all(frame.get("channel") in DELTAS + TERMINALS for frame in answer.frames), "a line is no frame")


@check("RLY-LINE-COMPACT", deltas=delta_lists(), result=results())
async def frames_are_compact(bench: RelayBench, deltas: list[tuple[str, str]], result: dict[str, Any]) -> None:
    said = [Say(text, channel) for channel, text in deltas]
    answer = await bench.told([Say("a"), *said, Settle(result)])
    expect(answer.lines, "the answer has no line", body=answer.body)
    for line in answer.lines:
        expect(not re.search(rb"\s", _STRING.sub(b"", line)), "there is space between the tokens of a frame", line=line)
    expect_equal(len(answer.lines[0]), len('{"channel":"content","text":"a"}'), "the length of the shortest frame")


@check("RLY-VERBATIM", deltas=delta_lists())
async def text_passes_as_it_is(bench: RelayBench, deltas: list[tuple[str, str]]) -> None:
    said = [Say(text or "x", channel) for channel, text in deltas] + [Say(text) for text in _TAGGED]
    result = {"content": "".join(_TAGGED), "thinking": "<think>"}
    answer = await bench.told([*said, Settle(result)])
    expect_equal(answer.deltas, [say.frame for say in said], "the deltas")
    expect_equal(answer.last.get("result"), result, "the result")


@check("RLY-NON-ASCII", deltas=delta_lists(min_size=1), result=results())
async def any_text_survives(bench: RelayBench, deltas: list[tuple[str, str]], result: dict[str, Any]) -> None:
    said = [Say(f"{text}é日😀", channel) for channel, text in deltas]
    result = result | {"content": f"{result['content']}\u202eß𝕏"}
    answer = await bench.told([*said, Settle(result)])
    expect_equal(answer.deltas, [say.frame for say in said], "the deltas")
    expect(same_json(answer.last.get("result"), result), "the result is another one", sent=result, got=answer.last)
