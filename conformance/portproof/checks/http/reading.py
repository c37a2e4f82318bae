"""The functions that read bytes as text, where they are offered."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from hypothesis import strategies as st

from agentports.ports import AbortController
from portproof.benches.http.bench import HttpBench
from portproof.benches.http.source import ReadFailure, Source
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import told

_MARK = b"\xef\xbb\xbf"
_CHUNKS = st.lists(st.sampled_from([b"", b"a", b"bcd", "é".encode(), "日😀".encode(), b"\xff", b"\xe6"]), max_size=6)


async def _bounded(step: Any, what: str) -> Any:
    done, pending = await asyncio.wait((asyncio.ensure_future(step),), timeout=3.0)
    for task in pending:
        task.cancel()
    if pending:
        raise Violation(f"{what} does not end")
    return done.pop().result()


async def _read(bench: HttpBench, source: Source, limit: int | None = None, signal: Any = None) -> tuple[Any, Any]:
    given = {"limit": limit} | ({} if signal is None else {"signal": signal})
    try:
        read = await _bounded(bench.part("read_text")(source, **given), "read_text")
    except (ReadFailure, Violation):
        raise
    except Exception as error:
        raise Violation(f"read_text raises {told(error)}") from error
    return view(read, "text"), view(read, "complete")


@check("HTTP-READTEXT-LIMIT", chunks=_CHUNKS, limit=st.integers(0, 12), then=st.sampled_from(["end", "hold"]))
async def no_more_than_the_limit_is_decoded(bench: HttpBench, chunks: list[bytes], limit: int, then: str) -> None:
    data = b"".join(chunks)
    full = len(data) >= limit
    source = Source(chunks, then if full else "end")
    text, _ = await _read(bench, source, limit)
    expect_equal(text, data[:limit].decode("utf-8", "replace"), f"the text of at most {limit} bytes")
    expect(source.cancelled or not full, "the rest of the body is not cancelled")


@check(
    "HTTP-READTEXT-COMPLETE", limit=st.integers(1, 8), more=st.integers(-1, 1), then=st.sampled_from(["end", "hold"])
)
async def only_a_seen_end_is_complete(bench: HttpBench, limit: int, more: int, then: str) -> None:
    data = b"x" * (limit + more)
    text, complete = await _read(bench, Source([data], then if more >= 0 else "end"), limit)
    expect_equal(text, "x" * min(limit, len(data)), "the text")
    expect(complete is (more < 0), f"{len(data)} bytes with a limit of {limit} are told to be complete: {complete}")


@check("HTTP-READTEXT-ZERO", chunks=_CHUNKS)
async def a_limit_of_nothing_reads_nothing(bench: HttpBench, chunks: list[bytes]) -> None:
    expect_equal(await _read(bench, Source(chunks), 0), ("", False), "text and completeness with a limit of 0")


@check("HTTP-READTEXT-BOM", body=st.sampled_from([b"", b"x", b"xyz"]), more=st.integers(0, 2))
async def a_mark_is_bytes_and_no_text(bench: HttpBench, body: bytes, more: int) -> None:
    data = _MARK + body
    text, complete = await _read(bench, Source([data]), len(data) + more)
    expect_equal((text, complete), (body.decode(), more > 0), f"what {len(data)} bytes give, {more} below the limit")


@check("HTTP-READTEXT-ABORT", before=st.booleans(), limit=st.sampled_from([None, 100]))
async def an_abort_gives_what_was_read(bench: HttpBench, before: bool, limit: int | None) -> None:
    controller, source = AbortController(), Source([b"abc"], "hold")
    if before:
        controller.abort()
    task = asyncio.ensure_future(_read(bench, source, limit, controller.signal))
    await bench.settled(lambda: source.pulls > 1 or task.done(), 1.0)
    controller.abort()
    text, complete = await task
    expect_equal(text, "" if before else "abc", "the text")
    expect(complete is False, "what an abort cut short is told to be complete")
    expect(source.cancelled or source.pulls == 0, "the body is not cancelled")
    await bench.unlistened(controller, "after read_text")


@check("HTTP-READCHUNKS-ABORT", half=st.booleans())
async def an_abort_ends_the_pieces(bench: HttpBench, half: bool) -> None:
    controller = AbortController()
    source = Source([b"abc\xe6\x97" if half else b"abc"], "hold")
    found: list[str] = []

    async def collect() -> None:
        async for piece in bench.part("read_chunks")(source, signal=controller.signal):
            found.append(piece)

    task = asyncio.ensure_future(_bounded(collect(), "read_chunks"))
    await bench.settled(lambda: source.pulls > 1 or task.done(), 1.0)
    pulled = source.pulls
    controller.abort()
    await _as_it_ends(task)
    expect_equal((found, source.pulls), (["abc"], pulled), "the pieces, and how often the body was pulled")
    await bench.unlistened(controller, "after read_chunks")
    source = Source([b"abc"])
    await _as_it_ends(asyncio.ensure_future(_bounded(collect(), "read_chunks")))
    expect_equal((found, source.pulls), (["abc"], 0), "the same with a signal that is aborted already")


async def _as_it_ends(task: asyncio.Future[Any]) -> None:
    try:
        await task
    except Violation:
        raise
    except Exception as error:
        raise Violation(f"an abort raises {told(error)}") from error


class _Leaving(Exception):
    """Raised by who reads."""


@check(
    "HTTP-READCHUNKS-RELEASE",
    way=st.sampled_from(["end", "fail", "leave", "raise", "abort"]),
    refuses=st.booleans(),
)
async def the_body_is_let_go_at_any_end(bench: HttpBench, way: str, refuses: bool) -> None:
    controller = AbortController()
    source = Source([b"abc"], way if way in ("end", "fail") else "hold", refuses=refuses)

    async def read() -> None:
        chunks = bench.part("read_chunks")(source, signal=controller.signal)
        async with contextlib.aclosing(chunks) as pieces:
            async for _ in pieces:
                if way == "raise":
                    raise _Leaving
                if way == "leave":
                    break
                if way == "abort":
                    asyncio.get_running_loop().call_soon(controller.abort)

    error = await bench.ended(asyncio.ensure_future(read()), "read_chunks")
    wanted = {"fail": ReadFailure, "raise": _Leaving}.get(way)
    same = error is None if wanted is None else isinstance(error, wanted)
    expect(same, f"a body that is left ({way}) ends with {told(error) if error else 'nothing'}")
    expect(source.cancelled or way in ("end", "fail"), f"the body is not cancelled when it is left ({way})")
    await bench.unlistened(controller, "after read_chunks")
