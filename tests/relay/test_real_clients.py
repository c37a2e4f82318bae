"""Clients that we did not write read a stream as it arrives, and leave half-way: a page in Chromium, and curl."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route

from agentports.ports import AbortSignal
from agentports.ports.http import ProviderDelta, ProviderResult
from agentports.relay.server import create_relay

_LONGEST_S = 20.0

PAGE = """<!doctype html><meta charset="utf-8"><p id="text"></p><script>
  const stop = new AbortController();
  async function ask() {
    const answer = await fetch("/relay/", {
      method: "POST", signal: stop.signal, headers: { authorization: "Bearer portproof" },
      body: JSON.stringify({ messages: [{ id: "1", role: "user", content: "hello" }] }),
    });
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let held = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (held + value).split("\\n");
      held = lines.pop();
      for (const line of lines) show(JSON.parse(line));
    }
  }
  const show = (frame) => document.querySelector("#text").append(frame.text ?? ` [${frame.channel}]`);
  ask().catch((error) => document.querySelector("#text").append(` (${error.name})`));
</script>"""


class Words:
    """A provider that says a word, and the next one when the test allows it."""

    def __init__(self) -> None:
        self.allowed: asyncio.Queue[str] = asyncio.Queue()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.called, self.stopped = threading.Event(), threading.Event()
        self.signal: AbortSignal | None = None

    async def stream(
        self, messages: Any, signal: AbortSignal, tools: Any = None, options: Any = None
    ) -> AsyncIterator[Any]:
        """A delta for each word, a result for an empty one."""
        self.loop, self.signal = asyncio.get_running_loop(), signal
        self.called.set()
        said = ""
        try:
            while word := await self.allowed.get():
                said += word
                yield ProviderDelta(channel="content", text=word)
            yield ProviderResult(content=said)
        finally:
            self.stopped.set()

    def say(self, word: str) -> None:
        """From the thread of the test."""
        assert self.called.wait(_LONGEST_S)
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self.allowed.put_nowait, word)

    def was_aborted(self) -> bool:
        """Whether the call has ended, in bounded time, and was aborted."""
        assert self.stopped.wait(_LONGEST_S)
        return self.signal is not None and self.signal.aborted


@contextmanager
def running(provider: Words) -> Iterator[str]:
    """The page and its relay on uvicorn; gives the address."""

    async def page(request: Request) -> HTMLResponse:
        return HTMLResponse(PAGE)

    relay = create_relay(provider=provider, authorize=_has_token)  # type: ignore[arg-type]
    app = Starlette(routes=[Route("/", page), Mount("/relay", relay)])
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
        host, port = server.servers[0].sockets[0].getsockname()
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        thread.join()


def _has_token(request: Request) -> bool:
    return request.headers.get("authorization") == "Bearer portproof"


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Debian's package chromium is not installed")
def test_a_page_shows_text_as_it_arrives_and_its_cancel_reaches_the_upstream() -> None:
    """It reads the stream with fetch; when its reader is aborted the upstream call is."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the extra `browser` (Playwright) is not installed")
    provider = Words()
    with running(provider) as address, playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), chromium_sandbox=os.geteuid() != 0)
        page = browser.new_page()
        page.goto(address)
        text = page.locator("#text")
        for word, shown in (("Hel", "Hel"), ("lo 👩🏽‍🚀", "Hello 👩🏽‍🚀")):
            provider.say(word)
            playwright.expect(text).to_have_text(shown)
        assert not provider.stopped.is_set()
        page.evaluate("stop.abort()")
        playwright.expect(text).to_have_text("Hello 👩🏽‍🚀 (AbortError)")
        assert provider.was_aborted()
        browser.close()


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_gets_each_line_at_once_and_its_end_reaches_the_upstream() -> None:
    """Killed half-way, it stops the upstream call."""
    provider = Words()
    with running(provider) as address:
        with _curl(address) as curl:
            assert curl.stdout is not None
            provider.say("Hel")
            assert curl.stdout.readline() == b'{"channel":"content","text":"Hel"}\n'
            assert not provider.stopped.is_set()
            curl.kill()
        assert provider.was_aborted()


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_reads_a_whole_answer() -> None:
    """The last line is the result, and the transfer ends well."""
    provider = Words()
    with running(provider) as address, _curl(address) as curl:
        provider.say("Hello")
        provider.say("")
        lines = curl.communicate(timeout=_LONGEST_S)[0].splitlines()
        assert lines[-1] == b'{"channel":"result","result":{"content":"Hello"}}'
        assert curl.returncode == 0
        assert not provider.was_aborted()


@contextmanager
def _curl(address: str) -> Iterator[subprocess.Popen[bytes]]:
    sent = ("-H", "authorization: Bearer portproof", "-d", '{"messages":[]}')
    with subprocess.Popen(["curl", "-sN", *sent, f"{address}/relay/"], stdout=subprocess.PIPE) as curl:
        try:
            yield curl
        finally:
            curl.kill()
