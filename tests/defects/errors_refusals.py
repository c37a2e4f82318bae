"""Adapters that refuse without a subject."""

from __future__ import annotations

from typing import Any

from agentports.ports import UnsupportedError, UnsupportedNativeOutputError
from portproof.selftest import defect

from ._adapters import PerModel


class Refusing(PerModel):
    """Words its refusals anew. Override `reworded`."""

    def refuse(self, request: Any) -> None:
        try:
            super().refuse(request)
        except UnsupportedError as error:
            error.args = (self.reworded(str(error), error),)
            raise

    def reworded(self, message: str, error: UnsupportedError) -> str:
        raise NotImplementedError


@defect("ERR-UNSUPPORTED-NAMES", wire="openai-chat")
class NamesNothing(Refusing):
    """Says what is not supported, and not by whom."""

    def reworded(self, message: str, error: UnsupportedError) -> str:
        return f"{error.WHAT} is not supported"


@defect("ERR-UNSUPPORTED-NAMES", wire="openai-chat")
class NamesTheProviderOnly(Refusing):
    """Lets the caller guess which model it was."""

    def reworded(self, message: str, error: UnsupportedError) -> str:
        return message.replace(repr(error.model), "this one")


@defect("ERR-UNSUPPORTED-NAMES", wire="openai-chat")
class NamesTheModelOnly(Refusing):
    """Does not name itself where an output format is refused."""

    def reworded(self, message: str, error: UnsupportedError) -> str:
        is_format = isinstance(error, UnsupportedNativeOutputError)
        return message.removeprefix(f"{self.name}: ") if is_format else message
