"""Clicks, texts and keys: what the agent does is what the browser gets."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from portproof.benches.browser import BrowserBench
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies.browsing import SPECIAL_TEXTS, clicks, impossible_clicks, key_names, typed_texts


@check("BRW-CLICK", click=clicks())
async def clicks_land_where_they_are_meant(bench: BrowserBench, click: dict[str, Any]) -> None:
    async with bench.session() as session:
        screen = await session.screen()
        await session.do("click", **click)
    wanted = {"kind": "click", "x": click["x"], "y": click["y"], "button": click.get("button", "left")}
    events: list[dict[str, Any]] = [{**event} for event in screen.events]
    pressed = sum(event.pop("clicks", 0) for event in events)
    expect(events and all(event == wanted for event in events), "other input than the click", got=screen.events)
    expect_equal(pressed, click.get("clicks", 1), "how often the button was pressed")


@check("BRW-CLICK-INVALID", click=impossible_clicks())
async def what_no_mouse_can_do_is_refused(bench: BrowserBench, click: dict[str, Any]) -> None:
    async with bench.session() as session:
        screen = await session.screen()
        await session.refuses("there is no such click", "click", **click)
    expect(not screen.events, "the click was refused, and something reached the browser", got=screen.events)


@check("BRW-TYPE-VERBATIM", text=typed_texts())
async def text_is_entered_as_it_is(bench: BrowserBench, text: str) -> None:
    async with bench.session() as session:
        screen = await session.screen()
        for typed in (text, *SPECIAL_TEXTS):
            before = len(screen.field)
            await session.do("type", typed)
            expect_equal(screen.field[before:], typed, "what the page's field got")


@check("BRW-TYPE-EMPTY")
async def typing_nothing_does_nothing(bench: BrowserBench) -> None:
    async with bench.session() as session:
        await session.do("type", "")
        if bench.simulated:
            screen = await session.screen()
            expect_equal(screen.field, "", "what the page's field holds")
            screen.type("of a person")
            await session.do("type", "")
            expect_equal(screen.field, "of a person", "what the page's field holds")


@check("BRW-PRESS-TIMES", key=key_names(), stated=st.fixed_dictionaries({}, optional={"times": st.integers(1, 5)}))
async def keys_are_pressed_as_often_as_said(bench: BrowserBench, key: str, stated: dict[str, int]) -> None:
    async with bench.session() as session:
        screen = await session.screen()
        await session.do("press", key=key, **stated)
    events: list[dict[str, Any]] = [{**event} for event in screen.events]
    expect(all(event["kind"] == "key" and event["key"] == key for event in events), "other input", got=events)
    expect_equal(sum(event["times"] for event in events), stated.get("times", 1), f"how often {key} was pressed")
