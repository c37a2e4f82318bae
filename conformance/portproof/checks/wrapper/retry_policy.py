"""What a retry wrapper tries again, by default and by a predicate."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentports.ports import ProviderError
from portproof.benches.wrapper import WrapperBench
from portproof.checks.registry import check
from portproof.checks.wrapper.aborts import abort_of
from portproof.checks.wrapper.retries import attempts_after, failures, retry, with_attributes
from portproof.running.outcome import expect_equal

_HOPELESS = (
    "ERR_CONTEXT_WINDOW_EXCEEDED",
    "ERR_UNSUPPORTED_TOOL_CHOICE",
    "ERR_UNSUPPORTED_NATIVE_OUTPUT",
    "ERR_UNSUPPORTED_THINKING",
)
_VendorFault = type("VendorFault", (Exception,), {})
_STRANGERS = (Exception, _VendorFault, ValueError, TypeError, KeyError, RuntimeError)


def _status(status: int) -> ProviderError:
    return ProviderError(f"failed with status {status}", status=status)


async def _expect_final(bench: WrapperBench, errors: list[Exception]) -> None:
    again = [error for error, attempts in (await attempts_after(bench, errors)).items() if attempts > 1]
    expect_equal(again, [], "the list of failures that were tried again")


async def _expect_retried(bench: WrapperBench, errors: list[Exception]) -> None:
    final = [error for error, attempts in (await attempts_after(bench, errors)).items() if attempts < 2]
    expect_equal(final, [], "the list of failures that were not tried again")


@check("RES-RETRY-4XX-NOT-RETRIED")
async def what_the_request_caused_is_final(bench: WrapperBench) -> None:
    await _expect_final(bench, [_status(status) for status in (400, 401, 403, 404, 413, 422)])


@check("RES-RETRY-OTHER-4XX")
async def every_4xx_but_429_is_final(bench: WrapperBench) -> None:
    await _expect_final(bench, [_status(status) for status in range(400, 500) if status != 429])


@check("RES-RETRY-429-5XX-RETRIED")
async def throttling_and_server_errors_are_tried_again(bench: WrapperBench) -> None:
    await _expect_retried(bench, [_status(status) for status in (429, *range(500, 600))])


@check("RES-RETRY-NO-STATUS-RETRIED")
async def transport_failures_are_tried_again(bench: WrapperBench) -> None:
    await _expect_retried(bench, [ConnectionError("reset"), TimeoutError("too late"), ProviderError("no answer")])


@check("RES-RETRY-UNKNOWN-RETRIED")
async def errors_without_a_numeric_status_are_tried_again(bench: WrapperBench) -> None:
    strangers = [
        *(stranger("odd") for stranger in _STRANGERS),
        *(with_attributes(status=s) for s in ("503", "400", None)),
    ]
    await _expect_retried(bench, strangers)


@check("RES-RETRY-STATUS-CODE-READ")
async def status_code_is_read_where_status_is_absent(bench: WrapperBench) -> None:
    await _expect_final(bench, [with_attributes(_VendorFault, status_code=404)])
    for status, reason in ((503, "http-5xx"), (429, "http-429")):
        run = await retry(bench, with_attributes(_VendorFault, status_code=status), bench.response(), max_attempts=2)
        expect_equal(run.attempts, 2, f"the number of inner calls after status_code={status}")
        for report in run.made("retried"):
            expect_equal(report.get("reason"), reason, f"the reason of a failure with status_code={status}")


@check("RES-RETRY-ABORT-NOT-RETRIED")
async def an_abort_is_final(bench: WrapperBench) -> None:
    forms = [abort_of(form) for form in ("AbortError", "a class named AbortError", "code ABORT_ERR")]
    await _expect_final(bench, [*forms, with_attributes(name="AbortError")])


@check("RES-RETRY-HOPELESS-NOT-RETRIED")
async def what_repetition_cannot_cure_is_final(bench: WrapperBench) -> None:
    await _expect_final(bench, [ProviderError("no", code=code) for code in _HOPELESS])


@check("RES-RETRY-PREDICATE-DECIDES", status=st.sampled_from([None, 400, 404, 409, 429, 500, 503]))
async def the_predicate_replaces_the_default(bench: WrapperBench, status: int | None) -> None:
    for again in (True, False):
        error = ProviderError("failed", status=status)
        run = await retry(
            bench, error, bench.response(), max_attempts=2, should_retry=lambda *_, again=again, **__: again
        )
        expect_equal(run.attempts, 2 if again else 1, f"the number of inner calls when should_retry answers {again}")


@check("RES-RETRY-PREDICATE-ARGUMENTS", failing=st.integers(1, 5), max_attempts=st.integers(1, 5))
async def the_predicate_gets_the_error_and_the_attempt_that_failed(
    bench: WrapperBench, failing: int, max_attempts: int
) -> None:
    asked: list[tuple[Any, Any]] = []

    def should_retry(error: Any = None, attempt: Any = None, *_: Any, **others: Any) -> bool:
        asked.append((error, attempt))
        return True

    errors = failures(failing)
    run = await retry(bench, *errors, bench.response(), max_attempts=max_attempts, should_retry=should_retry)
    most = max_attempts if bench.takes("max_attempts") else failing + 1 if run.outcome.error is None else run.attempts
    expected = [(error, number) for number, error in enumerate(errors, start=1) if number < most]
    expect_equal(asked, expected, "the error and the number that should_retry got, failure by failure")
