"""The frames of the relay, one a line (document 51, section 2)."""

from __future__ import annotations

from typing import Literal

from agentports.ports.http import ProviderResult
from agentports.ports.http.shapes import Channel, Shape

__all__ = ["AbortFrame", "DeltaFrame", "ErrorFrame", "RelayFrame", "ResultFrame"]


class DeltaFrame(Shape):
    """A piece of the answer, or of the reasoning."""

    channel: Channel
    text: str


class ResultFrame(Shape):
    """The settled answer. Terminal."""

    channel: Literal["result"]
    result: ProviderResult


class AbortFrame(Shape):
    """The upstream call was cancelled; `partial` is how far it had come. Terminal."""

    channel: Literal["abort"]
    partial: ProviderResult


class ErrorFrame(Shape):
    """The upstream call failed. Terminal."""

    channel: Literal["error"]
    message: str


RelayFrame = DeltaFrame | ResultFrame | AbortFrame | ErrorFrame
