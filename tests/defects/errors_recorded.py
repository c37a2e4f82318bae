"""Classifiers that are right about their author's examples only."""

from __future__ import annotations

import json
from typing import Any

from portproof_defects._classifiers import Exposing

from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect


@defect("ERR-CTX-RECORDED")
class TakesALargeOutputCapForAnOverflow(Exposing):
    """Knows a phrase that also matches 'max_tokens is too large'."""

    @classmethod
    def says_overflow(cls, text: str) -> bool:
        return super().says_overflow(text) or "tokens is too large" in text


@defect("WIRE-REAL-ERRORS-CLASSIFIED", wire="openai-chat")
class KnowsTheDocumentedErrorBodyOnly(OpenAIChatProvider):
    """Reads the message inside `error` and looks at nothing else that a server says."""

    def http_error(self, call: Any, response: Any, body: str) -> Any:
        try:
            error = json.loads(body)["error"]
            said = {"message": error["message"], "type": error.get("type"), "code": error.get("code")}
        except (ValueError, LookupError, TypeError, AttributeError):
            said = {}
        return super().http_error(call, response, json.dumps({"error": said}))
