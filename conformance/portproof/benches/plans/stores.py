"""The bench of the port plan-store."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from uuid import uuid4

from portproof.benches.plans.store_calls import StoreCalls
from portproof.benches.real_time import RealTimeBench
from portproof.running.outcome import CheckFunction, NotTested
from portproof.subjects.looking import closed, common_supply
from portproof.subjects.places import Place
from portproof.subjects.subject import Subject
from portproof.subjects.supply import Built, build

__all__ = ["StoreBench"]


class StoreBench(RealTimeBench, StoreCalls):
    """Calls the store. The examples of a check share it, and each has plans of its own."""

    def __init__(self, subject: Subject, deadline: float) -> None:
        RealTimeBench.__init__(self, subject, deadline)
        StoreCalls.__init__(self, None, self._id, Place(subject.options))
        self._run = uuid4().hex[:6]
        self._example = 0
        self._others: list[tuple[Place, Built]] = []
        self._elsewhere: StoreCalls | None = None

    async def another(self) -> StoreCalls:
        """A further store of the subject, in an empty place of its own.

        Raises `NotTested` where there is only one place.
        """
        if self.subject.parameters is None:
            raise NotTested("the subject is an instance: a fresh one cannot be built")
        place = Place(self.subject.options)
        if not place.is_fresh:
            raise NotTested("there is one database only: fresh ones are made where dsn names a PostgreSQL server")
        built = await self._build_at(place)
        self._others.append((place, built))
        return StoreCalls(built.value, self.id, place)

    async def built_again(self, store: StoreCalls) -> StoreCalls:
        """A further store over the same place, as another process has one."""
        built = await self._build_at(store.place)
        self._others.append((Place({}), built))
        return StoreCalls(built.value, self.id, store.place)

    async def client(self, number: int) -> StoreCalls:
        """The store as one of several clients has it: where it is in a database, every other one has a store object
        of its own, as another machine has."""
        if number % 2 == 0 or not self.subject.takes("dsn"):
            return self
        if self._elsewhere is None:
            self._elsewhere = await self.built_again(self)
        return self._elsewhere

    async def reopen(self) -> None:
        """Close the store, and build it again over the same place."""
        assert self._built is not None
        await closed(self.store)
        if not self.subject.takes("tmp_path") and not self.subject.takes("dsn"):
            self._built.value = await self.store.reopen()
        else:
            await self._built.exit.aclose()
            self._built = await self._build_at(self.place)
        self.store = self.built

    # ---- what the runner uses

    def renew(self) -> None:
        super().renew()
        self.place = Place(self.subject.options)

    def close(self) -> None:
        super().close()
        self.place.close()

    def supply(self) -> Mapping[str, Any]:
        return common_supply(self.subject, self._time) | self.place.supply()

    async def example(self, check: CheckFunction, drawn: dict[str, Any]) -> None:
        if self._built is None:
            self._built = await self._build_at(self.place)
        self.store = self.built
        self._example += 1
        await super().example(check, drawn)

    async def dismantle(self) -> None:
        built, self._built = self._built, None
        others, self._others, self._elsewhere = self._others, [], None
        places = [(Place({}), built)] if built is not None else []
        for place, other in [*places, *others]:
            if self.subject.parameters is not None:  # not the user's own object
                with suppress(Exception):
                    await closed(other.value)
            with suppress(Exception):
                await other.exit.aclose()
            place.close()

    async def _build_at(self, place: Place) -> Built:
        supply = common_supply(self.subject, self._time) | place.supply()
        return await build(self.subject.target, self.subject.parameters, supply)

    def _id(self, name: str) -> str:
        return f"{name}~{self._run}{self._example}"
