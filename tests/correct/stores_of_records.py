"""Correct stores by another hand: everything that is read is a dict, and one that lasts by `reopen` alone."""

from __future__ import annotations

import pickle
from typing import Any
from uuid import uuid4

from pydantic import BaseModel

from tests.defects._stores import Plan, Storing

__all__ = ["DictStore", "ReopenedStore"]

_OWN_NAMES = {"from_": "from", "json_": "json"}


class DictStore(Storing):
    """Answers with dicts, of which the ops and events too are none of the contract's classes."""

    def __getattribute__(self, name: str) -> Any:
        method = super().__getattribute__(name)
        if name != "list" and not name.startswith(("read_", "create_", "clone_", "append_", "claim_", "transition")):
            return method

        async def asked(*given: Any, **stated: Any) -> Any:
            return _dicts(await method(*given, **stated))

        return asked


def _dicts(value: Any) -> Any:
    if isinstance(value, BaseModel):
        fields = {_OWN_NAMES.get(name, name): _dicts(held) for name, held in value}
        return fields | (value.model_extra or {})
    if type(value) is list:
        return [_dicts(held) for held in value]
    return {key: _dicts(held) for key, held in value.items()} if type(value) is dict else value


class ReopenedStore(Storing):
    """Keeps plans in bytes that the next one is made of. There is no place that another process could find."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, bytes] = {}

    def touch(self, plan: Plan) -> None:
        super().touch(plan)
        self.kept[plan.id] = pickle.dumps(plan)

    def new_run(self, plan: Plan) -> str:
        return uuid4().hex

    async def reopen(self) -> ReopenedStore:
        opened = ReopenedStore()
        opened.kept = self.kept
        opened.plans = {plan_id: pickle.loads(data) for plan_id, data in self.kept.items()}
        return opened

    def close(self) -> None:
        """Not a coroutine."""
        self.plans = {}
