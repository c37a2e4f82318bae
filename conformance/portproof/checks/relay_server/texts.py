"""The body as JSON text: numbers, depth, surrogates, members named twice or oddly."""

from __future__ import annotations

import json

from portproof.benches.relay.bench import MESSAGE, MINIMAL, RelayBench
from portproof.benches.relay.scripts import Say, Script, Settle
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, expect, expect_equal

_ODD_NAMES = ("__proto__", "__class__", "constructor", "model_config", "__dict__", "prototype", "model_fields")
#: More than Python reads by itself, and far more.
_DIGITS = (5000, 50_000)
_DEPTHS = (100_000, 400_000)


def _around(value: str) -> bytes:
    """A request with this JSON text within the arguments of a call."""
    call = f'{{"id":"c","name":"look","arguments":{{"a":{value}}}}}'
    return f'{{"messages":[{{"id":"1","role":"assistant","content":"","calls":[{call}]}}]}}'.encode()


async def _lives_on(bench: RelayBench, what: str) -> None:
    answer = await bench.post(MINIMAL)
    expect_equal(answer.status, 200, f"the status of a plain request after {what}")


@check("FRM-NUMBERS-FINITE")
async def numbers_are_finite(bench: RelayBench) -> None:
    for number in ("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1" * 400, f"-{'9' * 400}"):
        for value in (number, f"[{number}]", f'{{"b":[1,{number}]}}'):
            await bench.refuses(_around(value), 400, f"with {number[:12]} in arguments")
    await bench.refuses(b'{"messages":NaN}', 400, "with NaN as messages")


@check("FRM-HUGE-INTEGER")
async def an_integer_without_measure_is_400(bench: RelayBench) -> None:
    if len(_around("7" * _DIGITS[0])) >= bench.limit:
        raise NotTested("such an integer is beyond the limit of the body")
    for digits in (digits for digits in _DIGITS if len(_around("7" * digits)) < bench.limit):
        await bench.refuses(_around("7" * digits), 400, f"with an integer of {digits} digits")
        await _lives_on(bench, "a huge integer")


@check("FRM-DEEP-NESTING")
async def no_depth_breaks_the_relay(bench: RelayBench) -> None:
    if 2 * _DEPTHS[0] >= bench.limit:
        raise NotTested("such depth is beyond the limit of the body")
    for depth in _DEPTHS:
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            body = _around(opening * depth + "1" + closing * depth)
            if len(body) < bench.limit:
                answer = await bench.post(body)
                expect(
                    answer.status in (200, 400), "deep nesting is answered with another status", status=answer.status
                )
                await _lives_on(bench, "deep nesting")


@check("FRM-LONE-SURROGATE")
async def a_lone_surrogate_breaks_no_line(bench: RelayBench) -> None:
    body = json.dumps({"messages": [{**MESSAGE, "content": "a\ud800b"}]}).encode()
    answer = await bench.post(body)
    expect(answer.status in (200, 400), "a lone surrogate is answered with another status", status=answer.status)
    for text in ("\ud800", "a\udfffé", "\udc00\ud800"):
        said: Script = [Say(text), Say(text, "thinking"), Settle({"content": text, "thinking": text})]
        answer = await (bench.told(said) if bench.sees_upstream else bench.post(MINIMAL))
        expect_equal(len(answer.terminals), 1, "the number of terminal frames", body=answer.body)


@check("FRM-DUPLICATE-KEYS")
async def the_last_of_two_members_counts(bench: RelayBench) -> None:
    await bench.refuses(b'{"messages":[],"messages":"x"}', 400, "with a second value of messages that is no array")
    await bench.accepts_bytes(b'{"messages":"x","messages":[]}', MINIMAL, "with a first value that does not count")
    once = b'{"messages":[{"id":"1","role":"nobody","role":"user","content":1,"content":"hello"}]}'
    await bench.accepts_bytes(once, {"messages": [dict(MESSAGE)]}, "with members of a message twice")


@check("FRM-PROTO-MEMBER")
async def odd_names_are_ordinary_names(bench: RelayBench) -> None:
    for name in _ODD_NAMES:
        named = {name: {"a": 1}}
        for request in (
            {"messages": [], **named},
            {"messages": [{**MESSAGE, **named}]},
            {"messages": [], "tools": [{"name": "look", **named}]},
            {"messages": [], "options": named},
        ):
            await bench.refuses(request, 400, f"with the member {name}")
        call = {"id": "c", "name": "look", "arguments": {**named, "b": [named]}}
        await bench.accepts({"messages": [{**MESSAGE, "calls": [call]}]}, f"with {name} in arguments")
        await bench.accepts({"messages": [], "options": {"schema": named}}, f"with {name} in a schema")
