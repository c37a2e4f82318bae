"""Detectors that know the first vendors only, or match too strictly or too widely."""

from __future__ import annotations

import re
from typing import Any

from portproof_defects._classifiers import Eager, Exposing, Forgetful

from agentports.errors.sizes import Sizes
from agentports.ports import ProviderError
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("ERR-CTX-PHRASE-INPUT-WINDOW")
class KnowsNoWindow(Forgetful):
    """Knows how long a context is, and nothing of its window."""

    forgotten = "context window"


@defect("ERR-CTX-PHRASE-PROMPT-LIMIT")
class KnowsPlainNumbersOnly(Forgetful):
    """Reads the maximum prompt length only where no separator stands in it."""

    forgotten = r"maximum prompt length is \d+[,_]"


@defect("ERR-CTX-PHRASE-PROMPT-LIMIT", wire="openai-chat")
class KnowsNoCodeOfGateways(OpenAIChatProvider):
    """Does not know what one gateway says as the code."""

    def http_error(self, call: Any, response: Any, body: str) -> Any:
        return super().http_error(call, response, body.replace("model_max_prompt_tokens_exceeded", "invalid_request"))


@defect("ERR-CTX-PHRASE-VERTEX")
class WantsTheArticle(Forgetful):
    """Knows what the model supports, and not what "model" does."""

    forgotten = "but model only"


@defect("ERR-CTX-PHRASE-TOKEN-LIMIT")
class TakesThePromptForTheLimit(Exposing):
    """Takes the second number of a sentence for the limit."""

    @classmethod
    def sizes_in(cls, text: str) -> Sizes:
        sizes = super().sizes_in(text)
        return Sizes(sizes.actual, sizes.limit) if "requested" in text else sizes


@defect("ERR-CTX-PHRASE-LOCAL-RUNTIME")
class WantsTheContextInOrder(Forgetful):
    """Knows what a local runtime means to say, and not the order of words in which it says it."""

    forgotten = "context the overflows"


@defect("ERR-CTX-PHRASE-LOCAL-RUNTIME", wire="openai-chat")
class KnowsNoTypes(OpenAIChatProvider):
    """Does not look at the type of an error."""

    def http_error(self, call: Any, response: Any, body: str) -> Any:
        return super().http_error(call, response, re.sub('"type": "[^"]*"', '"type": null', body))


@defect("ERR-CTX-ANY-WIRE", wire="openai-chat")
class KnowsItsOwnVendorOnly(OpenAIChatProvider):
    """Recognises only what the vendor of its wire says."""

    def http_error(self, call: Any, response: Any, body: str) -> Any:
        if re.search("context.length|configured limit|maximum input tokens", body):
            return super().http_error(call, response, body)
        return ProviderError(f"[{self.name}] {body}", provider=self.name, status=response.status_code)


@defect("ERR-CTX-CASE")
class ReadsSmallLettersOnly(Exposing):
    """Searches for the phrases as they are written down."""

    @classmethod
    def says_overflow(cls, text: str) -> bool:
        return super().says_overflow(re.sub("[A-Z]", "#", text))


@defect("ERR-CTX-CASE")
class ReadsSentencesAndShoutingOnly(Exposing):
    """Knows each sentence in small letters, with a capital in front, and in capitals."""

    @classmethod
    def says_overflow(cls, text: str) -> bool:
        return super().says_overflow(text if text.isupper() else re.sub("(?<=[a-z])[A-Z]", "#", text))


@defect("ERR-CTX-GEMINI-GAP")
class JoinsAcrossAnything(Eager):
    """Joins the halves of the sentence over whatever stands between."""

    taken = "input token count.*exceeds the maximum number of tokens allowed"


@defect("ERR-CTX-GEMINI-GAP")
class JoinsTwoSentences(Eager):
    """Joins the halves of the sentence over the end of another one."""

    taken = "input token count.{0,80}exceeds the maximum number of tokens allowed"


@defect("ERR-CTX-GEMINI-GAP")
class WantsAShortGap(Forgetful):
    """Gives up before the gap is as long as it may be."""

    forgotten = r"input token count[^.]{73,80}exceeds"
