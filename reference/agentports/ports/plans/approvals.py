"""An operator's decision on a plan, and the authority that it covers (documents 31, section 3, and 32, section 5)."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict

from agentports.ports.plans.content import Content

__all__ = ["ApprovalRecord", "AuthorityClaim"]


class AuthorityClaim(Content):
    """One thing that a plan may do. No verb covers another."""

    capability: str
    scope: str
    verb: Literal["list", "read", "create", "update", "delete"]


class ApprovalRecord(Content):
    """The approval of one digest of one plan. There is no record of a denial.

    Fields beyond these, such as a ticket number, are kept.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True, extra="allow", strict=True)

    plan_id: str
    digest: str
    authority: list[AuthorityClaim]
    disposition: Literal["approved"] = "approved"
    decided_by: str
    decided_at: str
