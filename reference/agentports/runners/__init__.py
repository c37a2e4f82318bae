"""Reference runners: where an agent's code runs, and the browsers it uses."""

from agentports.runners.chromium_browser import ChromiumBrowserRunner
from agentports.runners.managed_browser import ManagedBrowserRunner

__all__ = ["ChromiumBrowserRunner", "ManagedBrowserRunner"]
