"""Detectors that know some vendors' sentences and not others'."""

from __future__ import annotations

import json
from typing import Any

from portproof_defects._classifiers import Exposing, Forgetful

from agentports.errors.bodies import read_error_body
from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("ERR-CTX-PHRASE-CODE")
class KnowsSentencesOnly(Forgetful):
    """Knows what vendors say, and not the code that some say alone."""

    forgotten = "context_length_exceeded"


@defect("ERR-CTX-PHRASE-CODE", wire="openai-chat")
@defect("ERR-CTX-CODE-FIELD-ALONE", wire="openai-chat")
class SearchesTheMessageOnly(OpenAIChatProvider):
    """Reads the sentence of an error body, and leaves its code out of account."""

    def http_error(self, call: Any, response: Any, body: str) -> Any:
        message = read_error_body(body).message or "refused"
        return super().http_error(call, response, json.dumps({"error": {"message": message}}))


@defect("ERR-CTX-CODE-FIELD-ALONE")
class ReadsTheMessageOnly(Exposing):
    """Searches the message of an exception, and none of its fields."""

    @classmethod
    def text_of(cls, err: Any, body_text: str | None) -> str:
        return f"{body_text or ''} {err}" if isinstance(err, Exception) else super().text_of(err, body_text)


@defect("ERR-CTX-PHRASE-MAX-LENGTH")
class KnowsTheCodeOnly(Forgetful):
    """Takes the sentence about the maximum context length for some other refusal."""

    forgotten = "maximum context length"


@defect("ERR-CTX-PHRASE-PROMPT-TOO-LONG")
class KnowsLongPromptsWithTheirSizesOnly(Forgetful):
    """Takes a prompt that is too long for an overflow only where its size is stated."""

    forgotten = r"prompt is too long(?!: [\d,_]+ tokens?)"


@defect("ERR-CTX-PHRASE-CONTEXT-LIMIT")
class KnowsOneThatExceedsOnly(Forgetful):
    """Knows the verb in the singular only."""

    forgotten = "exceed context limit"


@defect("ERR-CTX-PHRASE-BEDROCK")
class KnowsAWholeSentenceOnly(Forgetful):
    """Wants the verb in the sentence that an input is too long."""

    forgotten = "input too long"


@defect("ERR-CTX-PHRASE-GATEWAY")
class KnowsNoConfiguredLimit(Forgetful):
    """Knows the limits of vendors, and not those of a gateway."""

    forgotten = "configured limit"


@defect("ERR-CTX-PHRASE-MAX-INPUT-TOKENS")
class KnowsSomeOfTheMaximaOnly(Forgetful):
    """Knows the maximum with `allowed` and with `number of`, and not with both."""

    forgotten = "allowed number of input"


@defect("ERR-CTX-PHRASE-GEMINI")
class WantsTheCount(Forgetful):
    """Knows the sentence about the input token count only where the count stands in brackets."""

    forgotten = r"token count exceeds"
