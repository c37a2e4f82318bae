"""What the chunks of a stream hold."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import strategies as st

from agentports.sim import Block, Text, ToolCall, Turn
from portproof.benches.provider import ProviderBench, Streamed
from portproof.benches.views import ChunkView, ResponseView
from portproof.checks.registry import check
from portproof.running.outcome import expect, expect_equal
from portproof.strategies import text_blocks, tool_calls, turns

_ANSWERS = turns(thinking=True)
_WITHOUT_TEXT = turns(text=False, thinking=True) | st.just(Turn.of(Text("", (0,))))
# Pieces that say the same, as digits, blanks and rules of dashes do.
_REPEATED = st.builds(
    lambda piece, times: Turn.of(Text(piece * times, tuple(range(0, len(piece) * times, len(piece))))),
    st.sampled_from(["0", " ", "\n", "ha", " --", "é", "Go, "]),
    st.integers(2, 4),
)
_BESIDE = st.tuples(text_blocks(), tool_calls(), text_blocks() | tool_calls()).flatmap(st.permutations)


async def _streamed(bench: ProviderBench, turn: Turn) -> Streamed:
    bench.play(turn)
    streamed = await bench.stream()
    expect(streamed.chunks, "the stream yields nothing at all")
    return streamed


@check("STR-TERMINAL-EXACTLY-ONCE", turn=_ANSWERS)
async def one_chunk_is_done_and_it_is_the_last(bench: ProviderBench, turn: Turn) -> None:
    done = [bool(chunk.done) for chunk in (await _streamed(bench, turn)).chunks]
    expect(done.count(True) == 1 and done[-1], "not exactly the last chunk is done", done=done)


@check("STR-TERMINAL-EMPTY-CONTENT", turn=_ANSWERS)
async def the_last_chunk_has_no_text_of_its_own(bench: ProviderBench, turn: Turn) -> None:
    for chunk in (await _streamed(bench, turn)).chunks:
        expect(isinstance(chunk.content, str), "the content of a chunk is no str", content=chunk.content)
        expect(not (chunk.done and chunk.content), "the terminal chunk has content", content=chunk.content)


@check("STR-RESPONSE-ONLY-TERMINAL", turn=_ANSWERS)
async def no_chunk_but_the_last_has_a_response(bench: ProviderBench, turn: Turn) -> None:
    chunks = (await _streamed(bench, turn)).chunks
    early = [position for position, chunk in enumerate(chunks) if chunk.response is not None and not chunk.done]
    expect(not early, "chunks before the terminal one carry a response", positions=early, chunks=len(chunks))


@check("STR-RESPONSE-POPULATED", turn=_ANSWERS)
async def the_last_chunk_carries_the_response(bench: ProviderBench, turn: Turn) -> None:
    streamed = await _streamed(bench, turn)
    expect(streamed.response is not None, "the terminal chunk carries no response", chunks=len(streamed.chunks))


@check("STR-CONTENT-CONCATENATES", turn=turns(thinking=True) | _REPEATED)
async def the_chunks_and_the_response_hold_the_same_text(bench: ProviderBench, turn: Turn) -> None:
    streamed = await _streamed(bench, turn)
    joined = "".join(chunk.content for chunk in streamed.chunks if not chunk.done)
    expect_equal(joined, turn.text, "the joined text of the chunks")
    expect_equal(streamed.answer.content, joined, "response.content, beside the joined text of the chunks,")


@check("STR-TOKEN-INDEX-INCREASES", turn=_ANSWERS)
async def token_index_counts_upwards(bench: ProviderBench, turn: Turn) -> None:
    chunks = (await _streamed(bench, turn)).chunks
    expect(all(map(_has_index, chunks)), "token_index is no int >= 0", found=[c.token_index for c in chunks])
    counted = [chunk.token_index for chunk in chunks if chunk.content and not chunk.done]
    rises = all(a < b for a, b in pairwise(counted))
    expect(rises, "token_index does not rise over the chunks with text", found=counted)
    last = [chunk.token_index for chunk in chunks if chunk.done]
    expect(not counted or all(index >= counted[-1] for index in last), "token_index falls at the end", found=last)


def _has_index(chunk: ChunkView) -> bool:
    index = chunk.token_index
    return isinstance(index, int) and not isinstance(index, bool) and index >= 0


@check("STR-EMPTY-ANSWER", turn=_WITHOUT_TEXT)
async def an_answer_without_text_has_no_text_and_ends(bench: ProviderBench, turn: Turn) -> None:
    streamed = await _streamed(bench, turn)
    expect(all(chunk.content == "" for chunk in streamed.chunks), "text came of nothing", text=streamed.text)
    done = [bool(chunk.done) for chunk in streamed.chunks]
    expect(done.count(True) == 1, "not exactly one chunk is done", done=done)


@check("STR-TEXT-BESIDE-CALLS", blocks=_BESIDE)
async def text_and_calls_of_one_answer_are_both_kept(bench: ProviderBench, blocks: list[Block]) -> None:
    turn = Turn.of(*(_numbered(block, at) for at, block in enumerate(blocks)))
    bench.play(turn)
    _expect_both(await bench.ask("complete"), turn, "complete")
    streamed = await bench.stream()
    expect_equal(streamed.text, turn.text, "the joined text of the chunks")
    _expect_both(streamed.answer, turn, "stream")


def _numbered(block: Block, number: int) -> Block:
    return replace(block, id=f"call-{number}") if isinstance(block, ToolCall) else block


def _expect_both(response: ResponseView, turn: Turn, way: str) -> None:
    expect_equal(response.content, turn.text, f"the content ({way})")
    expect_equal([c.name for c in response.calls], [c.name for c in turn.calls], f"the calls ({way})")
