"""Sessions in a real Chromium, seen through the addresses that they state."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from agentports.ports import AbortController, AbortError, HandedOverError, SessionStoppedError, SharedBrowserSession
from agentports.runners import ChromiumBrowserRunner, _chromium_process

from .conftest import Run

playwright = pytest.importorskip("playwright.async_api", reason="the extra `browser` (Playwright) is not installed")
Opened = tuple[Run, SharedBrowserSession, Any]  # what runs a coroutine, the session, and its page for automation
needs_chromium = pytest.mark.skipif(not shutil.which("chromium"), reason="Debian's package chromium is not installed")

TEXTS = ["", "a\nb\tc", "+{Enter}%n^~()'\"\\", "žluťoučký 漢字 👩\u200d👧 e\u0301 \u202e", "x" * 5000]
PAGE = """data:text/html;charset=utf-8,
<textarea style="position:absolute;left:0;top:0;width:400px;height:200px"></textarea>
<p style="position:absolute;left:500px;top:0;width:200px;height:200px;background:white"></p>
<script>
  seen = [];
  for (const kind of ["mousedown", "keydown"])
    addEventListener(kind, e => seen.push([kind, e.key ?? e.button, e.clientX, e.clientY, e.detail, e.isTrusted]));
  addEventListener("contextmenu", e => e.preventDefault());
  document.querySelector("p").onclick = e => e.target.style.background = "red";
</script>"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Opened]:
    """A session, and an automation client of its page: one for the module, because a start takes a second."""
    with asyncio.Runner() as runner:
        session: Any = runner.run(ChromiumBrowserRunner().start(key="k"))
        driver = runner.run(playwright.async_playwright().start())
        client = runner.run(driver.chromium.connect_over_cdp(session.automation_endpoint))
        yield runner.run, session, client.contexts[0].pages[0]
        runner.run(client.close())
        runner.run(driver.stop())
        runner.run(session.stop())


@pytest.fixture
def page(browser: Opened) -> Opened:
    """The session on a fresh page, with the caret in its text field."""
    run, session, page = browser
    run(page.goto(PAGE))
    run(session.click(x=200, y=100))
    run(page.evaluate("seen.length = 0"))
    return browser


class Traces:
    """What was started and written since; a variable and a directory of its own tell it from what other tests do."""

    def __init__(self, patch: pytest.MonkeyPatch, directory: Path) -> None:
        self._mark = str(uuid.uuid4())
        self._directory = directory
        patch.setenv("STARTED_BY_TEST", self._mark)
        patch.setenv("TMPDIR", str(directory))
        patch.setattr(_chromium_process, "SHORT_DIRECTORY", str(directory))

    def processes(self) -> list[psutil.Process]:
        """Those that run."""
        return [process for process in psutil.process_iter() if self._is_ours(process)]

    def are_gone(self) -> bool:
        """Whether nothing is left."""
        psutil.wait_procs(self.processes(), timeout=5)  # a crash handler needs a moment to see that it is alone
        return self.processes() == [] and list(self._directory.iterdir()) == []

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get("STARTED_BY_TEST") == self._mark and process.pid != os.getpid()
        except psutil.Error:
            return False


