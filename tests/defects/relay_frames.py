"""Relay providers, and contracts of their wire, that take what is no frame."""

from __future__ import annotations

from typing import Any

from agentports.ports.http import ProviderIncrement
from agentports.relay import (
    RelayProvider,
    message_contract,
    provider_result_contract,
    relay_frame_contract,
)
from portproof.selftest import defect

_CHANNELS = {"content": "text", "thinking": "text", "result": "result", "abort": "partial", "error": "message"}


@defect("FRM-FRAME-CHANNELS")
class IgnoresUnknownChannels(RelayProvider):
    """A frame of an unknown channel is passed over."""

    def read(self, record: Any) -> ProviderIncrement:
        known = not isinstance(record.get("channel"), str) or record["channel"] in _CHANNELS
        return super().read(record) if known else ProviderIncrement()


@defect("FRM-FRAME-EXTRA")
class DropsWhatIsMore(RelayProvider):
    """Members that are not declared are dropped."""

    def read(self, record: Any) -> ProviderIncrement:
        frame = relay_frame_contract.parse(record)
        return super().read(record if frame is None else frame.model_dump())


@defect("FRM-FRAME-CROSSED")
class TakesAnyMember(RelayProvider):
    """A result is a result, whatever the channel says."""

    def read(self, record: Any) -> ProviderIncrement:
        settled = "result" in record and record.get("channel") in ("content", "thinking")
        return super().read({"channel": "result", "result": record["result"]} if settled else record)


@defect("FRM-RESULT-FIELDS")
class DefaultsTheContent(RelayProvider):
    """A result without content has an empty one."""

    def read(self, record: Any) -> ProviderIncrement:
        result = record.get("result")
        return super().read({**record, "result": {"content": "", **result}} if isinstance(result, dict) else record)


def _counted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _counted(member) for name, member in value.items()}
    return int(value) if isinstance(value, bool) else value


@defect("FRM-USAGE-FIELDS")
class CountsBooleans(RelayProvider):
    """True is one token."""

    def read(self, record: Any) -> ProviderIncrement:
        return super().read(_counted(record) if record.get("channel") == "result" else record)


@defect("FRM-CHANNEL-UNHASHABLE")
class LooksTheChannelUp(RelayProvider):
    """A channel that cannot be looked up breaks the reader."""

    def read(self, record: Any) -> ProviderIncrement:
        _CHANNELS.get(record.get("channel"))
        return super().read(record)


class _Contract:
    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def is_valid(self, value: Any) -> bool:
        return bool(self.inner.is_valid(value))

    def parse(self, value: Any) -> Any:
        return self.inner.parse(value)


class _Trusting(_Contract):
    def is_valid(self, value: Any) -> bool:
        return bool(hasattr(value, "keys") and value["channel"] and self.inner.is_valid(value))


@defect("FRM-GUARD-TOTAL")
class TrustsTheValue(RelayProvider):
    """A guard asks the value itself."""

    relay_frame_contract = _Trusting(relay_frame_contract)


class _Filling(_Contract):
    def is_valid(self, value: Any) -> bool:
        if type(value) is dict:
            value.setdefault("tools", [])
        return super().is_valid(value)


@defect("FRM-GUARD-PURE")
class FillsIn(RelayProvider):
    """A guard fills in what is missing."""

    provider_result_contract = _Filling(provider_result_contract)


class _Exact(_Contract):
    def parse(self, value: Any) -> Any:
        return self.inner.parse(value) if self.inner.is_valid(value) else None


@defect("FRM-PARSER-DROPS")
class ParsesExactly(RelayProvider):
    """A parser refuses a member more."""

    message_contract = _Exact(message_contract)


class _Raising(_Contract):
    def parse(self, value: Any) -> Any:
        parsed = self.inner.parse(value)
        if parsed is None:
            raise ValueError("no result")
        return parsed


@defect("FRM-PARSER-REFUSES")
class RaisesWhereNothingFits(RelayProvider):
    """A parser raises for what does not fit."""

    provider_result_contract = _Raising(provider_result_contract)


class _ThreeRoles(_Contract):
    def is_valid(self, value: Any) -> bool:
        return super().is_valid(value) and value["role"] != "tool"


@defect("FRM-PARSER-GUARD-AGREE")
class GuardKnowsThreeRoles(RelayProvider):
    """The guard has another list of roles."""

    message_contract = _ThreeRoles(message_contract)


@defect("FRM-DOMAIN-WIDER")
class OneGuardForBoth(RelayProvider):
    """The domain takes what the wire takes."""

    is_message = staticmethod(message_contract.is_valid)


class _Trimming(_Contract):
    def parse(self, value: Any) -> Any:
        parsed = self.inner.parse(value)
        return parsed and parsed.model_copy(update={"content": parsed.content.strip()})


@defect("FRM-ROUND-TRIP")
class TrimsTheContent(RelayProvider):
    """White space around a content is lost on the way."""

    message_contract = _Trimming(message_contract)
    provider_result_contract = _Trimming(provider_result_contract)
