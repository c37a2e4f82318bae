"""Plans: their encoding and digest, the fold of their ops (documents 30 and 31)."""

from agentports.plans.branch_keys import branch_key
from agentports.plans.decoding import decode
from agentports.plans.digest import plan_digest
from agentports.plans.encoding import encode
from agentports.plans.fold import Fold, fold_ops
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
    "NodeRef",
    "ParamRef",
    "branch_key",
    "decode",
    "encode",
    "fold_ops",
    "is_node_ref",
    "is_param_ref",
    "plan_digest",
]
