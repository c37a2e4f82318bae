"""Signals: who subscribes is called once, and a signal made of others follows the first of them."""

from __future__ import annotations

from agentports.ports import AbortController, AbortSignal


def test_a_subscriber_is_called_once_at_the_abort() -> None:
    """Later aborts change nothing, and afterwards nobody listens."""
    controller, called = AbortController(), list[str]()
    controller.signal.subscribe(lambda: called.append("a"))
    assert controller.signal.listeners == 1
    controller.abort("first")
    controller.abort("second")
    assert (called, controller.signal.reason, controller.signal.listeners) == (["a"], "first", 0)


def test_a_late_subscriber_is_called_at_once() -> None:
    """What was aborted before is not missed, and is not listened to."""
    controller, called = AbortController(), list[str]()
    controller.abort()
    controller.signal.subscribe(lambda: called.append("late"))
    assert (called, controller.signal.listeners) == (["late"], 0)


def test_who_unsubscribed_is_not_called() -> None:
    """Unsubscribing twice, or after the abort, is nothing."""
    controller, called = AbortController(), list[str]()
    unsubscribe = controller.signal.subscribe(lambda: called.append("x"))
    unsubscribe()
    unsubscribe()
    controller.abort()
    unsubscribe()
    assert called == []


def test_a_derived_signal_takes_the_first_reason() -> None:
    """It is aborted with the parent that fires first, and leaves the others alone."""
    one, two = AbortController(), AbortController()
    derived = AbortSignal.any(one.signal, two.signal)
    two.abort("two")
    one.abort("one")
    assert (derived.aborted, derived.reason) == (True, "two")


def test_a_derived_signal_never_aborts_its_parents() -> None:
    """Aborting one parent leaves the other as it was, with no listener."""
    one, two = AbortController(), AbortController()
    AbortSignal.any(one.signal, two.signal)
    one.abort()
    assert (two.signal.aborted, two.signal.listeners) == (False, 0)


def test_a_derived_signal_of_an_aborted_one_is_aborted() -> None:
    """At once, and without listening to the others."""
    one, two = AbortController(), AbortController()
    two.abort("gone")
    derived = AbortSignal.any(one.signal, two.signal)
    assert (derived.reason, one.signal.listeners) == ("gone", 0)


def test_a_released_signal_listens_no_more() -> None:
    """It stays as it is, whatever its parents do."""
    controller = AbortController()
    derived = AbortSignal.any(controller.signal)
    derived.release()
    controller.abort()
    assert (derived.aborted, controller.signal.listeners) == (False, 0)
