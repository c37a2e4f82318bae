"""Bugs of real streaming relays are like defects that the checks of relay servers catch."""

from __future__ import annotations

import pytest

from .reports import Report, missing

_CUT_CHARACTERS = {"RLY-BODY-INVALID-UTF8": ["relay_from_reports.DecodesEachPiece"]}
_TELLS = {"RLY-ERROR-FIXED": ["relay_failures.TellsTheFailure"]}
_LENGTH_ONLY = {"RLY-LIMIT-RECEIVED": ["relay_bodies.BelievesTheLength"]}

REPORTS = [
    Report(
        "BR-025",
        "bifrost",
        "the names of tools are put together again and again",
        {"RLY-RESULT-FRAME": ["relay_from_reports.DoublesToolNames"]},
    ),
    Report("BR-032", "aisix", "each piece is decoded by itself, and cut characters are lost", _CUT_CHARACTERS),
    Report("BR-033", "braintrust sdk", "a first piece that ends within a character loses it", _CUT_CHARACTERS),
    Report(
        "BR-035",
        "litellm",
        "an upstream that is cut off reads as a proper end",
        {"RLY-NO-RESULT": ["relay_server_frames.JustEnds", "relay_server_frames.PutsAResultTogether"]},
    ),
    Report(
        "BR-045",
        "envoy ai-gateway",
        "counters are added up that were whole",
        {"RLY-RESULT-FRAME": ["relay_from_reports.AddsTheUsageUp"]},
    ),
    Report(
        "BR-053",
        "litellm",
        "reasoning without text is dropped as empty",
        {
            "RLY-FRAMES-IN-ORDER": ["relay_server_frames.DropsEmptyDeltas"],
            "RLY-RESULT-FRAME": ["relay_server_frames.LeavesOutEmptyMembers"],
        },
    ),
    Report("BR-055", "bifrost", "redacted reasoning is lost", outside="no frame holds opaque blocks of a vendor"),
    Report(
        "BR-065",
        "litellm",
        "a system message within the conversation is dropped in silence",
        {"RLY-CALL-ONCE": ["relay_from_reports.DropsLaterSystemMessages"]},
    ),
    Report(
        "BR-077",
        "litellm",
        "a client that goes before the first byte stops nothing",
        {"RLY-DISCONNECT-ABORTS": ["relay_disconnects.NoticesAtTheNextWrite", "relay_disconnects.NeverLooks"]},
    ),
    Report("BR-089", "litellm", "a fallback begins the answer twice", outside="an answer has no frame that begins it"),
    Report("BR-145", "litellm", "a cache's key follows the order of members", outside="a relay keeps no answers"),
    Report("BR-152", "litellm", "the key in an address is in the text of the failure", _TELLS),
    Report(
        "BR-153",
        "nyro",
        "a connection that fails is a 502 with address and key",
        {"RLY-UPSTREAM-CONSTRUCT": ["relay_refusals.TellsWhyThereIsNoCall"], **_TELLS},
    ),
    Report(
        "BR-155",
        "open-webui",
        "the text of internal failures is in answers",
        {
            "RLY-REFUSAL-EMPTY": ["relay_refusals.ExplainsItself"],
            "RLY-AUTH-THROWS": ["relay_authorization.SaysWhyTheHookFailed"],
            "RLY-BODY-READ-FAILURE": ["relay_bodies.LetsReadFailuresOut"],
        },
    ),
    Report("BR-156", "openclaw", "the vendor's words and ids reach the user", _TELLS),
    Report(
        "BR-158",
        "dstack",
        "the answer is held until there are sixteen kilobytes of it, headers included",
        {
            "RLY-STREAMS-LIVE": ["relay_from_reports.WritesFullBlocks", "relay_refusals.JoinsFrames"],
            "RLY-HEADERS-EARLY": ["relay_refusals.BeginsWithTheFirstFrame"],
        },
    ),
    Report(
        "BR-159",
        "unity-gateway",
        "what does not fill a block is not passed on",
        {"RLY-STREAMS-LIVE": ["relay_from_reports.WritesFullBlocks", "relay_refusals.IsOneFrameBehind"]},
    ),
    Report(
        "BR-160",
        "litellm",
        "no header keeps what stands between from storing the answer",
        {"RLY-NO-STORE": ["relay_lines.SaysNothingToCaches"]},
    ),
    Report("BR-162", "hermes-agent", "a line without end fills the memory", outside="the provider reads lines"),
    Report("BR-163", "headroom", "only content-length is compared with the limit", _LENGTH_ONLY),
    Report(
        "BR-164",
        "AI-dev-assistant",
        "a chunked body fills the memory",
        {"RLY-LIMIT-STOPS": ["relay_bodies.MeasuresTheWhole"], **_LENGTH_ONLY},
    ),
    Report("BR-165", "h3", "a content-length that says too little is believed", _LENGTH_ONLY),
    Report("BR-167", "9router", "a last line without newline is dropped", outside="the provider reads lines"),
    Report(
        "BR-171",
        "thingifier",
        "the last line has no newline",
        {"RLY-LINE-FORMAT": ["relay_lines.EndsWithoutANewline"]},
    ),
]


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.id)
def test_a_reported_bug_of_a_relay_stands_among_the_defects(report: Report) -> None:
    """It names rules, each with defects of theirs, or says why no rule of relay servers speaks of it."""
    assert bool(report.caught) != bool(report.outside)
    assert not list(missing(report))
