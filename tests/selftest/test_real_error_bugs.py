"""Bugs of real clients in what they make of refusals and waits are like defects that the checks catch."""

from __future__ import annotations

import pytest

from .reports import Report, missing

REPORTS = [
    Report(
        "BR-001",
        "opencode",
        "a quota of tokens a day is taken for a full context",
        {
            "ERR-CTX-NOT-TOO-MANY-TOKENS": ["errors_others.TakesTooManyTokens"],
            "ERR-CTX-NOT-QUOTA": ["errors_others.TakesAnyInputTokenCount"],
        },
    ),
    Report(
        "BR-003",
        "litellm",
        "the sentence about a configured limit is not known",
        {
            "ERR-CTX-PHRASE-GATEWAY": ["errors_phrases.KnowsNoConfiguredLimit"],
            "ERR-NUM-GATEWAY": ["errors_sizes.TakesTheStatusForATokenCount"],
        },
    ),
    Report(
        "BR-004",
        "litellm",
        "the sentence about the input token count is known with its count only, and on one wire",
        {
            "ERR-CTX-PHRASE-GEMINI": ["errors_phrases.WantsTheCount"],
            "ERR-NUM-GEMINI-HALF": ["errors_sizes.ReadsBothOrNothing"],
            "ERR-CTX-ANY-WIRE": ["errors_more_phrases.KnowsItsOwnVendorOnly"],
        },
    ),
    Report(
        "BR-005",
        "litellm",
        "the sentences of some vendors are not known",
        outside="no rule names these sentences; one of them names no tokens, and may go either way (ERR-CTX-RECORDED)",
    ),
    Report(
        "BR-006",
        "litellm",
        "a server without capacity is taken for the caller's rate limit, for its text wins over its status",
        {"RES-RETRY-429-5XX-RETRIED": ["retry_policy.TakesSomeServerErrorsForFinal"]},
    ),
    Report(
        "BR-007",
        "openai-python",
        "a request that is larger than the tokens of a minute is worded as a rate limit",
        {"ERR-CTX-NOT-TPM-TOO-LARGE": ["errors_others.TakesInputBesideTokens"]},
    ),
    Report(
        "BR-008",
        "litellm",
        "the second sentence of a vendor is not known, nor an overflow within a stream",
        {
            "ERR-CTX-PHRASE-CONTEXT-LIMIT": ["errors_phrases.KnowsOneThatExceedsOnly"],
            "ERR-NUM-SUM": ["errors_sizes.ReportsTheInputAlone"],
            "ERR-STREAM-TRANSLATED": [
                "errors_bodies.TranslatesWholeAnswersOnly",
                "errors_bodies.TranslatesRefusalsOnly",
            ],
        },
    ),
    Report(
        "BR-011",
        "OmniRoute",
        "the name of a quota wins over the wait that the vendor states",
        {"ERR-RETRY-INFO": ["errors_waits.LooksAtHeadersOnly", "errors_waits.LooksAtTheFirstDetail"]},
    ),
    Report(
        "BR-013",
        "openai-node",
        "a stated wait is kept however long it is",
        {"RES-RETRY-STATED-WAIT-CAPPED": ["retry_schedule.CapsOnlyTheSchedule"]},
    ),
    Report(
        "BR-014",
        "openai-node",
        "a wait of 0 is taken for none, and the header with milliseconds for the lesser one",
        {
            "ERR-RETRY-AFTER-SECONDS": ["errors_waits.TakesNoWaitForNone"],
            "ERR-RETRY-AFTER-MS": ["errors_waits.PrefersSeconds"],
            "RES-RETRY-STATED-WAIT-REPORTED": ["retry_schedule.TakesZeroForAbsent"],
        },
    ),
    Report(
        "BR-015",
        "litellm",
        "a wait in the body is not read",
        {"ERR-RETRY-INFO": ["errors_waits.LooksAtHeadersOnly"]},
    ),
    Report(
        "BR-016",
        "jp",
        "a wait with a fraction is dropped, and one that is none raises",
        {
            "ERR-RETRY-INFO": ["errors_waits.TrustsTheDetails"],
            "RES-RETRY-STATED-WAIT-FLOOR": ["retry_schedule.KnowsWholeMillisecondsOnly"],
        },
    ),
    Report(
        "BR-018",
        "pi",
        "an outer retry does not keep the wait that the vendor stated",
        {"RES-RETRY-STATED-WAIT-FLOOR": ["retry_schedule.IgnoresStatedWaits"]},
    ),
    Report(
        "BR-019",
        "openhuman",
        "one wire drops the header before the retry sees it",
        {"ERR-RETRY-AFTER-SECONDS": ["errors_waits.WaitsForThrottlingOnly"]},
    ),
]


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.id)
def test_a_reported_bug_of_a_client_stands_among_the_defects(report: Report) -> None:
    """It names rules, each with defects of theirs, or says why no rule speaks of it."""
    assert bool(report.caught) != bool(report.outside)
    assert not list(missing(report))
