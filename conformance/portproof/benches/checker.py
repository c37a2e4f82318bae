"""The bench of the port permission-checker: a checker that is asked, and policies that are made of roles."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from agentports.ports import PermissionCapability, PermissionRequest, PolicyRules
from agentports.sim import NothingLeftToWaitFor
from portproof.benches.in_process import InProcessBench, InProcessBenches
from portproof.benches.views import view
from portproof.running.guard import Hung
from portproof.running.loops import Time
from portproof.running.outcome import Violation
from portproof.running.plain import plain, told
from portproof.subjects.checkers import checker_supply, example_policy
from portproof.subjects.policies import PolicyMaker
from portproof.subjects.subject import Subject

__all__ = ["DECISION_TEXTS", "CheckerBench", "CheckerBenches", "Decision", "owed"]

#: The fields of a decision besides its result.
DECISION_TEXTS = ("policy_rule_id", "rationale", "gate_id", "reason", "tell_llm")


@dataclass(frozen=True)
class Decision:
    """A decision of any make, read leniently; or what was raised instead."""

    raw: Any = None
    error: BaseException | None = None

    @property
    def result(self) -> Any:
        """The result as it is."""
        return view(self.raw, "result")

    @property
    def allows(self) -> bool:
        """Whether the call proceeds."""
        return self.result in ("allow", "gate_open")

    def text(self, name: str) -> Any:
        """One of the other fields."""
        return view(self.raw, name)


@contextmanager
def owed(what: str) -> Iterator[None]:
    """Turn what the body raises into a `Violation`: the contract leaves no room for an exception there."""
    try:
        yield
    except (asyncio.CancelledError, Hung, NothingLeftToWaitFor):
        raise
    except Exception as error:
        raise Violation(f"{what} raised {told(error)}", raised=plain(error)) from error


class CheckerBenches(InProcessBenches):
    """Opens a fresh bench for every example."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        super().__init__(subject, deadline, CheckerBench)


class CheckerBench(InProcessBench):
    """Asks the subject, and makes policies of it where it is a role policy."""

    def __init__(self, subject: Subject, time: Time) -> None:
        super().__init__(subject, time)
        #: The checker under test.
        self.checker: Any = None

    def supply(self) -> dict[str, Any]:
        return checker_supply(self.subject, self.time)

    async def another(self) -> Any:
        return await example_policy(self.subject) or await super().another()

    async def start(self) -> None:
        self.checker = await self.another()

    # ---- asking

    async def ask(self, request: PermissionRequest, checker: Any = None) -> Decision:
        """The decision of this checker, or of the one under test. Raises a `Violation` when it raises."""
        decision = await self.attempt(request, checker)
        if decision.error is not None:
            evidence = {"raised": plain(decision.error), "asked": plain(request)}
            raise Violation(f"check raised {told(decision.error)}", **evidence) from decision.error
        return decision

    async def attempt(self, request: PermissionRequest, checker: Any = None) -> Decision:
        """Ask, and keep whatever comes of it."""
        try:
            answer = (self.checker if checker is None else checker).check(request)
            return Decision(await answer if inspect.isawaitable(answer) else answer)
        except (asyncio.CancelledError, Hung, NothingLeftToWaitFor):
            raise
        except Exception as error:
            return Decision(error=error)

    async def decide(self, policy: Any, capability: PermissionCapability, target: str | None) -> Decision:
        """What a policy says of a capability and a target."""
        return await self.ask(PermissionRequest(capability=capability, target=target), policy)

    # ---- policies

    async def policy(self, roles: dict[str, list[str]], active_role: str, rules: PolicyRules | None = None) -> Any:
        """A policy of the subject. Raises a `Violation` when it cannot be made."""
        with owed(f"making a policy for the role {active_role!r}"):
            return await self.policies(roles, active_role, rules)

    @property
    def policies(self) -> PolicyMaker:
        """What makes policies, and raises as the subject does."""
        maker = self.subject.members["from_roles"]
        assert isinstance(maker, PolicyMaker)
        return maker

    async def swapped(self, policy: Any, role: str) -> Any:
        """The policy for another role. Raises a `Violation` when it cannot be made."""
        with owed(f"with_active_role({role!r})"):
            return await self.swap(policy, role)

    async def swap(self, policy: Any, role: str) -> Any:
        """What `with_active_role` gives; raises what it raises."""
        made = policy.with_active_role(role)
        return await made if inspect.isawaitable(made) else made

    async def allowed(self, policy: Any, tool: str) -> bool:
        """What `is_allowed` says."""
        with owed(f"is_allowed({tool!r})"):
            answer = policy.is_allowed(tool)
            return bool(await answer if inspect.isawaitable(answer) else answer)