@pytest.fixture
def traces(monkeypatch: pytest.MonkeyPatch) -> Iterator[Traces]:
    """What the test leaves behind."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="t") as directory:  # pytest's own has too long a name
        yield Traces(monkeypatch, Path(directory))


async def popup_of(tab: Any) -> Any:
    """A window that the page opens."""
    async with tab.expect_popup() as opening:
        await tab.evaluate("open('about:blank')")
    opened = await opening.value
    await opened.goto(PAGE)
    return opened


@needs_chromium
def test_a_page_takes_clicks_for_a_persons(page: Opened) -> None:
    """Point, button and count are those of the call, and the browser vouches for the event."""
    run, session, tab = page
    run(session.click(x=550, y=40, button="right"))
    run(session.click(x=560, y=50, clicks=2))
    assert run(tab.evaluate("seen")) == [
        ["mousedown", 2, 550, 40, 1, True],
        ["mousedown", 0, 560, 50, 1, True],
        ["mousedown", 0, 560, 50, 2, True],
    ]


@needs_chromium
@pytest.mark.parametrize("text", TEXTS)
def test_a_field_holds_exactly_what_was_typed(page: Opened, text: str) -> None:
    """Nothing is read as the name of a key."""
    run, session, tab = page
    run(session.type(text))
    assert run(tab.evaluate("document.querySelector('textarea').value")) == text


@needs_chromium
def test_keys_are_pressed_by_their_names(page: Opened) -> None:
    """As often as the call says, with what they do in a text field."""
    run, session, tab = page
    run(session.type("abc"))
    run(session.press(key="Backspace", times=2))
    run(session.press(key="Enter"))
    assert run(tab.evaluate("document.querySelector('textarea').value")) == "a\n"
    assert [kind[1] for kind in run(tab.evaluate("seen"))] == ["Backspace", "Backspace", "Enter"]


@needs_chromium
def test_a_screenshot_shows_the_page_as_it_is_now(page: Opened) -> None:
    """A PNG, which a click on the page changes."""
    run, session, _ = page
    before = run(session.screenshot())
    run(session.click(x=550, y=100))
    after = run(session.screenshot())
    assert before.format == after.format == "png"
    assert before.data.startswith(b"\x89PNG\r\n\x1a\n")
    assert before.data != after.data


@needs_chromium
def test_input_goes_to_the_page_that_was_opened_last(page: Opened) -> None:
    """A window that a page opens has the input until it is closed."""
    run, session, tab = page
    opened = run(popup_of(tab))
    while run(opened.evaluate("seen.length")) == 0:  # until the session has heard of the window, too
        run(session.click(x=550, y=40))
    run(opened.close())
    run(tab.evaluate("seen.length = 0"))
    run(session.click(x=550, y=40))
    assert run(tab.evaluate("seen.length")) == 1


@needs_chromium
def test_a_person_drives_and_gives_the_page_back(page: Opened) -> None:
    """What the person did is there for the agent, whose input was shut out meanwhile."""
    run, session, tab = page
    run(session.type("user "))
    run(session.hand_control_to("person"))
    with pytest.raises(HandedOverError):
        run(session.type("agent"))
    run(tab.keyboard.insert_text("secret"))
    assert run(session.screenshot()).data
    run(session.hand_control_to("agent"))
    run(session.type("!"))
    assert run(tab.evaluate("document.querySelector('textarea').value")) == "user secret!"


@needs_chromium
def test_the_live_view_is_served(page: Opened) -> None:
    """A person on this machine opens it in a browser of their own."""
    _, session, _ = page
    assert session.live_view_endpoint is not None
    with urllib.request.urlopen(session.live_view_endpoint) as answer:
        assert answer.status == 200


@needs_chromium
def test_a_stopped_session_leaves_no_process_and_no_file(run: Run, traces: Traces) -> None:
    """However often it is stopped, and also after a start that was aborted."""
    runner = ChromiumBrowserRunner()
    controller = AbortController()

    async def start_and_stop() -> None:
        aborted = asyncio.ensure_future(runner.start(key="k", signal=controller.signal))
        await asyncio.sleep(0)
        controller.abort()
        session = await runner.start(key="k")
        with pytest.raises(AbortError):
            await aborted
        assert traces.processes()
        await asyncio.gather(*(session.stop() for _ in range(3)))
        await session.stop()
        with pytest.raises(SessionStoppedError):
            await session.screenshot()

    run(start_and_stop())
    assert traces.are_gone()


@needs_chromium
def test_a_browser_that_hangs_is_stopped(run: Run, traces: Traces, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked to end, and killed when it does not."""
    monkeypatch.setattr(_chromium_process, "END_LIMIT", 0.1)
    session = run(ChromiumBrowserRunner().start(key="k"))
    for process in traces.processes():
        if process.name() == "chromium":
            process.suspend()
    run(asyncio.wait_for(session.stop(), 20))
    assert traces.are_gone()


def test_an_executable_that_is_not_chromium_is_told(run: Run, traces: Traces) -> None:
    """The error shows how it ended, and its profile is gone."""
    with pytest.raises(RuntimeError, match="did not come up"):
        run(ChromiumBrowserRunner(executable="false").start(key="k"))
    assert traces.are_gone()


def test_a_machine_without_chromium_is_told_the_package(run: Run) -> None:
    """The error names what to install."""
    with pytest.raises(FileNotFoundError, match="apt-get install chromium"):
        run(ChromiumBrowserRunner(executable="no-such-browser").start(key="k"))


def test_an_installation_without_playwright_is_told_the_extra(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The runner can be imported and built all the same."""
    monkeypatch.setitem(sys.modules, "playwright.async_api", None)
    with pytest.raises(ModuleNotFoundError, match=r"portproof\[browser\]"):
        run(ChromiumBrowserRunner().start(key="k"))
