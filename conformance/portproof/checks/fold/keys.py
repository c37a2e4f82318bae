"""What decides which of two edits stays: the clock, then the actor, then the op (document 31, section 2)."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.ports import PlanOp
from portproof.benches.plans.fold_views import expect_same_content
from portproof.benches.plans.folds import FoldBench
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal
from portproof.strategies.plans.brief_ops import add_node, log, set_definition, set_field, set_phase
from portproof.strategies.plans.ops import Content, actor_ids, lamports, stamped

_TWO_IDS = st.lists(actor_ids(), min_size=2, max_size=2, unique=True).map(sorted)
_TWO_CLOCKS = st.lists(lamports() | lamports().map(lambda n: n + 1), min_size=2, max_size=2, unique=True).map(sorted)
_IDS = st.lists(actor_ids(), min_size=2, max_size=2)


@check("OPS-KEY-LAMPORT-FIRST", clocks=st.sampled_from([[1, 2], [2, 3], [9, 10]]), actors=_IDS, op_ids=_IDS)
async def the_higher_clock_wins_over_any_ids(
    bench: FoldBench, clocks: list[int], actors: list[str], op_ids: list[str]
) -> None:
    _expect_second_stays(bench, *zip(clocks, actors, op_ids, strict=True))


#: In the order of code points; case, digits as numbers, accents or length would have it otherwise.
_TELLING = [["B", "a"], ["Z", "a"], ["10", "9"], ["zz", "ä"], ["e\u0301", "é"], ["aa", "b"], ["o10", "o2"], ["ss", "ß"]]


@check("OPS-KEY-ACTOR-SECOND", actors=_TWO_IDS, op_ids=_IDS)
async def at_one_clock_the_greater_actor_wins(bench: FoldBench, actors: list[str], op_ids: list[str]) -> None:
    for pair in [*_TELLING, actors]:
        _expect_second_stays(bench, *zip([7, 7], pair, op_ids, strict=True))


@check("OPS-KEY-OPID-THIRD", actor=actor_ids(), op_ids=_TWO_IDS)
async def of_one_actor_at_one_clock_the_greater_op_wins(bench: FoldBench, actor: str, op_ids: list[str]) -> None:
    for pair in [*_TELLING, op_ids]:
        _expect_second_stays(bench, *zip([7, 7], [actor, actor], pair, strict=True))


#: Where texts, padded texts, floats and words of a machine go wrong.
_BORDERS = [9, 99, 10**10 - 1, 2**31 - 1, 2**53, 2**63 - 1, 2**64 - 1, 10**20 - 1]


@check("OPS-LAMPORT-NUMERIC", clocks=_TWO_CLOCKS)
async def clocks_are_integers_of_any_size(bench: FoldBench, clocks: list[int]) -> None:
    for pair in [*([border, border + 1] for border in _BORDERS), clocks]:
        _expect_second_stays(bench, *zip(pair, ["b", "b"], ["o", "o"], strict=True))


_RIVALS: list[Content] = [
    *(set_field("n", path, value) for path in ("x", "args.x") for value in (0, 1, "text", [1], None)),
    *(set_definition("n", {"x": number}) for number in (2, 3)),
    *(add_node("n", {"x": number}) for number in (4, 5)),
    *(set_phase("n", phase) for phase in ("plan", "act", None)),
]


@check("OPS-KEY-COLLISION-TOTAL", rivals=st.lists(st.sampled_from(_RIVALS), min_size=2, max_size=3, unique_by=repr))
async def ops_with_one_key_fold_to_one_view(bench: FoldBench, rivals: list[Content]) -> None:
    node, *tied = log(add_node("n", {"x": 0}), *rivals)
    tied = [op.model_copy(update={"lamport": 7, "op_id": "same"}) for op in tied]
    one, other = bench.fold([node, *tied]), bench.fold([node, *tied[::-1]])
    expect_same_content(one, other, "of ops with one key in two orders of arrival")
    expect_equal(
        other.member("digest"), one.member("digest"), "digest of ops with one key in the other order of arrival"
    )


def _expect_second_stays(bench: FoldBench, first: tuple[int, str, str], second: tuple[int, str, str]) -> None:
    """Of two edits with these keys: clock, actor, op."""
    node = stamped(add_node("n", {"args": {"x": "as added"}}), 0, "a", "a")
    edits: list[PlanOp] = [
        stamped(set_field("n", "args.x", value), *key) for value, key in (("lower", first), ("higher", second))
    ]
    for arrival in (edits, edits[::-1]):
        definition = bench.fold([node, *arrival]).node("n")["definition"]
        expect_equal(definition, {"args": {"x": "higher"}}, "the edit that stays", lower=first, higher=second)
