"""A plan store by another hand: a folder with one journal a plan, in which every line is a whole call."""

from __future__ import annotations

import base64
import hashlib
import os
import pickle
from pathlib import Path

from tests.defects._stores import Plan, Storing

__all__ = ["FolderStore"]


class FolderStore(Storing):
    """The plain store, which writes the plan to a file of its own before a call returns.

    A file is written beside the old one and put in its place, so that a crash leaves one or the other.
    """

    def __init__(self, tmp_path: Path) -> None:
        super().__init__()
        self.folder = tmp_path
        for file in sorted(self.folder.glob("*.plan")):
            plan = pickle.loads(base64.b64decode(file.read_bytes()))
            self.plans[plan.id] = plan

    def touch(self, plan: Plan) -> None:
        super().touch(plan)
        name = hashlib.sha256(plan.id.encode("utf-8", "surrogatepass")).hexdigest()
        draft = self.folder / f"{name}.draft"
        draft.write_bytes(base64.b64encode(pickle.dumps(plan)))
        os.replace(draft, self.folder / f"{name}.plan")  # noqa: PTH105

    def new_run(self, plan: Plan) -> str:
        return f"run of {hashlib.sha256(plan.id.encode()).hexdigest()}"
