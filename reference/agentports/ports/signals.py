"""Cancellation by signal: the caller aborts, everything that waits on the signal ends (document 10, section 10)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["AbortController", "AbortError", "AbortSignal"]


class AbortError(Exception):
    """The caller cancelled. Recognised by its class name or by its code, so third parties may bring their own."""

    code = "ABORT_ERR"

    def __init__(self, message: str = "the call was aborted") -> None:
        super().__init__(message)


class AbortSignal:
    """What a request carries so that its caller can stop it. Made by `AbortController`; safe across threads."""

    def __init__(self) -> None:
        self._aborted = False
        self._reason: Any = None
        self._lock = threading.Lock()
        self._waiters: set[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = set()
        self._callbacks: dict[object, Callable[[], object]] = {}
        self._parents: list[Callable[[], None]] = []

    @classmethod
    def any(cls, *signals: AbortSignal) -> AbortSignal:
        """A signal that is aborted as soon as one of these is, with its reason; it never aborts them.

        It listens to them until one fires or until `release` is called.
        """
        derived = cls()
        for signal in signals:
            derived._parents.append(signal.subscribe(lambda parent=signal: derived._abort(parent.reason)))  # type: ignore[misc]
        if derived.aborted:
            derived.release()
        return derived

    @property
    def aborted(self) -> bool:
        """Whether the caller has aborted."""
        return self._aborted

    @property
    def reason(self) -> Any:
        """What was given to `AbortController.abort`; an `AbortError` when nothing was, None before the abort."""
        return self._reason

    @property
    def waiters(self) -> int:
        """How many `wait` calls are pending: what a wrapper must bring back to zero."""
        return len(self._waiters)

    @property
    def listeners(self) -> int:
        """How many wait or are subscribed: what must be back where it was after a call."""
        return len(self._waiters) + len(self._callbacks)

    def subscribe(self, callback: Callable[[], object]) -> Callable[[], None]:
        """Have the callback called once at the abort, in the thread that aborts; at once when it was before.

        Returns what unsubscribes, which may be called again and later.
        """
        key = object()
        with self._lock:
            if not self._aborted:
                self._callbacks[key] = callback
                return lambda: self._forget(key)
        callback()
        return lambda: None

    def release(self) -> None:
        """Stop listening to the signals that this one was made of."""
        for unsubscribe in self._parents:
            unsubscribe()
        self._parents.clear()

    async def wait(self) -> None:
        """Return once the signal is aborted; at once when it is already."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        entry = (loop, future)
        with self._lock:
            if self._aborted:
                return
            self._waiters.add(entry)
        try:
            await future
        finally:
            with self._lock:
                self._waiters.discard(entry)

    def raise_if_aborted(self) -> None:
        """Raise the reason when it is an exception, else an `AbortError` that shows it; do nothing before the abort."""
        if not self._aborted:
            return
        if isinstance(self._reason, BaseException):
            raise self._reason
        raise AbortError(str(self._reason))

    def _abort(self, reason: Any) -> None:
        with self._lock:
            if self._aborted:
                return
            self._aborted, self._reason = True, reason
            waiting, callbacks = list(self._waiters), list(self._callbacks.values())
            self._callbacks.clear()
        for loop, future in waiting:
            loop.call_soon_threadsafe(_release, future)
        self.release()
        for callback in callbacks:
            callback()

    def _forget(self, key: object) -> None:
        with self._lock:
            self._callbacks.pop(key, None)


def _release(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


class AbortController:
    """Owns a signal and aborts it, once."""

    def __init__(self) -> None:
        self.signal = AbortSignal()

    def abort(self, reason: Any = None) -> None:
        """Abort the signal. Later calls change nothing; without a reason it is an `AbortError`."""
        self.signal._abort(AbortError() if reason is None else reason)
