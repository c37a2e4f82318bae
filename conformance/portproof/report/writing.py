"""Reports as files: written whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

__all__ = ["REPORT_SUFFIXES", "report_schema", "shown", "write_report"]

#: What a report's path may end in.
REPORT_SUFFIXES: Final = (".json", ".html", ".md")


def write_report(report: Mapping[str, Any], path: Path) -> None:
    """Write the report in the form that the suffix says, replacing what was there in one step.

    Raises `OSError`.
    """
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        unfinished.write_text(_text(report, path.suffix), "utf-8")
        os.replace(unfinished, path)  # noqa: PTH105 - atomic on every system
    finally:
        unfinished.unlink(missing_ok=True)


def report_schema() -> dict[str, Any]:
    """The JSON Schema of the report."""
    schema: dict[str, Any] = json.loads(files("portproof.report").joinpath("report.schema.json").read_text("utf-8"))
    return schema


def shown(value: Any) -> str:
    """Data as JSON that people can read: what is invisible, or would break the line, is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def _text(report: Mapping[str, Any], suffix: str) -> str:
    if suffix == ".json":
        return json.dumps(report, ensure_ascii=False, indent=1) + "\n"
    from jinja2 import Environment, PackageLoader

    escape = suffix == ".html"
    environment = Environment(
        loader=PackageLoader("portproof.report"), autoescape=escape, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["data"] = shown
    return environment.get_template(f"report{suffix}.j2").render(report=report)
