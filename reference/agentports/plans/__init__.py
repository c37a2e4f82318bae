"""Plans: their encoding and digest, the fold of their ops, stores and leases (documents 30, 31)."""

from agentports.plans.branch_keys import branch_key
from agentports.plans.decoding import decode
from agentports.plans.digest import plan_digest
from agentports.plans.encoding import encode
from agentports.plans.fold import Fold, fold_ops
from agentports.plans.locks import MemoryPlanLocks, PostgresPlanLocks, SQLitePlanLocks
from agentports.plans.stores import MemoryPlanStore, PostgresPlanStore, SQLitePlanStore
from agentports.ports.plans import (
    UNDEFINED,
    BranchId,
    Duration,
    EdgeSegment,
    EncodingError,
    Interval,
    JoinSegment,
    NodeRef,
    ParamRef,
    is_node_ref,
    is_param_ref,
)

__all__ = [
    "UNDEFINED",
    "BranchId",
    "Duration",
    "EdgeSegment",
    "EncodingError",
    "Fold",
    "Interval",
    "JoinSegment",
    "MemoryPlanLocks",
    "MemoryPlanStore",
    "NodeRef",
    "ParamRef",
    "PostgresPlanLocks",
    "PostgresPlanStore",
    "SQLitePlanLocks",
    "SQLitePlanStore",
    "branch_key",
    "decode",
    "encode",
    "fold_ops",
    "is_node_ref",
    "is_param_ref",
    "plan_digest",
]
