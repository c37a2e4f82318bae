"""Permission checkers that keep the contract and are built otherwise than the reference: none may be failed."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from types import SimpleNamespace
from typing import Any

from agentports.permissions import PermissionPolicy
from agentports.ports import PermissionDecision, PermissionRequest

__all__ = ["CORRECT"]


class Verdict(StrEnum):
    """Results as an enumeration."""

    ALLOW = "allow"
    DENY = "deny"
    GATE = "gate_open"


@dataclass
class Ruling:
    """A decision as a plain dataclass that has only what it needs."""

    result: Verdict
    gate_id: str | None = None


class PlainClass:
    """Answers at once, with dataclasses; every gate has an id of its own."""

    name = "plain"

    def check(self, request: PermissionRequest) -> Ruling:
        if request.capability == "tool_call":
            return Ruling(Verdict.GATE, gate_id=uuid.uuid4().hex)
        return Ruling(Verdict.DENY)


class Mappings:
    """Answers with mappings, and counts on its sequence alone; governs is a set."""

    name = "three-strikes"
    governs = frozenset({"external_net", "skill_read"})

    def check(self, request: PermissionRequest) -> dict[str, Any]:
        if len(request.sequence or ()) > 1:
            return {"result": "halt", "reason": "too-many", "tell_llm": "Enough.", "policy_rule_id": None}
        return {"result": "allow"}


class RateLimited:
    """What it answers depends on how often it was asked."""

    name = "rate-limited"

    def __init__(self) -> None:
        self.left = 2

    def check(self, request: PermissionRequest) -> PermissionDecision:
        self.left -= 1
        return PermissionDecision(result="allow" if self.left >= 0 else "deny")


class Remote:
    """Asks elsewhere, which takes a while, and stops waiting when it is told to."""

    governs = ("tool_call", "memory_read")

    def __init__(self, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        self.name = "remote"
        self._sleep = sleep

    async def check(self, request: PermissionRequest) -> PermissionDecision:
        asked = asyncio.ensure_future(self._ask(request))
        aborted = asyncio.ensure_future(request.signal.wait() if request.signal else asyncio.Event().wait())
        try:
            await asyncio.wait({asked, aborted}, return_when=asyncio.FIRST_COMPLETED)
            return asked.result() if asked.done() else PermissionDecision(result="deny", reason="aborted")
        finally:
            asked.cancel()
            aborted.cancel()

    async def _ask(self, request: PermissionRequest) -> PermissionDecision:
        await self._sleep(20)
        tenant = request.identity.tenant if request.identity else None
        return PermissionDecision(result="allow" if tenant else "deny", rationale=f"tenant {tenant}")


class Polling(Remote):
    """Looks at the signal every now and then, and raises its reason."""

    async def check(self, request: PermissionRequest) -> PermissionDecision:
        for _ in range(100):
            if request.signal is not None:
                request.signal.raise_if_aborted()
            await self._sleep(0.2)
        return PermissionDecision(result="deny")


class InAThread:
    """A plain function that gives a future, which a thread of its own settles."""

    name = "threaded"

    def check(self, request: PermissionRequest) -> Awaitable[Any]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        decision = {"result": "allow" if len(request.target or "") % 2 else "deny"}
        threading.Timer(0.002, lambda: _settle(loop, future, decision)).start()
        return future


def _settle(loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any], decision: Any) -> None:
    def settle() -> None:
        if not future.done():
            future.set_result(decision)

    with suppress(RuntimeError):  # whoever asked may be gone, and the loop with them
        loop.call_soon_threadsafe(settle)


@asynccontextmanager
async def opened() -> AsyncIterator[Any]:
    """A factory that opens and closes what it builds."""
    yield PlainClass()


class OwnRoles(PermissionPolicy):
    """A policy with roles of its own; its from_roles cannot be called."""

    def __init__(self) -> None:
        super().__init__({"clerk": ["search"]}, "clerk")


def mapping_policy(roles: Mapping[str, Sequence[str]], active_role: str, rules: Any = None) -> Any:
    """A policy that is made by a function, reads rules as a mapping, answers later, and is made of functions."""
    if active_role not in roles:
        raise KeyError(f"{active_role}: not among {sorted(roles)}")
    rules = rules or {}
    frozen = {role: frozenset(tools) for role, tools in roles.items()}
    tools, skills = frozen[active_role], rules.get("skills", {}).get(active_role)
    capabilities = rules.get("capabilities", {}).get(active_role)

    def decided(rule: str, allowed: bool, what: object) -> dict[str, Any]:
        missed = {} if allowed else {"rationale": f"'{what}' is nothing for '{active_role}'"}
        return {"result": "allow" if allowed else "deny", "policy_rule_id": f"{active_role}.{rule}", **missed}

    async def check(request: Any) -> dict[str, Any]:
        target = request.target or request.capability
        if request.capability == "skill_read":
            skill = target.partition("skill:")[2] or target
            if skills is None:
                return decided("skills.unruled", True, skill)
            return decided("skills" if skill in skills else "skills.miss", skill in skills, skill)
        if request.capability != "tool_call" and capabilities is not None and request.capability not in capabilities:
            return decided("capabilities.miss", False, request.capability)
        return decided("allowlist" if target in tools else "allowlist.miss", target in tools, target)

    governs = ["memory_read", "memory_write", "external_net", "user_data"] if rules.get("capabilities") else []
    governs += ["skill_read"] if rules.get("skills") else []
    return SimpleNamespace(
        name="functions",
        check=check,
        is_allowed=lambda tool: tool in tools,
        with_active_role=lambda role: mapping_policy(roles, role, rules),
        active_role=active_role,
        roles=tuple(roles),
        allowed_tool_ids=lambda: sorted(tools),
        **({"governs": [*governs, "tool_call"]} if governs else {}),
    )


CORRECT: dict[str, Any] = {
    "plain class": PlainClass,
    "mappings": Mappings,
    "rate-limited": RateLimited,
    "remote": Remote,
    "polling": Polling,
    "in a thread": InAThread,
    "opened by its factory": opened,
    "instance": PlainClass(),
    "own roles": OwnRoles,
    "policy of functions": mapping_policy,
}
