"""What a lock is, apart from the leases: as text it goes from process to process."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from agentports.plans.locks.durations import lifetime

__all__ = ["Ticket", "read_ticket", "written"]


@dataclass(frozen=True)
class Ticket:
    """Of which key, for whom, for how many milliseconds; and who was last seen holding the lease."""

    key: str
    owner: str
    ttl: float | None
    holder: str = ""


def written(ticket: Ticket) -> str:
    """The ticket as JSON."""
    return json.dumps(asdict(ticket))


def read_ticket(serialized: Any) -> Ticket:
    """The ticket that was written. Raises `ValueError` for anything else."""
    try:
        data = json.loads(serialized)
    except (TypeError, ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or set(data) != set(Ticket.__dataclass_fields__) or not _fits(data):
        raise ValueError(
            "a lock is restored from what its serialize() gave: a JSON object with the texts key, owner and holder, "
            f"and with ttl, which is null or milliseconds; got {serialized!r:.200}"
        )
    return Ticket(**data | {"ttl": lifetime(data["ttl"])})


def _fits(data: dict[str, Any]) -> bool:
    texts = [data[name] for name in ("key", "owner", "holder")]
    if not all(isinstance(text, str) for text in texts) or not _is_owner(data["owner"]):
        return False
    try:
        lifetime(data["ttl"])
    except ValueError:
        return False
    return not isinstance(data["ttl"], str)


def _is_owner(text: str) -> bool:
    """Whether every database takes the text."""
    return text != "" and text.isprintable()
