"""Detectors that take something else for an overflow."""

from __future__ import annotations

from typing import Any

import httpx
from portproof_defects._classifiers import Eager, Exposing

from agentports.errors.overflow import overflow
from agentports.ports import ProviderError
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


class TakesStatuses(OpenAIChatProvider):
    """Takes every answer of some statuses for an overflow, whatever it says."""

    statuses: tuple[int, ...] = ()

    def http_error(self, call: Any, response: httpx.Response, body: str) -> ProviderError:
        if response.status_code not in self.statuses:
            return super().http_error(call, response, body)
        return overflow(body, provider=self.name, said=body, status=response.status_code)


@defect("ERR-CTX-NOT-RATE-LIMIT")
class TakesTokensNearALimit(Eager):
    """Takes tokens beside a limit that was reached for an overflow."""

    taken = "limit reached .{0,40}tokens"


@defect("ERR-CTX-NOT-RATE-LIMIT", wire="openai-chat")
class TakesARateLimitForAnOverflow(TakesStatuses):
    """Takes every answer of status 429 for an overflow."""

    statuses = (429,)


@defect("ERR-CTX-NOT-TPM-TOO-LARGE")
class TakesInputBesideTokens(Eager):
    """Takes the input and its tokens, in one sentence, for an overflow."""

    taken = r"input[^.]{0,40}tokens must be reduced"


@defect("ERR-CTX-NOT-TOO-MANY-TOKENS")
class TakesTooManyTokens(Eager):
    """Takes too many tokens for an overflow."""

    taken = "too many tokens"


@defect("ERR-CTX-NOT-MAX-TOKENS-PARAM")
class TakesTheMaximumForAModel(Eager):
    """Takes the maximum of one parameter for the context window."""

    taken = "maximum for this model"


@defect("ERR-CTX-NOT-MAX-TOKENS-PARAM")
class TakesTheLimitOfAModel(Eager):
    """Takes the limit of a model for the context window, whatever it limits."""

    taken = "exceeds the model limit"


@defect("ERR-CTX-NOT-MAX-TOKENS-PARAM")
class TakesWhatWasProvided(Eager):
    """Takes a number that was provided for the size of the prompt."""

    taken = r"you provided \d"


@defect("ERR-CTX-NOT-MAX-TOKENS-PARAM")
class TakesAnyContextWindow(Eager):
    """Takes whatever speaks of the context window for an overflow of it."""

    taken = "context[_ ]window"


@defect("ERR-CTX-NOT-OUTPUT-CAP")
class TakesTheOutputForTheInput(Eager):
    """Lets any word stand before the tokens of which there were too many."""

    taken = r"maximum (?:allowed )?(?:number of )?\w+ tokens"


@defect("ERR-CTX-NOT-SIDE-UNNAMED")
class GuessesTheSide(Eager):
    """Takes tokens of no side for those of the input."""

    taken = "exceeds? the maximum (?:allowed )?(?:number of )?tokens"


@defect("ERR-CTX-NOT-QUOTA")
class TakesAnyInputTokenCount(Eager):
    """Takes the input token count for an overflow, whatever is said of it."""

    taken = "input token count"


@defect("ERR-CTX-NOT-OTHER", wire="openai-chat")
class TakesEveryBadRequest(TakesStatuses):
    """Takes every answer of status 400 for an overflow."""

    statuses = (400,)


@defect("ERR-CTX-NOT-OTHER", wire="openai-chat")
class TakesALostConnection(OpenAIChatProvider):
    """Takes a vendor that hangs up for one that was sent too much."""

    def transport_error(self, call: Any, exc: Exception) -> ProviderError:
        return overflow("", provider=self.name, said=str(exc), cause=exc)


@defect("ERR-CTX-NOT-OTHER")
class TakesBytesForTokens(Eager):
    """Takes a number that is greater than another for the size of the prompt, whatever was counted."""

    taken = r": [0-9]+ \w+ > [0-9]+"


@defect("ERR-CTX-STATUS-ALONE", wire="openai-chat")
class TakesEveryRequestTooLarge(TakesStatuses):
    """Takes every answer of status 413 for an overflow."""

    statuses = (413,)


@defect("ERR-CTX-STATUS-ALONE", wire="openai-chat")
class GuessesWhereNothingIsSaid(OpenAIChatProvider):
    """Takes a refusal without a word for an overflow."""

    def http_error(self, call: Any, response: httpx.Response, body: str) -> ProviderError:
        return super().http_error(call, response, body or "context_length_exceeded")


@defect("ERR-CTX-EMPTY-VALUE")
class WantsAnException(Exposing):
    """Trusts that whatever it is given has what an exception has."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        return " ".join([body_text or "", *map(str, err.args)])
