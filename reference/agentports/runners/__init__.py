"""Reference runners: where an agent's code runs, and the browsers it uses."""

from agentports.ports import STAGED_INPUTS_ENV, can_stage_code_inputs
from agentports.runners._session_keys import hash_session_key, tool_session_key
from agentports.runners.chromium_browser import ChromiumBrowserRunner
from agentports.runners.code_tool import CodeRunnerTool, ToolRefusedError, code_runner_tool
from agentports.runners.kernel_code import KernelCodeRunner
from agentports.runners.local_code import LocalCodeRunner
from agentports.runners.managed_browser import ManagedBrowserRunner
from agentports.runners.managed_code import InterpreterService, ManagedCodeRunner
from agentports.runners.scripted_code import ScriptedCodeCall, ScriptedCodeRunner, ScriptedCodeSession

__all__ = [
    "STAGED_INPUTS_ENV",
    "ChromiumBrowserRunner",
    "CodeRunnerTool",
    "InterpreterService",
    "KernelCodeRunner",
    "LocalCodeRunner",
    "ManagedBrowserRunner",
    "ManagedCodeRunner",
    "ScriptedCodeCall",
    "ScriptedCodeRunner",
    "ScriptedCodeSession",
    "ToolRefusedError",
    "can_stage_code_inputs",
    "code_runner_tool",
    "hash_session_key",
    "tool_session_key",
]
