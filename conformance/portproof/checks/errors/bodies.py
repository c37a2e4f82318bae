"""Where on the wire a failure stands, and how much of what came with it is quoted."""

from __future__ import annotations

from hypothesis import strategies as st

from agentports.sim import Answer, Play, Reply, Turn, wire_named
from portproof.benches.classifier import is_overflow
from portproof.benches.provider import ProviderBench
from portproof.benches.refusals import ONCE, expect_overflow_sent, refusal
from portproof.checks.errors.wordings import SILENT
from portproof.checks.registry import check
from portproof.running.outcome import NotTested, expect
from portproof.running.plain import told
from portproof.strategies import texts

#: What stands in front of the sentence that counts.
_PREAMBLES = (
    "<html><head><title>Bad gateway</title></head><body><h1>The proxy refused the request</h1> ",
    '{"role": "user", "content": "Please read this file and tell me what it does."}, ',
    "Upstream at 10.0.0.7 answered the request of this client and said that it was refused\n",
)
_HTML = ("content-type", "text/html; charset=utf-8")


async def _known_overflow(bench: ProviderBench) -> str:
    """The sentence of the wire's vendor, where `complete` knows it: other rules say that it has to."""
    said = SILENT[bench.dialect.name][0]
    bench.play(refusal(said))
    if not is_overflow(await bench.error("complete")):
        raise NotTested(f"complete takes no refusal of this wire for a context overflow, not even {said!r}")
    return said


@check("ERR-STREAM-TRANSLATED", at_most=8, text=texts(), after=st.integers(0, 4))
async def an_overflow_of_a_stream_is_one_as_that_of_complete(bench: ProviderBench, text: str, after: int) -> None:
    said = refusal(await _known_overflow(bench))
    event = wire_named(bench.dialect.name).error_event(said)
    turn = Turn.of(f"{text} and some more words")
    answers: dict[str, Answer] = {
        "a refused stream": said,
        "an error inside a stream": Play(turn, edit=lambda events: [*events[: min(after, len(events) - 3)], event]),
    }
    for what, answer in answers.items():
        bench.play(answer)
        error = await bench.error("stream")
        expect(is_overflow(error), f"{what} is another error than that of complete", raised=told(error))


@check("ERR-BODY-SEARCHED", at_most=6, preamble=st.sampled_from(_PREAMBLES), length=st.integers(1_000, 20_000))
async def an_overflow_at_the_end_of_a_long_body_is_found(bench: ProviderBench, preamble: str, length: int) -> None:
    said = await _known_overflow(bench)
    long = preamble * (length // len(preamble) + 1)
    await expect_overflow_sent(bench, refusal(f"{long} {said}"))


@check("ERR-BODY-QUOTE-BOUNDED", at_most=6, status=st.sampled_from([500, 502, 503]), words=texts())
async def a_page_is_not_quoted_whole(bench: ProviderBench, status: int, words: str) -> None:
    page = f"<html><body><h1>Bad gateway</h1>{'<p>The server is not there.</p>' * 200}{words}</body></html>"
    bench.play(Reply(status, (_HTML, ONCE), (page.encode(),)))
    for way in bench.ways:
        shown = str(await bench.error(way))
        expect(len(shown) < 1000, f"{way} quotes {len(shown)} characters of a page of {len(page)}", quoted=shown[:300])
