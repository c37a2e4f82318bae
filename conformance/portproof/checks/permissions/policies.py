"""Role policies: their roles, their tools, and that one policy is nobody else's to change."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from agentports.ports import TOOL_CAPABILITIES
from portproof.benches.checker import CheckerBench, owed
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import plain
from portproof.strategies.permissions import PolicyCase, policy_cases, role_maps
from portproof.strategies.text import names

Roles = dict[str, list[str]]

#: A tool that no drawn role has.
_SMUGGLED = "smuggled-in"


@check("PERM-POLICY-UNKNOWN-ROLE", roles=role_maps(), unknown=names())
async def an_unknown_role_is_refused_with_a_list_of_the_roles(bench: CheckerBench, roles: Roles, unknown: str) -> None:
    for role in sorted({unknown, f"{next(iter(roles))}s", ""} - set(roles)):
        await _expect_refusal(roles, bench.policies(roles, role), f"a policy whose active role is {role!r}")
        policy = await bench.policy(roles, next(iter(roles)))
        await _expect_refusal(roles, bench.swap(policy, role), f"with_active_role({role!r})")


@check("PERM-POLICY-ALLOWLIST", roles=role_maps(), tool=names())
async def a_tool_is_allowed_exactly_when_the_role_lists_it(bench: CheckerBench, roles: Roles, tool: str) -> None:
    for role, tools in roles.items():
        policy = await bench.policy(roles, role)
        for asked in sorted({tool, *(near for known in tools for near in _near(known))}):
            expect_equal(await bench.allowed(policy, asked), asked in tools, f"is_allowed({asked!r}) of {role}")
            decision = await bench.decide(policy, "tool_call", asked)
            expect_equal(decision.allows, asked in tools, f"whether check of {role} allows a call of {asked!r}")


@check("PERM-POLICY-EMPTY-DENIES", roles=role_maps(), empty=names(), tool=names())
async def a_role_without_tools_may_call_none(bench: CheckerBench, roles: Roles, empty: str, tool: str) -> None:
    roles = {**roles, empty: []}
    policy = await bench.policy(roles, empty)
    for asked in sorted({tool, *(listed for tools in roles.values() for listed in tools)}):
        expect(not await bench.allowed(policy, asked), f"is_allowed({asked!r}) is true of an empty role")
        decision = await bench.decide(policy, "tool_call", asked)
        expect(not decision.allows, f"an empty role may call {asked!r}", decision=plain(decision.raw))


@check("PERM-POLICY-ROLE-SWAP", case=policy_cases())
async def another_role_is_another_policy_with_the_same_map_and_rules(bench: CheckerBench, case: PolicyCase) -> None:
    policy = await bench.policy(case.roles, case.active, case.both_rules(case.active))
    before = await _answers(bench, policy, case)
    swapped = await bench.swapped(policy, case.other)
    expect(swapped is not policy, "with_active_role returned the same policy")
    expect_equal(view(swapped, "active_role"), case.other, "active_role of the new policy")
    expect_equal(_governed(swapped), _governed(policy), "governs of the new policy")
    fresh = await bench.policy(case.roles, case.other, case.both_rules(case.active))
    expect_equal(await _answers(bench, swapped, case), await _answers(bench, fresh, case), "what the new policy allows")
    expect_equal(view(policy, "active_role"), case.active, "active_role of the original")
    expect_equal(await _answers(bench, policy, case), before, "what the original allows")
    back = await bench.swapped(swapped, case.active)
    expect_equal(await _answers(bench, back, case), before, "what the policy allows that was made from the new one")


@check("PERM-POLICY-COPIES", case=policy_cases())
async def what_a_policy_hands_out_is_a_copy(bench: CheckerBench, case: PolicyCase) -> None:
    policy = await bench.policy(case.roles, case.active)
    with owed("roles or allowed_tool_ids"):
        _change(policy.roles() if callable(policy.roles) else policy.roles)
        _change(policy.allowed_tool_ids())
    for role, tools in case.roles.items():
        of_role = policy if role == case.active else await bench.swapped(policy, role)
        for tool in (*tools, _SMUGGLED):
            decision = await bench.decide(of_role, "tool_call", tool)
            what = f"whether {role} may call {tool!r} after what was handed out was changed"
            expect_equal(decision.allows, tool in tools, what)


async def _expect_refusal(roles: Roles, made: Any, what: str) -> None:
    try:
        await made
    except Exception as error:
        missing = [role for role in roles if role not in str(error)]
        expect(not missing, f"the refusal of {what} does not list the roles", text=str(error), missing=missing)
        return
    raise Violation(f"{what} is not refused")


def _governed(policy: Any) -> set[Any]:
    return set(view(policy, "governs") or ())


def _near(tool: str) -> tuple[str, ...]:
    return tool, f"{tool}x", tool[:-1] or "y", tool.upper(), f" {tool}"


async def _answers(bench: CheckerBench, policy: Any, case: PolicyCase) -> dict[str, bool]:
    """What a policy says of everything that the case names."""
    tools = {*case.roles[case.active], *case.roles[case.other], case.stray}
    asked = [(c, tool) for c in ("tool_call", *TOOL_CAPABILITIES) for tool in sorted(tools)]
    asked += [("skill_read", f"skill:{skill}") for skill in (case.skill, case.stray_skill)]
    return {f"{c} {target}": (await bench.decide(policy, c, target)).allows for c, target in asked}


def _change(handed_out: Any) -> None:
    """Put a tool wherever one can be put, at any depth."""
    if isinstance(handed_out, Mapping):
        for role, tools in list(handed_out.items()):
            _change(tools)
            with suppress(Exception):
                handed_out[role] = [*tools, _SMUGGLED]  # type: ignore[index]
    for way in ("append", "add"):
        with suppress(Exception):
            getattr(handed_out, way)(_SMUGGLED)
