"""Browsers on this machine: Chromium, driven over its DevTools protocol."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, cast

from agentports.ports import AbortSignal, BrowserDriver, BrowserEvent, BrowserSession, BrowserShot, MouseButton
from agentports.runners._browser_session import GuardedSession
from agentports.runners._chromium_process import find_chromium, running_chromium
from agentports.runners._opening import open_session

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright

__all__ = ["ChromiumBrowserRunner"]


class ChromiumBrowserRunner:
    """Starts a headless Chromium with a fresh profile for each session.

    Input reaches the page as the browser's own input events, which a page cannot tell from a person's. It goes to the
    page that was opened last and is still open. Keys have the names of `KeyboardEvent.key`; `Control+A` is a chord.
    `live_view_endpoint` is the screen in the browser's own developer tools, for a person on this machine.

    Both addresses are on the loopback interface and have no password: whoever may open connections on this machine may
    use them. Needs the extra `browser` and Debian's package chromium, or another `executable`.
    """

    id = "chromium-browser-runner"

    def __init__(self, executable: str = "chromium") -> None:
        self._executable = executable

    async def start(self, *, key: str, signal: AbortSignal | None = None) -> BrowserSession:
        """Start a browser.

        Raises `ModuleNotFoundError` without Playwright, `FileNotFoundError` without Chromium, `RuntimeError` when that
        does not come up, and the abort when the signal is aborted.
        """
        return await open_session(self._open, signal)

    async def _open(self) -> GuardedSession:
        async with AsyncExitStack() as opened:
            driven = _driven_chromium(_playwright(), find_chromium(self._executable))
            browser, address = await opened.enter_async_context(driven)
            context = browser.contexts[0]
            view = await _live_view(context, address)
            screen = _ChromiumScreen(context, opened.pop_all())
        return GuardedSession(
            f"chromium-{uuid.uuid4()}", screen, automation_endpoint=f"ws://{address}", live_view_endpoint=view
        )


class _ChromiumScreen:
    def __init__(self, context: BrowserContext, opened: AsyncExitStack) -> None:
        self._context = context
        self._opened = opened

    async def send(self, event: BrowserEvent) -> None:
        page = _front(self._context)
        if event["kind"] == "click":
            button = cast("MouseButton", event["button"])
            await page.mouse.click(event["x"], event["y"], button=button, click_count=event["clicks"])
        elif event["kind"] == "text":
            await page.keyboard.insert_text(event["text"])
        else:
            for _ in range(event["times"]):
                await page.keyboard.press(event["key"])

    async def capture(self) -> BrowserShot:
        return BrowserShot(data=await _front(self._context).screenshot(caret="initial"), format="png")

    async def give_to(self, driver: BrowserDriver) -> None:
        """Do nothing: the live view takes a person's input at any time, and the session keeps the agent's away."""

    async def close(self) -> None:
        await self._opened.aclose()


@asynccontextmanager
async def _driven_chromium(
    playwright: AbstractAsyncContextManager[Playwright], path: str
) -> AsyncIterator[tuple[Browser, str]]:
    async with playwright as driver, AsyncExitStack() as connected, running_chromium(path) as address:
        browser = await driver.chromium.connect_over_cdp(f"ws://{address}")
        connected.push_async_callback(browser.close)  # after the process has ended: one that hangs would not answer
        yield browser, address


def _playwright() -> AbstractAsyncContextManager[Playwright]:
    try:
        from playwright.async_api import async_playwright
    except ModuleNotFoundError as error:
        hint = "Chromium is driven by Playwright: pip install 'portproof[browser]'"
        raise ModuleNotFoundError(hint, name=error.name) from error
    return async_playwright()


def _front(context: BrowserContext) -> Page:
    if not context.pages:
        raise RuntimeError("the browser has no page: it ended, or every page was closed")
    return context.pages[-1]


async def _live_view(context: BrowserContext, address: str) -> str:
    devtools = await context.new_cdp_session(_front(context))
    target = await devtools.send("Target.getTargetInfo")
    await devtools.detach()
    host = address.partition("/")[0]
    return f"http://{host}/devtools/inspector.html?ws={host}/devtools/page/{target['targetInfo']['targetId']}"
