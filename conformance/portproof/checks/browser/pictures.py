"""Screenshots: what is shown, and in which format."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.sim import SimulatedScreen
from portproof.benches.browser import BrowserBench, Session
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.running.plain import plain

#: How the data of a format begins; what stands between the parts of WebP is its length.
_SIGNATURES = {"png": (b"\x89PNG\r\n\x1a\n", b""), "jpeg": (b"\xff\xd8\xff", b""), "webp": (b"RIFF", b"WEBP")}


@check(
    "BRW-SHOT-CURRENT",
    changes=st.lists(st.sampled_from(["type", "click", "visit"]), min_size=1, max_size=3),
)
async def a_screenshot_shows_what_is_there_now(bench: BrowserBench, changes: list[str]) -> None:
    async with bench.session() as session:
        screen = await session.screen()
        shown = await _picture(session)
        for number, change in enumerate(changes):
            _change(screen, change, number)
            after = await _picture(session)
            expect(after != shown, f"a screenshot looks as before, though somebody did {change}", changes=changes)
            shown = after


async def _picture(session: Session) -> bytes:
    return bytes(view(await session.do("screenshot"), "data"))


def _change(screen: SimulatedScreen, change: str, number: int) -> None:
    match change:
        case "type":
            screen.type(f"text {number}")
        case "click":
            screen.click(20 + 10 * number, 50)
        case _:
            screen.visit(f"https://page.example/{number}")


@check("BRW-SHOT-FORMAT")
async def the_format_is_that_of_the_data(bench: BrowserBench) -> None:
    async with bench.session() as session:
        shot = await session.do("screenshot")
    data, stated = view(shot, "data"), view(shot, "format")
    expect(isinstance(data, bytes | bytearray | memoryview), "data are no bytes", data=plain(data))
    expect(len(data) > 0, "data are empty")
    expect(isinstance(stated, str) and stated, "format is no text, or an empty one", format=stated)
    expect_equal(stated, stated.lower(), "format in lower case")
    begins, goes_on = _SIGNATURES.get("jpeg" if stated == "jpg" else stated, (b"", b""))
    head = bytes(data[:12])
    expect(head.startswith(begins) and head[8:].startswith(goes_on), f"data are no {stated}", begins=head.hex(" "))
