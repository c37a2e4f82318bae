"""The small functions of results, where they are offered."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import strategies as st

from agentports.ports.http import TokenUsage, ToolCall
from portproof.benches.http.bench import HttpBench
from portproof.benches.http.data import data_of
from portproof.benches.http.truth import joined
from portproof.checks.registry import check
from portproof.running.outcome import expect_equal
from portproof.strategies.http import http_usages, untagged

_CALL = ToolCall(id="c1", name="add", arguments={})
_USAGE = TokenUsage(prompt=1, completion=2, total=4)


@check("HTTP-BUILD-RESULT")
async def only_members_that_say_something_are_kept(bench: HttpBench) -> None:
    kinds = product(["", "x"], [None, "", "y"], [None, [], [_CALL]], [None, _USAGE])
    for content, thinking, tools, usage in kinds:
        result = data_of(bench.part("build_provider_result")(content, thinking or "", tools or [], usage))
        kept = {"thinking": thinking, "tools": data_of(tools), "usage": data_of(usage)}
        wanted = {"content": content} | {name: value for name, value in kept.items() if value}
        expect_equal(result, wanted, "the result")


@check(
    "HTTP-JOIN-THINKING", running=st.none() | untagged(), texts=st.lists(untagged(min_size=1), min_size=1, max_size=3)
)
async def reasoning_is_joined_by_a_blank_line(bench: HttpBench, running: str | None, texts: list[str]) -> None:
    join, so_far = bench.part("join_thinking"), running
    for text in texts:
        so_far = join(so_far, text)
    expect_equal(so_far, joined(running or "", *texts), "the joined reasoning")


@check("HTTP-JOIN-EMPTY-NEXT", running=untagged(min_size=1))
async def nothing_adds_nothing(bench: HttpBench, running: str) -> None:
    expect_equal(bench.part("join_thinking")(running, ""), running, "reasoning to which nothing is added")


@check("HTTP-SUM-USAGE", running=st.none() | http_usages(), more=http_usages())
async def usage_is_added_member_by_member(
    bench: HttpBench, running: dict[str, Any] | None, more: dict[str, Any]
) -> None:
    total = bench.part("sum_usage")(None if running is None else TokenUsage(**running), TokenUsage(**more))
    wanted = {name: value + (running[name] if running else 0) for name, value in more.items()}
    expect_equal(data_of(total), wanted, "the sum of two usages")
