"""Values that Python takes for one have encodings of their own."""

from __future__ import annotations

from array import array
from typing import Any

from hypothesis import strategies as st

from agentports.ports import UNDEFINED
from portproof.benches.plans.encodings import EncodingBench
from portproof.checks.encoding.comparing import expect_all_different, expect_different
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.strategies.plans import encodable_values, near_misses
from portproof.strategies.plans.arrays import TYPECODES, array_kind
from portproof.strategies.plans.near_misses import NEAR_MISSES
from portproof.strategies.plans.values import exact_texts, plan_leaves


@check("ENC-INJECTIVE", alike=near_misses(), one=encodable_values(), other=encodable_values())
async def different_values_have_different_encodings(
    bench: EncodingBench, alike: tuple[Any, Any], one: Any, other: Any
) -> None:
    expect_different(bench, *alike)
    for group in NEAR_MISSES:
        expect_all_different(bench, group)
    expect_different(bench, one, other)
    expect_different(bench, one, [one])


@check("ENC-INT-FLOAT-BOOL-STR-DIFFER", number=st.sampled_from([0, 1]) | st.integers(-3, 1000))
async def a_number_a_bool_and_a_text_are_not_one(bench: EncodingBench, number: int) -> None:
    alike: list[Any] = [number, float(number), str(number)]
    if number in (0, 1):
        alike.append(bool(number))
    if number == 0:
        alike += ["", None]
    expect_all_different(bench, alike)
    expect_all_different(bench, [[value] for value in alike])
    expect_all_different(bench, [{"key": value} for value in alike])


@check("ENC-KEY-TYPES-DIFFER", number=st.integers(0, 2), value=plan_leaves())
async def the_type_of_a_key_is_content(bench: EncodingBench, number: int, value: Any) -> None:
    keys: list[Any] = [number, float(number), str(number), str(number).encode(), (number,), None, "None", "null"]
    if number in (0, 1):
        keys.append(bool(number))
    dicts = [{key: value} for key in keys]
    expect_all_different(bench, dicts)
    for one in dicts:
        bench.expect_back(one, bench.encode(one))


@check("ENC-CONTAINER-KINDS-DIFFER", number=st.integers(0, 127))
async def the_kind_of_a_container_is_content(bench: EncodingBench, number: int) -> None:
    codes = {array_kind(code): code for code in TYPECODES}
    arrays = [array(code, [number]) for code in codes.values()]
    members = ([number], (number,), {number}, frozenset({number}), bytes([number]))
    expect_all_different(bench, [*members, *arrays])


@check("ENC-ABSENT-NONE-UNDEFINED-DIFFER", value=st.dictionaries(exact_texts(3), encodable_values(2), max_size=3))
async def absent_none_and_undefined_are_three(bench: EncodingBench, value: dict[str, Any]) -> None:
    key = "fresh" + "".join(value)
    undefined = value | {key: UNDEFINED}
    expect_all_different(bench, [value, value | {key: None}, undefined])
    back = bench.expect_back(undefined, bench.encode(undefined))
    expect(back[key] is bench.classes.UNDEFINED, "UNDEFINED came back as another object")
