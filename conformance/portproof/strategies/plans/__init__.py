"""Content of plans: values, references, routes, views (document 30, section 8)."""

from portproof.strategies.plans.arrays import typed_arrays
from portproof.strategies.plans.near_misses import near_misses
from portproof.strategies.plans.patterns import patterns
from portproof.strategies.plans.references import arg_values, node_refs, param_refs, routes
from portproof.strategies.plans.times import durations, intervals, moments
from portproof.strategies.plans.unencodables import unencodables
from portproof.strategies.plans.values import encodable_values, hashable_values
from portproof.strategies.plans.views import plan_views

__all__ = [
    "arg_values",
    "durations",
    "encodable_values",
    "hashable_values",
    "intervals",
    "moments",
    "near_misses",
    "node_refs",
    "param_refs",
    "patterns",
    "plan_views",
    "routes",
    "typed_arrays",
    "unencodables",
]
