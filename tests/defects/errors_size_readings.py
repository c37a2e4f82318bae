"""Readers of sizes that read numbers which are none, or not as they are written."""

from __future__ import annotations

import re
from typing import Any

from portproof_defects._classifiers import Exposing

from agentports.errors.sizes import Sizes
from agentports.ports import ContextWindowExceededError, ProviderError
from agentports.providers import GeminiProvider, OpenAIChatProvider
from portproof.selftest import defect


@defect("ERR-NUM-SEPARATORS")
class StopsAtTheComma(Exposing):
    """Reads 272 from 272,000."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        return super().sizes_in(re.sub(r"(?<=\d),\d+", "", text))


@defect("ERR-NUM-SEPARATORS")
class KnowsCommasOnly(Exposing):
    """Loses every number that is written as in a program."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        return super().sizes_in(re.sub(r"(?<=\d)_", " . ", text))


@defect("ERR-NUM-ABSENT")
class CountsNothingAsNought(Exposing):
    """States 0 where nothing was stated."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        return Sizes(limit or 0, actual or 0)


@defect("ERR-NUM-ABSENT", wire="gemini")
class KnowsTheUsualWindow(GeminiProvider):
    """States the window of most of the vendor's models where the vendor states none."""

    def http_error(self, *args: Any) -> ProviderError:
        error = super().http_error(*args)
        if isinstance(error, ContextWindowExceededError):
            error.limit_tokens = error.limit_tokens or 1_048_576
        return error


@defect("ERR-NUM-POSITIVE")
class ReadsNought(Exposing):
    """Takes a stated 0 for a limit of 0 tokens."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        limit, actual = super().sizes_in(text)
        return Sizes(
            0 if limit is None and re.search(r"(?:length is|limit of|allowed \(|>) 0\b", text) else limit, actual
        )


@defect("ERR-NUM-POSITIVE")
class ReadsAnyNumberOfDigits(Exposing):
    """Fails at a number that is too long to be read."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        _ = [int(digits) for digits in re.findall(r"\d+", text)]
        return super().sizes_in(text)


@defect("ERR-NUM-ASCII")
class ReadsEveryDigitOfUnicode(Exposing):
    """Knows what the digits of other scripts mean."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        return super().sizes_in(re.sub(r"\d", lambda digit: str(int(digit[0])), text))


@defect("ERR-NUM-INTEGER")
class StatesFloats(Exposing):
    """Keeps the numbers as floats."""

    @classmethod
    def sizes_in(cls, text: str) -> Any:
        return tuple(None if size is None else float(size) for size in super().sizes_in(text))


@defect("ERR-NUM-INTEGER", wire="openai-chat")
class StatesFloatsOnTheWire(OpenAIChatProvider):
    """Keeps the limit as a float."""

    def http_error(self, *args: Any) -> ProviderError:
        error = super().http_error(*args)
        if isinstance(error, ContextWindowExceededError) and error.limit_tokens is not None:
            error.limit_tokens = float(error.limit_tokens)  # type: ignore[assignment]
        return error
