"""Values that nest deep, that contain themselves, and that share parts."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from portproof.benches.plans.encodings import EncodingBench
from portproof.benches.plans.walking import copied
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.plans import encodable_values

#: The kinds of containers, each with how it holds a value and how that is written.
_LAYERS: dict[str, tuple[Any, str, str]] = {
    "list": (lambda inner: [inner], '["l",', "]"),
    "tuple": (lambda inner: (inner,), '["t",', "]"),
    "dict": (lambda inner: {"a": inner}, '{"a":', "}"),
    "map": (lambda inner: {1: inner}, '["map",[["i","1"],', "]]"),
}
_layers = st.lists(st.sampled_from(sorted(_LAYERS)), min_size=1, max_size=4)


@check("ENC-DEEP-VALUES", layers=_layers, deep=st.sampled_from([600, 640]), at_most=4)
async def values_nest_up_to_640_containers_deep(bench: EncodingBench, layers: list[str], deep: int) -> None:
    data = bench.encode_own(_nested(layers, deep)[0])
    expect(bench.encode_own(bench.decode(data)) == data, f"{deep} nested containers do not come back as they were")
    for depth in (641, 5_000, 100_000):
        value, text = _nested(layers, depth)
        expect_equal(bench.refusal_of(value).code, "value_too_deep", f"the code for encoding {depth} nested containers")
        expect_equal(bench.decode_refusal(text).code, "value_too_deep", f"the code for decoding {depth} of them")


def _nested(layers: list[str], depth: int) -> tuple[Any, bytes]:
    """A number in so many containers, and its encoding."""
    value: Any = 1
    used = [_LAYERS[layers[level % len(layers)]] for level in range(depth)]
    for wrap, _, _ in reversed(used):
        value = wrap(value)
    opening, closing = "".join(start for _, start, _ in used), "".join(end for _, _, end in reversed(used))
    return value, f'{opening}["i","1"]{closing}'.encode()


@check(
    "ENC-CYCLE-REFUSED",
    way=st.lists(st.sampled_from(["list", "dict"]), min_size=1, max_size=5),
    back_to=st.integers(0, 4),
    times=st.integers(1, 2),
    shared=st.lists(encodable_values(3), max_size=2),
)
async def a_container_in_itself_is_refused_and_one_that_stands_twice_is_not(
    bench: EncodingBench, way: list[str], back_to: int, times: int, shared: list[Any]
) -> None:
    code = bench.refusal_of(_cycle(way, back_to, times)).code
    expect_equal(code, "cyclic_value", "the code for a container that contains itself")
    part = bench.carrier.value(shared)
    value = [part, {"a": part, "b": [part]}, part]
    expect_equal(
        bench.encode_own(value), bench.encode_own(copied(value)), "the encoding of a value whose parts are shared"
    )


def _cycle(way: list[str], back_to: int, times: int) -> Any:
    """Containers in one another, the innermost of which holds one of the outer ones, once or twice."""
    containers: list[Any] = [[0] if kind == "list" else {"before": 0} for kind in way]
    for outer, inner in zip(containers, [*containers[1:], containers[min(back_to, len(way) - 1)]], strict=True):
        for copy in range(times if outer is containers[-1] else 1):
            outer.append(inner) if isinstance(outer, list) else outer.update({f"inner{copy}": inner})
    return containers[0]
