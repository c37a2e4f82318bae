"""Errors of an overflow that say too little, to programs or to people."""

from __future__ import annotations

import re
from typing import Any

from agentports.ports import ContextWindowExceededError, ProviderError
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect

from ._classifiers import Exposing


class Rewording(OpenAIChatProvider):
    """Words its overflows anew. Override `reworded`."""

    def http_error(self, call: Any, response: Any, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        if isinstance(error, ContextWindowExceededError):
            error.args = (self.reworded(str(error), error),)
        return error

    def reworded(self, message: str, error: ContextWindowExceededError) -> str:
        return message


class Marking(OpenAIChatProvider):
    """States an attribute of its overflows otherwise. Override `mark`."""

    def http_error(self, call: Any, response: Any, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        if isinstance(error, ContextWindowExceededError):
            self.mark(error)
        return error

    def mark(self, error: ContextWindowExceededError) -> None:
        raise NotImplementedError


@defect("ERR-CODE-STABLE", wire="openai-chat")
class KeepsTheVendorsCode(Marking):
    """Lets the vendor's own code stand on the typed error."""

    def mark(self, error: ContextWindowExceededError) -> None:
        error.code = "context_length_exceeded"


@defect("ERR-CODE-STABLE", wire="openai-chat")
class StatesNoCode(Marking):
    """Relies on the class alone."""

    def mark(self, error: ContextWindowExceededError) -> None:
        error.code = None


@defect("ERR-PROVIDER-NAMED", wire="openai-chat")
class NamesNoProvider(Marking):
    """Leaves the attribute empty."""

    def mark(self, error: ContextWindowExceededError) -> None:
        error.provider = ""


@defect("ERR-PROVIDER-NAMED", wire="openai-chat")
class NamesNoProviderInTheMessage(Rewording):
    """Names the adapter for programs only."""

    def reworded(self, message: str, error: ContextWindowExceededError) -> str:
        return message.replace(f"[{error.provider}] ", "")


@defect("ERR-PROVIDER-NAMED")
class NamesItselfWhoeverRefused(Exposing):
    """Its classifier names one provider, whatever it is told."""

    @classmethod
    def as_context_window_exceeded(cls, err: Any, *, provider: str, **stated: Any) -> Any:
        return super().as_context_window_exceeded(err, provider="gateway", **stated)


@defect("ERR-CAUSE-KEPT", wire="openai-chat")
class DropsTheClientsException(OpenAIChatProvider):
    """Has a client's exception with the vendor's words at hand, and raises from None."""

    def http_error(self, call: Any, response: Any, body: str) -> ProviderError:
        error = super().http_error(call, response, body)
        try:
            raise RuntimeError(f"HTTP {response.status_code}: {body}")
        except RuntimeError:
            try:
                raise error from None
            except ProviderError as raised:
                return raised


@defect("ERR-CAUSE-KEPT")
class LosesWhatItTranslates(Exposing):
    """Its classifier forgets the exception that it was given."""

    @classmethod
    def as_context_window_exceeded(cls, err: Any, **stated: Any) -> Any:
        error = super().as_context_window_exceeded(err, **stated)
        if error is not None and error is not err:
            error.cause = error.__cause__ = None
        return error


@defect("ERR-MSG-SIZES", wire="openai-chat")
class StatesSizesThatItDoesNotKnow(Rewording):
    """Formats an absent size."""

    def reworded(self, message: str, error: ContextWindowExceededError) -> str:
        sizes = f": {error.actual_tokens} tokens sent against a limit of {error.limit_tokens} tokens. "
        return re.sub(r"window.*?\. (?=The vendor refused)", lambda _: f"window{sizes}", message)


@defect("ERR-MSG-SIZES", wire="openai-chat")
class WritesDigitsInARow(Rewording):
    """Groups no thousands."""

    def reworded(self, message: str, error: ContextWindowExceededError) -> str:
        return re.sub(r"(?<=\d),(?=\d{3})", "", message)


@defect("ERR-MSG-SIZES", wire="openai-chat")
class StatesTheLimitOnly(Rewording):
    """Keeps the actual size from the reader."""

    def reworded(self, message: str, error: ContextWindowExceededError) -> str:
        return re.sub(r"[\d,]+ tokens sent(?: against)?", "too much was sent,", message, count=1)


@defect("ERR-MSG-NOT-RETRY", wire="openai-chat")
class SaysWhatTheVendorSaidOnly(Rewording):
    """Has no words of its own."""

    def reworded(self, message: str, error: ContextWindowExceededError) -> str:
        return f"[{error.provider}] {message.partition('The vendor said: ')[2]}"


@defect("ERR-MSG-NOT-RETRY", wire="openai-chat")
class SaysNothingOfARetry(Rewording):
    """Says that nothing was generated, and no more."""

    def reworded(self, message: str, error: ContextWindowExceededError) -> str:
        return message.replace("; sending the same conversation again fails in the same way", "")


@defect("ERR-MSG-FIXES", wire="openai-chat")
class ThinksOfCompactionFirst(Rewording):
    """Lists the remedy that may fail in front."""

    def reworded(self, message: str, error: ContextWindowExceededError) -> str:
        return re.sub(r"1\. (.*?); 2\. (.*?); 3\. (.*?)\. The vendor", r"1. \3; 2. \1; 3. \2. The vendor", message)


@defect("ERR-MSG-FIXES", wire="openai-chat")
class DoesNotWarnOfCompaction(Rewording):
    """Lists compaction as if it always worked."""

    def reworded(self, message: str, error: ContextWindowExceededError) -> str:
        return re.sub(r"3\. compaction,.*?span\.", "3. compaction.", message)


@defect("ERR-MSG-PROVIDER-SAID", wire="openai-chat")
class KeepsTheVendorsWordsToItself(Rewording):
    """Says everything but what the vendor said."""

    def reworded(self, message: str, error: ContextWindowExceededError) -> str:
        return message.partition(" The vendor said: ")[0]


@defect("ERR-MSG-PROVIDER-SAID", wire="openai-chat")
class QuotesThePhraseOnly(Rewording):
    """Quotes what it recognised and drops what stands around it."""

    def reworded(self, message: str, error: ContextWindowExceededError) -> str:
        return message.partition(" The vendor said: ")[0] + " The vendor said: maximum context length"
