"""A simulator of the world outside an agent: vendor servers, their faults, and time."""

from agentports.sim.browser import SimulatedBrowsers
from agentports.sim.clock import NothingLeftToWaitFor, VirtualLoop, VirtualTime, virtual_time
from agentports.sim.edits import Edit, cut_after, edited, insert_after, insert_at
from agentports.sim.faults import Faults, ServiceCall
from agentports.sim.interpreter import Invocation, SimulatedInterpreters, SimulatedInterpreterSession
from agentports.sim.replies import Disconnect, Event, Gate, Hang, Pause, Play, Reply, Reset, Step
from agentports.sim.requests import Ending, Exchange, RecordedRequest
from agentports.sim.screens import SimulatedScreen
from agentports.sim.server import VendorServer
from agentports.sim.transport import SimulatedTransport
from agentports.sim.turns import Block, Text, Thinking, TokenCounts, ToolCall, Turn, VendorError
from agentports.sim.upstream import Answer, Upstream
from agentports.sim.wires import WIRES, Wire, wire_named

__all__ = [
    "WIRES",
    "Answer",
    "Block",
    "Disconnect",
    "Edit",
    "Ending",
    "Event",
    "Exchange",
    "Faults",
    "Gate",
    "Hang",
    "Invocation",
    "NothingLeftToWaitFor",
    "Pause",
    "Play",
    "RecordedRequest",
    "Reply",
    "Reset",
    "ServiceCall",
    "SimulatedBrowsers",
    "SimulatedInterpreterSession",
    "SimulatedInterpreters",
    "SimulatedScreen",
    "SimulatedTransport",
    "Step",
    "Text",
    "Thinking",
    "TokenCounts",
    "ToolCall",
    "Turn",
    "Upstream",
    "VendorError",
    "VendorServer",
    "VirtualLoop",
    "VirtualTime",
    "Wire",
    "cut_after",
    "edited",
    "insert_after",
    "insert_at",
    "virtual_time",
    "wire_named",
]
