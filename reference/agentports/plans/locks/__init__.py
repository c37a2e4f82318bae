"""Leases on running a plan (document 31, section 4): one semantics over small backends."""

from agentports.plans.locks.memory import MemoryPlanLocks
from agentports.plans.locks.postgres import PostgresPlanLocks
from agentports.plans.locks.sqlite import SQLitePlanLocks

__all__ = ["MemoryPlanLocks", "PostgresPlanLocks", "SQLitePlanLocks"]
