"""Plan stores (document 31, section 3): one semantics over small backends, of which one may be your own."""

from agentports.plans.stores.memory import MemoryPlanStore
from agentports.plans.stores.postgres import PostgresPlanStore
from agentports.plans.stores.sqlite import SQLitePlanStore
from agentports.plans.stores.store import BackedPlanStore
from agentports.plans.stores.tables import Backend, PlanRow, Tables

__all__ = [
    "BackedPlanStore",
    "Backend",
    "MemoryPlanStore",
    "PlanRow",
    "PostgresPlanStore",
    "SQLitePlanStore",
    "Tables",
]
