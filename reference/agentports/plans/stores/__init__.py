"""Plan stores (document 31, section 3): one semantics over small backends."""

from agentports.plans.stores.memory import MemoryPlanStore
from agentports.plans.stores.postgres import PostgresPlanStore
from agentports.plans.stores.sqlite import SQLitePlanStore

__all__ = ["MemoryPlanStore", "PostgresPlanStore", "SQLitePlanStore"]
