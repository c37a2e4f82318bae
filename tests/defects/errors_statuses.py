"""Classifiers that take the status of an overflow from elsewhere, or lose it."""

from __future__ import annotations

import re
from typing import Any

from portproof_defects._classifiers import Exposing

from agentports.errors.reading import field, nodes_of, searched_text, status_of
from agentports.ports import ContextWindowExceededError, ProviderError
from agentports.providers import AnthropicMessagesProvider
from portproof.selftest import defect


@defect("ERR-STATUS-KEPT", wire="anthropic-messages")
class DropsTheStatus(AnthropicMessagesProvider):
    """Translates an overflow without its status."""

    def http_error(self, *args: Any) -> ProviderError:
        error = super().http_error(*args)
        if isinstance(error, ContextWindowExceededError):
            error.status = None
        return error


@defect("ERR-STATUS-KEPT", wire="anthropic-messages")
class TakesEveryOverflowFor400(AnthropicMessagesProvider):
    """Says 400, as the vendor mostly does, whatever it said."""

    def http_error(self, *args: Any) -> ProviderError:
        error = super().http_error(*args)
        if isinstance(error, ContextWindowExceededError):
            error.status = 400
        return error


@defect("ERR-STATUS-ORDER")
class TheAdapterOverrides(Exposing):
    """Takes the adapter's word before the client's."""

    @classmethod
    def status(cls, err: Any, stated: int | None) -> int | None:
        return super().status(err, stated) if stated is None else stated


@defect("ERR-STATUS-ORDER")
class KnowsNoMetadata(Exposing):
    """Knows the statuses of one client and not of the other."""

    @classmethod
    def status(cls, err: Any, stated: int | None) -> int | None:
        response = getattr(err, "response", None)
        if not isinstance(response, dict) or "ResponseMetadata" not in response:
            return super().status(err, stated)
        return field(err, "status") or field(err, "status_code") or stated


@defect("ERR-STATUS-NUMERIC")
class TakesTrueForANumber(Exposing):
    """Accepts whatever is an int in Python."""

    @classmethod
    def status(cls, err: Any, stated: int | None) -> int | None:
        own = field(err, "status_code")
        return int(own) if isinstance(own, bool) else super().status(err, stated)


@defect("ERR-STATUS-NUMERIC")
class AcceptsAStatusAsText(Exposing):
    """Passes on a status that is a text."""

    @classmethod
    def status(cls, err: Any, stated: int | None) -> Any:
        own = field(err, "status")
        return own if isinstance(own, str) else super().status(err, stated)


@defect("ERR-STATUS-LEADING")
class TakesAnyThreeDigits(Exposing):
    """Takes a number of three digits anywhere in the message for the status."""

    @classmethod
    def status(cls, err: Any, stated: int | None) -> int | None:
        found = re.search(r"(?<!\d)\d{3}(?!\d)", str(err))
        return super().status(err, stated) or (int(found[0]) if found else None)


@defect("ERR-STATUS-LEADING")
class ReadsTheFirstDigits(Exposing):
    """Takes the first three digits of a longer number."""

    @classmethod
    def status(cls, err: Any, stated: int | None) -> int | None:
        found = re.match(r"\s*(4\d\d)", str(err))
        return super().status(err, stated) or (int(found[1]) if found else None)


@defect("ERR-STATUS-ABSENT")
class TakesAnOverflowFor400(Exposing):
    """Says 400 where nothing was said."""

    @classmethod
    def status(cls, err: Any, stated: int | None) -> int | None:
        return super().status(err, stated) or (None if getattr(err, "error", None) else 400)


@defect("ERR-STATUS-TOP-LEVEL")
class TakesTheStatusOfAnyError(Exposing):
    """Looks for a status in every error of the chain."""

    @classmethod
    def status(cls, err: Any, stated: int | None) -> int | None:
        found = (status_of(node, stated) for node in nodes_of(err))
        return next((status for status in found if status is not None), None)


@defect("ERR-STATUS-TOP-LEVEL")
class ReadsTheStatusInTheSearchedText(Exposing):
    """Looks for an opening number in each text of the chain."""

    @classmethod
    def status(cls, err: Any, stated: int | None) -> int | None:
        found = re.search(r"• (4\d\d)\b", searched_text(err))
        return super().status(err, stated) or (int(found[1]) if found else None)
