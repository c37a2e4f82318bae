"""Bugs of real sandboxes are like defects that the checks catch."""

from __future__ import annotations

import pytest

from .reports import Report, missing

REPORTS = [
    Report(
        "BR-101",
        "hermes-agent",
        "long output is cut, and only a text within it says so",
        {
            "CODE-TRUNC-STATED": ["code_truncation.CutsInSilence"],
            "CODE-TRUNC-OF-CHARS": ["code_truncation.CountsWhatIsLeft"],
            "CODE-TRUNC-PREFIX": ["code_truncation.MarksTheCutInTheData"],
        },
    ),
    Report(
        "BR-102",
        "autogen",
        "what was printed before a timeout is dropped",
        outside="a timeout is an exception, which need not hold output",
    ),
    Report(
        "BR-103",
        "sim",
        "the limit of the output is not kept where the code ends well",
        {"CODE-TRUNC-STATED": ["code_from_reports.IgnoresTheLimit"]},
    ),
    Report(
        "BR-104",
        "yutori sdk",
        "the exit status is cut off with the output",
        {"CODE-OK-MEANS-ZERO": ["code_from_reports.LosesTheStatusOfLongOutput"]},
    ),
    Report(
        "BR-105",
        "mini-swe-agent",
        "only the shell is killed at a timeout, and its child runs on",
        {"CODE-TIMEOUT-KILLS-CHILDREN": ["code_timeouts.KillsTheDirectChildOnly"]},
    ),
    Report(
        "BR-107",
        "smolagents",
        "an execute beyond its limit returns when the code ends, if ever",
        {"CODE-TIMEOUT-PER-CALL": ["code_timeouts.IgnoresTheCallsTimeout"]},
    ),
    Report(
        "BR-108",
        "smolagents",
        "code that timed out goes on, and its late writes are seen by the next call",
        {
            "CODE-TIMEOUT-KILLS": ["code_timeouts.GivesUpWaiting"],
            "CODE-USABLE-AFTER-FAILURE": ["code_timeouts.ReturnsWhatAKilledCallLeft"],
        },
    ),
    Report(
        "BR-109",
        "codex",
        "the timeout does not end a call whose code has started children",
        {"CODE-TIMEOUT-KILLS-CHILDREN": ["code_timeouts.KillsTheDirectChildOnly"]},
    ),
    Report(
        "BR-110",
        "jupyter-kernel-client",
        "after the limit the client polls for ever and does not raise",
        {"CODE-TIMEOUT-PER-CALL": ["code_timeouts.IgnoresTheCallsTimeout"]},
    ),
    Report(
        "BR-111",
        "nbgrader",
        "a dead kernel is taken for success",
        {
            "CODE-CRASH-IS-RESULT": ["code_from_reports.TakesACrashForSuccess"],
            "CODE-TIMEOUT-RAISES": ["code_timeouts.ReturnsAnEmptyResultAtTheLimit"],
        },
    ),
    Report(
        "BR-113",
        "NeMo Gym",
        "a second stop fails, for the session is not found",
        {
            "CODE-STOP-IDEMPOTENT": ["code_lifetime.KnowsNoStoppedSession"],
            "CODE-STOP-ALREADY-GONE": ["code_services.RaisesWhenThereIsNothingToStop"],
        },
    ),
    Report(
        "BR-114",
        "cloudflare sandbox-sdk",
        "code that exits takes the session along",
        {"CODE-USABLE-AFTER-FAILURE": ["code_from_reports.IsDeadAfterAnExit"]},
    ),
    Report(
        "BR-116",
        "openkruise agents",
        "a session that is gone raises another error than not found",
        {"CODE-STOP-ALREADY-GONE": ["code_services.RaisesWhenThereIsNothingToStop"]},
    ),
    Report(
        "BR-117",
        "rakazo",
        "the handle of an expired session is kept and handed out for ever",
        outside="who keeps sessions by key is the tool, not the runner",
    ),
    Report(
        "BR-118",
        "adk-js",
        "a stop that failed is forgotten, and the next one does nothing",
        {
            "CODE-STOP-OTHER-ERRORS": [
                "code_from_reports.ForgetsTheSessionBeforeItIsGone",
                "code_services.SwallowsEveryFailureOfStop",
            ]
        },
    ),
    Report(
        "BR-120",
        "Cogtrix",
        "users without a session id share one interpreter",
        {"CODE-KEY-ISOLATES": ["code_from_reports.HasOneInterpreter"]},
    ),
    Report(
        "BR-121",
        "wisp-science",
        "sessions of one project share a kernel and a folder",
        {
            "CODE-KEY-ISOLATES": ["code_from_reports.HasOneInterpreter", "code_isolation.HasOneManifest"],
            "CODE-KEY-NOT-WIDENED": ["code_isolation.CutsKeys"],
        },
    ),
    Report(
        "BR-122",
        "LibreChat agents",
        "users without a header share the session of nobody",
        outside="the caller derives the key, and the tool refuses to run without one",
    ),
    Report(
        "BR-123",
        "mem0 openclaw",
        "the current session is a variable of the module, which concurrent agents overwrite",
        {
            "CODE-KEY-ISOLATES": ["code_from_reports.KeepsTheCurrentSession"],
            "CODE-CONCURRENT-CALLS": ["code_lifetime.HasOneBufferASession"],
        },
    ),
]


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.id)
def test_a_reported_bug_of_a_sandbox_stands_among_the_defects(report: Report) -> None:
    """It names rules, each with defects of theirs, or says why no rule speaks of it."""
    assert bool(report.caught) != bool(report.outside)
    assert not list(missing(report))
