"""Content of plans: values, references, routes, views (document 30, section 8), and their ops (document 31)."""

from portproof.strategies.plans.arrays import typed_arrays
from portproof.strategies.plans.field_edits import FieldEdit, field_edits
from portproof.strategies.plans.near_misses import near_misses
from portproof.strategies.plans.near_routes import near_routes, segments
from portproof.strategies.plans.op_logs import Arrival, arrivals, op_logs
from portproof.strategies.plans.ops import actor_ids, hostile_paths, lamports, op_contents, stamped, stamps
from portproof.strategies.plans.patterns import patterns
from portproof.strategies.plans.references import arg_values, node_refs, param_refs, routes
from portproof.strategies.plans.times import durations, intervals, moments
from portproof.strategies.plans.unencodables import unencodables
from portproof.strategies.plans.values import encodable_values, hashable_values
from portproof.strategies.plans.views import plan_views

__all__ = [
    "Arrival",
    "FieldEdit",
    "actor_ids",
    "arg_values",
    "arrivals",
    "durations",
    "encodable_values",
    "field_edits",
    "hashable_values",
    "hostile_paths",
    "intervals",
    "lamports",
    "moments",
    "near_misses",
    "near_routes",
    "node_refs",
    "op_contents",
    "op_logs",
    "param_refs",
    "patterns",
    "plan_views",
    "routes",
    "segments",
    "stamped",
    "stamps",
    "typed_arrays",
    "unencodables",
]
