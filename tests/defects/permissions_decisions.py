"""Checkers whose name, decision or reading of a request is wrong."""

from __future__ import annotations

import posixpath
from typing import Any

from agentports.permissions import PermissionPolicy
from agentports.ports import PermissionDecision, PermissionRequest
from portproof.selftest import defect


@defect("PERM-NAME")
class Nameless(PermissionPolicy):
    """The checker has no name."""

    name: Any = None


@defect("PERM-NAME")
class NamedAfterTheLastTarget(PermissionPolicy):
    """The name tells what was asked last."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        self.name = f"policy-{request.target}"
        return super().check(request)


@defect("PERM-DECISION-SHAPE")
class SaysYesOrNo(PermissionPolicy):
    """The decision is True or False."""

    def check(self, request: PermissionRequest) -> Any:
        return super().check(request).result == "allow"


@defect("PERM-DECISION-SHAPE")
class SilentWhenAllowed(PermissionPolicy):
    """Nothing is answered for allow."""

    def check(self, request: PermissionRequest) -> Any:
        decision = super().check(request)
        return None if decision.result == "allow" else decision


@defect("PERM-DECISION-SHAPE")
class ReasonsAsData(PermissionPolicy):
    """The rationale of a refusal is a mapping."""

    def check(self, request: PermissionRequest) -> Any:
        decision = super().check(request).model_dump()
        return decision | ({"rationale": {"text": decision["rationale"]}} if decision["rationale"] else {})


@defect("PERM-MINIMAL-REQUEST")
class LooksAtTheLastCall(PermissionPolicy):
    """The last call of the sequence is read without asking whether there is one."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        if request.capability == "skill_read":
            assert request.sequence is not None
        return super().check(request)


@defect("PERM-MINIMAL-REQUEST")
class WantsATenant(PermissionPolicy):
    """The identity is read without asking whether it was given."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        self.tenant = request.identity.tenant  # type: ignore[union-attr]
        return super().check(request)


@defect("PERM-REQUEST-NOT-MUTATED")
class NormalisesInPlace(PermissionPolicy):
    """The arguments are put in order in the request itself."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        if request.context is not None:
            request.context["normalised"] = True
        return super().check(request)


@defect("PERM-REQUEST-NOT-MUTATED")
class KeepsItsNotesInTheHistory(PermissionPolicy):
    """The arguments of the proposed call are marked, deep inside the history."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        for message in request.history or ():
            for call in message.tool_calls or ():
                call.args["checked"] = request.capability
        return super().check(request)


@defect("PERM-REQUEST-NOT-MUTATED")
class RedactsInPlace(PermissionPolicy):
    """Secrets are struck out of the arguments before they are logged, in the request itself."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        for name in request.context or {}:
            if name in ("password", "token", "api_key"):
                request.context[name] = "***"  # type: ignore[index]
        return super().check(request)


@defect("PERM-REQUEST-NOT-MUTATED")
class NormalisesPathsInPlace(PermissionPolicy):
    """A path is resolved before it is judged, in the request itself."""

    def check(self, request: PermissionRequest) -> PermissionDecision:
        if request.context and "path" in request.context:
            request.context["path"] = posixpath.normpath(str(request.context["path"]))
        return super().check(request)


@defect("PERM-GOVERNS-SHAPE")
class GovernsTheNetwork(PermissionPolicy):
    """governs names a capability that does not exist."""

    governs: Any = ("network",)


@defect("PERM-GOVERNS-SHAPE")
class GovernsOneText(PermissionPolicy):
    """governs is one name instead of a sequence of names."""

    governs: Any = "external_net"


@defect("PERM-GOVERNS-STABLE")
class GovernsWhatWasAsked(PermissionPolicy):
    """governs lists what the last request was about."""

    governs: Any = ("memory_read",)

    def check(self, request: PermissionRequest) -> PermissionDecision:
        self.governs = (request.capability,)
        return super().check(request)
