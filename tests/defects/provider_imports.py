"""A module that cannot be imported without a key."""

from __future__ import annotations

import os
import sys

from agentports.providers import OpenAIChatProvider
from portproof.selftest import defect

if "portproof_defects" not in sys.modules:
    # Only where the module is imported by itself, so that collecting the defects needs no key.
    KEY = os.environ["OPENAI_API_KEY"]


@defect("PRV-KEY-NOT-READ-AT-IMPORT", wire="openai-chat")
class NeedsAKeyAtImport(OpenAIChatProvider):
    """Its module reads the key from the environment when it is imported."""
