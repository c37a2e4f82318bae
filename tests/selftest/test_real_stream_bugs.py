"""Bugs of real clients of streams are like defects that the checks of providers over HTTP and relay clients catch."""

from __future__ import annotations

import pytest

from .reports import Report, missing

_CUT_CHARACTERS = {"HTTP-UTF8-SPLIT": ["http_encodings.DecodesEachChunk"]}
_CUT_LINES = {
    "HTTP-CHUNKING-INVARIANT": ["http_encodings.ChunksAreLines"],
    "RLP-FRAGMENTED": ["relay_reading.ChunksAreFrames"],
}
_HOLDS_ON = {
    "HTTP-RESPONSE-RELEASED": ["http_releases.KeepsTheResponse"],
    "RLP-EARLY-CLOSE": ["relay_ending.LeavesItOpen"],
}
_LATE = {"HTTP-DELTA-PROMPT": ["http_deltas.FillsABuffer"]}
_TRUNCATED = {
    "HTTP-STRICT-REQUIRES-RESULT": ["http_settling.NeverStrict"],
    "RLP-STRICT": ["relay_reading.TakesWhatHasCome"],
}

REPORTS = [
    Report(
        "BR-023",
        "open-interpreter",
        "of several calls one is read, and the others vanish",
        {"HTTP-TOOLS-ACCUMULATE": ["http_settling.LastToolsOnly", "http_from_reports.FirstCallOfARecord"]},
    ),
    Report("BR-030", "ollama-js", "characters that are cut are corrupted", _CUT_CHARACTERS),
    Report("BR-032", "aisix", "each piece is decoded by itself, and cut characters are lost", _CUT_CHARACTERS),
    Report(
        "BR-033",
        "braintrust sdk",
        "a first piece that ends within a character loses it, and a cut end is not told",
        {**_CUT_CHARACTERS, "HTTP-UTF8-TAIL": ["http_encodings.DropsTheHalf"]},
    ),
    Report("BR-034", "sseclient", "the state of the decoder is lost between two reads", _CUT_CHARACTERS),
    Report("BR-035", "litellm", "an upstream that is cut off reads as a proper end", _TRUNCATED),
    Report("BR-036", "vercel/ai", "the end of the input is an ordinary end of the answer", _TRUNCATED),
    Report("BR-041", "term-llm", "an end without the last event is accepted", _TRUNCATED),
    Report(
        "BR-042",
        "oh-my-pi",
        "a host that ends without a reason is taken for one that was cut off",
        {"HTTP-LENIENT-ASSEMBLES": ["http_settling.StrictUnlessTold"]},
    ),
    Report(
        "BR-044",
        "langchainjs",
        "running totals are added up",
        {"HTTP-USAGE-REPLACES": ["http_settling.SumsUsage"]},
    ),
    Report(
        "BR-045",
        "envoy ai-gateway",
        "counters are added up that were whole",
        {"HTTP-USAGE-REPLACES": ["http_settling.SumsUsage"]},
    ),
    Report(
        "BR-048",
        "pydantic-ai",
        "an answer that is taken step by step counts differently from one that is drained",
        {"HTTP-GENERATE-DRAINS": ["http_calls.AssemblesByItself", "http_from_reports.CountsOnceMore"]},
    ),
    Report(
        "BR-050",
        "swarms",
        "a last record that has usage alone is an empty piece of text",
        {"HTTP-DELTA-CHANNELS": ["http_deltas.ShowsEveryRecord"]},
    ),
    Report(
        "BR-077",
        "litellm",
        "what was cancelled before the first byte goes on",
        {"HTTP-ABORT-CONNECT": ["http_aborts.WaitsForTheAnswer"]},
    ),
    Report("BR-078", "litellm", "a stream that is left early keeps its connection", _HOLDS_ON),
    Report(
        "BR-079",
        "openai-agents-python",
        "a cancel discards what had come, and connections run out",
        {
            **_HOLDS_ON,
            "HTTP-ABORT-PARTIAL": ["http_aborts.EmptyPartial"],
            "RLP-LOCAL-ABORT": ["relay_ending.ForgetsWhatHasCome"],
        },
    ),
    Report(
        "BR-080",
        "strands",
        "a timeout before the first event leaves a task behind",
        {"HTTP-DEADLINE-CLEARED": ["http_deadlines.RunsOn"]},
    ),
    Report("BR-158", "dstack", "text is held until there are sixteen kilobytes of it", _LATE),
    Report("BR-159", "unity-gateway", "what does not fill a block is not passed on", _LATE),
    Report(
        "BR-162",
        "hermes-agent",
        "a line without end fills the memory",
        outside="an answer has no bound of its own; the deadline is the bound of a call",
    ),
    Report(
        "BR-167",
        "9router",
        "a last line without newline is dropped",
        {
            "HTTP-FINISH-AT-END": ["http_settling.DropsTheLastLine"],
            "RLP-UNTERMINATED-FINAL": ["relay_reading.DropsTheLastLine"],
        },
    ),
    Report("BR-168", "rig", "a line that is cut is read in halves", _CUT_LINES),
    Report("BR-170", "langchainjs", "chunks are taken to end where lines do", _CUT_LINES),
]


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.id)
def test_a_reported_bug_of_a_stream_stands_among_the_defects(report: Report) -> None:
    """It names rules, each with defects of theirs, or says why no rule of these ports speaks of it."""
    assert bool(report.caught) != bool(report.outside)
    assert not list(missing(report))
