"""The ports that the harness knows. A further one is a `Port` of its own and a line in `PORTS`."""

from __future__ import annotations

from collections.abc import Mapping

from portproof.ports.browser_runners import BrowserRunnerPort
from portproof.ports.code_runners import CodeRunnerPort
from portproof.ports.encodings import EncodingPort
from portproof.ports.http_providers import HttpProviderPort
from portproof.ports.op_folds import OpFoldPort
from portproof.ports.permissions import PermissionPort
from portproof.ports.plan_locks import PlanLockPort
from portproof.ports.plan_stores import PlanStorePort
from portproof.ports.port import Bench, Port
from portproof.ports.pricing import PricingPort
from portproof.ports.providers import ProviderPort, WrapperPort
from portproof.ports.relay_providers import RelayProviderPort
from portproof.ports.relay_servers import RelayServerPort

__all__ = ["PORTS", "Bench", "Port"]

#: By name, in the order in which they are listed.
PORTS: Mapping[str, Port] = {
    port.name: port
    for port in (
        ProviderPort(),
        WrapperPort(),
        PermissionPort(),
        PricingPort(),
        CodeRunnerPort(),
        BrowserRunnerPort(),
        EncodingPort(),
        OpFoldPort(),
        PlanStorePort(),
        PlanLockPort(),
        HttpProviderPort(),
        RelayServerPort(),
        RelayProviderPort(),
    )
}
