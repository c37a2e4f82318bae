"""Readers of sizes that take other numbers, or the right ones in another way."""

from __future__ import annotations

import re
from typing import Any

from portproof_defects._classifiers import Exposing

from agentports.errors.sizes import Sizes, stated_sizes
from agentports.ports import ContextWindowExceededError, ProviderError
from agentports.providers import AnthropicMessagesProvider, OpenAIChatProvider
from portproof.selftest import defect


@defect("ERR-NUM-ANTHROPIC")
class TakesTheLargerForTheLimit(Exposing):
    """Sorts the two numbers, as if a prompt were always shorter than its limit."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        if limit is None or actual is None or "prompt is too long" not in text:
            return Sizes(limit, actual)
        return Sizes(max(limit, actual), min(limit, actual))


@defect("ERR-NUM-ANTHROPIC", wire="anthropic-messages")
class StatesNoSizes(AnthropicMessagesProvider):
    """Raises the typed error, its sizes in the message alone."""

    def http_error(self, *args: Any) -> ProviderError:
        error = super().http_error(*args)
        if isinstance(error, ContextWindowExceededError):
            error.limit_tokens = error.actual_tokens = None
        return error


@defect("ERR-NUM-SUM")
class ReportsTheInputAlone(Exposing):
    """Leaves the output out of what was asked for."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        found = re.search(r"context limit: (\d+)", text)
        return Sizes(limit, int(found[1]) if found and actual else actual)


@defect("ERR-NUM-SUM-PARTIAL")
class CountsAMissingOperandAsNought(Exposing):
    """Adds up what is there."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        found = re.search(r"context limit: ([\d,_]+) \+ ([\d,_]+)", text)
        if found and actual is None:
            actual = sum(int(number.replace(",", "").replace("_", "") or "0") for number in found.groups()) or None
        return Sizes(limit, actual)


@defect("ERR-NUM-GEMINI")
class TakesTheFirstNumberForTheLimit(Exposing):
    """Expects the limit in front, as another vendor has it."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        return Sizes(actual, limit) if "token count (" in text and limit and actual else Sizes(limit, actual)


@defect("ERR-NUM-GEMINI-HALF")
class ReadsBothOrNothing(Exposing):
    """Knows the sentence with both parentheses only."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        half = "input token count" in text and (limit is None or actual is None)
        return Sizes(None, None) if half else Sizes(limit, actual)


@defect("ERR-NUM-OPENAI")
class LosesAResultWithoutItsLimit(Exposing):
    """Looks for the result behind the limit alone."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        return Sizes(limit, None if limit is None and "resulted in" in text else actual)


@defect("ERR-NUM-OPENAI", wire="openai-chat")
class ReadsTheLimitAlone(OpenAIChatProvider):
    """States the limit and not what was sent."""

    def http_error(self, *args: Any) -> ProviderError:
        error = super().http_error(*args)
        if isinstance(error, ContextWindowExceededError):
            error.actual_tokens = None
        return error


@defect("ERR-NUM-GATEWAY")
class TakesTheStatusForATokenCount(Exposing):
    """Takes the first number of a gateway's message for the limit."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        found = re.search(r"\d+", text)
        return Sizes(int(found[0]) if found and "configured limit" in text else limit, actual)


@defect("ERR-NUM-LIMIT-OF")
class TheLastLimitWins(Exposing):
    """Takes whichever limit is written last."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        found = re.findall(r"(?:length is|limit of) (\d+) tokens\.", text)
        return Sizes(int(found[-1]) if found and actual is None else limit, actual)


@defect("ERR-NUM-ACTUAL-ALTERNATIVES")
class KnowsOneWordForTheActualSize(Exposing):
    """Knows what a message resulted in, and no other way to say it."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        return super().sizes_in(re.sub("requested|sent|submitted|provided", "wrote", text))


@defect("ERR-NUM-ACTUAL-ALTERNATIVES")
class TakesTheFirstThatIsWritten(Exposing):
    """Knows all wordings, and no order among them."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        found = re.search(r"(?:resulted in|requested about|requested|you sent|submitted|provided) (\d+) tokens", text)
        return Sizes(limit, int(found[1]) if found and limit is None else actual)


@defect("ERR-NUM-SPECIFIC-FIRST")
class TheGeneralLimitOverrides(Exposing):
    """Prefers the last wording for a limit to the sentence about the prompt."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        stray = re.search(r"limit of (\d+) tokens", text)
        return Sizes(int(stray[1]) if stray and "resulted" not in text else limit, actual)


@defect("ERR-NUM-SPECIFIC-FIRST")
class FillsThePairUp(Exposing):
    """Takes the half that a pair leaves out from elsewhere in the text."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        rest = stated_sizes(text.replace("exceeds the maximum number of tokens allowed", ""))
        return Sizes(limit, actual or rest.actual)
