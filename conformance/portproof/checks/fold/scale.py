"""How long a fold takes (document 31, section 2)."""

from __future__ import annotations

import time
from typing import Any

from portproof.benches.plans.folds import FoldBench
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.strategies.plans.brief_ops import add_node, log, set_field

_SHORT, _LONG = 2_500, 20_000
#: An eightfold log takes eight times as long, or somewhat more; where each op costs what the plan is large, 64 times.
_MOST = 40


@check("OPS-LARGE-LOG")
async def a_long_log_folds_in_nearly_linear_time(bench: FoldBench) -> None:
    short, long = (bench.carrier.ops(_ops(length)) for length in (_SHORT, _LONG))
    limit = _MOST * min(_seconds(bench, short) for _ in range(3))
    taken = _seconds(
        bench, long
    )  # what fails is tried twice more, so that a slow moment of the machine decides nothing
    expect(taken < limit, f"{_LONG} ops take more than {_MOST} times as long as {_SHORT}", seconds=taken, limit_s=limit)


def _ops(length: int) -> Any:
    """A fifth adds nodes, which the others edit, one after another."""
    nodes = length // 5
    added = [add_node(f"n{number}", {"args": {"x": 0}}) for number in range(nodes)]
    return log(*added, *(set_field(f"n{number % nodes}", "args.x", number) for number in range(length - nodes)))


def _seconds(bench: FoldBench, ops: list[Any]) -> float:
    began = time.process_time()
    bench.fold_own(ops)
    return time.process_time() - began
