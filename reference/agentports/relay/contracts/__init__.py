"""What may travel between the two ends of a relay, and how it is recognised (document 51, section 2)."""

from agentports.relay.contracts.frames import AbortFrame, DeltaFrame, ErrorFrame, RelayFrame, ResultFrame
from agentports.relay.contracts.wire import (
    WireContract,
    is_message,
    message_contract,
    provider_request_contract,
    provider_result_contract,
    relay_frame_contract,
)

__all__ = [
    "AbortFrame",
    "DeltaFrame",
    "ErrorFrame",
    "RelayFrame",
    "ResultFrame",
    "WireContract",
    "is_message",
    "message_contract",
    "provider_request_contract",
    "provider_result_contract",
    "relay_frame_contract",
]
