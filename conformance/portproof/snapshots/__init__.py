"""What goes over the wire for a fixed set of requests, as text that can be kept and compared."""

from portproof.snapshots.canonical import CANONICAL_REQUESTS, canonical_request
from portproof.snapshots.rendering import wire_text

__all__ = ["CANONICAL_REQUESTS", "canonical_request", "wire_text"]
