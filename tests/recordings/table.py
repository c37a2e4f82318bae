"""The table of the shipped recordings in their README. `python -m tests.recordings.table` writes it."""

from __future__ import annotations

import re

from agentports.sim.recordings import Recording
from portproof.recordings import recordings_folder, shipped_recordings

__all__ = ["README", "current", "kept"]

README = recordings_folder() / "README.md"
_PLACE = re.compile(r"(<!-- begin of the table[^\n]*-->\n).*?(<!-- end of the table -->)", re.DOTALL)
_HEAD = "| id | vendor | wire | class | status | sizes: sent / limit | wait | origin |\n" + "| --- " * 8 + "|\n"
_DELIVERY = {
    "http": "{}",
    "sse_event": "{}, then an event",
    "eventstream_exception": "{}, then an exception",
    "connection_closed": "{}, then a break",
}


def current() -> str:
    """The README with the table as the recordings are now."""
    rows = "".join(f"| {' | '.join(_cells(recording))} |\n" for recording in _in_order())
    text, places = _PLACE.subn(lambda found: f"{found[1]}{_HEAD}{rows}{found[2]}", kept())
    if places != 1:
        raise SystemExit(f"{README}: the two comments that enclose the table are not there")
    return text


def kept() -> str:
    """The README as it is kept."""
    return README.read_text("utf-8")


def _in_order() -> list[Recording]:
    return sorted(shipped_recordings(), key=lambda recording: recording.about.id)


def _cells(recording: Recording) -> list[str]:
    about = recording.about
    status = recording.interactions[0]["response"]["status"]["code"]
    file = recording.path.relative_to(README.parent).as_posix()
    return [
        f"[{about.id}]({file})",
        about.vendor,
        about.wire,
        about.kind,
        _DELIVERY[about.delivery].format(status),
        _sizes(recording),
        _wait(recording),
        f"[{about.origin.kind}]({about.origin.source})",
    ]


def _sizes(recording: Recording) -> str:
    noted = recording.about.expected
    if noted is None or not noted.overflow:
        return ""
    actual, limit = ("?" if size is None else f"{size:,}" for size in (noted.actual_tokens, noted.limit_tokens))
    return f"{actual} / {limit}"


def _wait(recording: Recording) -> str:
    noted = recording.about.expected
    return "" if noted is None or noted.retry_after_ms is None else f"{noted.retry_after_ms / 1000:g} s"


if __name__ == "__main__":
    README.write_text(current(), "utf-8")
