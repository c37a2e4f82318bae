"""The controls in a person's hands, and back."""

from __future__ import annotations

from hypothesis import strategies as st

from portproof.benches.browser import BrowserBench
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect, expect_equal
from portproof.strategies import markers
from portproof.strategies.browsing import unknown_drivers


@check("BRW-HANDOVER-ABSENT")
async def the_controls_go_to_a_person_and_back(bench: BrowserBench) -> None:
    if not bench.hands_over:
        raise NotApplicable("the sessions have no hand_control_to")
    async with bench.session() as session:
        screen = await session.screen() if bench.simulated else None
        for driver in ("person", "agent"):
            await session.do("hand_control_to", driver)
            if screen is not None:
                expect_equal(screen.driver, driver, "who drives, as the service was told", told=screen.drivers)


@check("BRW-HANDOVER-SAME-PAGE", page=markers(), text=markers())
async def the_agent_goes_on_where_the_person_left(bench: BrowserBench, page: str, text: str) -> None:
    async with bench.session() as session:
        screen = await session.screen()
        await session.do("hand_control_to", "person")
        screen.visit(f"https://page.example/{page}")
        screen.type(text)
        await session.do("hand_control_to", "agent")
        expect(await session.screen() is screen, "after the controls came back a different browser is shown")
        await session.do("type", "!")
    expect_equal((screen.address, screen.field), (f"https://page.example/{page}", f"{text}!"), "page and field")


@check("BRW-HANDOVER-INVALID", at_most=2, drivers=st.lists(unknown_drivers(), min_size=1, max_size=4))
async def an_unknown_driver_is_refused(bench: BrowserBench, drivers: list[str]) -> None:
    async with bench.session() as session:
        screen = await session.screen() if bench.simulated else None
        for current in ("person", "agent"):
            await session.do("hand_control_to", current)
            for driver in drivers:
                await session.refuses("there is no such driver", "hand_control_to", driver)
                if screen is not None:
                    expect_equal(screen.driver, current, "who drives after it was refused", told=screen.drivers)
        await session.do("type", "still the agent")


@check("BRW-HANDOVER-INPUT-REFUSED")
async def while_a_person_drives_the_agent_only_looks(bench: BrowserBench) -> None:
    async with bench.session() as session:
        screen = await session.screen()
        await session.do("hand_control_to", "person")
        await session.refuses("a person drives", "click", x=1, y=2)
        await session.refuses("a person drives", "type", "text")
        await session.refuses("a person drives", "press", key="Enter")
        expect(not screen.events, "the agent's input was refused, and reached the browser", got=screen.events)
        expect(await session.screen() is screen, "while a person drives a different browser is shown")
