"""The known-failures file: rules and recordings that are expected to fail, with a reason and perhaps a last day."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from portproof.catalogue import invariant_named
from portproof.errors import UsageProblem
from portproof.running.outcome import CheckResult

__all__ = ["KnownFailure", "KnownFailures", "read_known_failures"]


@dataclass(frozen=True)
class KnownFailure:
    """Why a rule is expected to fail, and the last day on which that is accepted."""

    reason: str
    expires: datetime.date | None = None

    @property
    def expired(self) -> bool:
        """Whether that day is over."""
        return self.expires is not None and self.expires < datetime.datetime.now(datetime.UTC).date()


@dataclass(frozen=True)
class KnownFailures:
    """The file's entries by the id of a rule or of a recording."""

    path: Path | None = None
    entries: Mapping[str, KnownFailure] = field(default_factory=dict)

    @property
    def expired(self) -> dict[str, KnownFailure]:
        """The entries that cover nothing any more, and fail the run so that the file stays true."""
        return {rule: entry for rule, entry in self.entries.items() if entry.expired}

    def judge(self, rule: str, result: CheckResult) -> CheckResult:
        """A result in the light of what was expected."""
        entry = self.entries.get(rule)
        if entry is None:
            return result
        if result.outcome == "failed" and entry.expired:
            return replace(
                result, message=f"{result.message} (the known failure expired on {entry.expires}: {entry.reason})"
            )
        if result.outcome == "failed":
            return replace(result, outcome="known_failure", message=f"{entry.reason} ({result.message})")
        if result.outcome == "passed":
            told = f"passes, although {self.path} expects a failure ({entry.reason}); delete the entry"
            return replace(result, outcome="unexpected_pass", message=told)
        return result


def read_known_failures(
    root: Path, name: str | None, is_recording: Callable[[str], bool] = lambda name: False
) -> KnownFailures:
    """Read the file.

    Raises `UsageProblem` for a file that cannot be read, an unknown id, or an entry without a reason.
    """
    if name is None:
        return KnownFailures()
    path = Path(name) if Path(name).is_file() else root / name
    entries = _content(path, name)
    entries = entries.get("known-failures", entries) if isinstance(entries, Mapping) else entries
    if not isinstance(entries, Mapping):
        raise UsageProblem(f'--known-failures {name}: must map rule ids to reasons, such as PRV-NAME-NONEMPTY = "why".')
    return KnownFailures(path, {rule: _entry(name, rule, value, is_recording) for rule, value in entries.items()})


def _content(path: Path, name: str) -> Any:
    if path.suffix not in (".toml", ".yaml", ".yml"):
        raise UsageProblem(f"--known-failures {name}: the suffix must be .toml, .yaml or .yml.")
    try:
        text = path.read_text("utf-8")
        return tomllib.loads(text) if path.suffix == ".toml" else yaml.safe_load(text) or {}
    except OSError as error:
        raise UsageProblem(f"--known-failures {name}: cannot be read: {error.strerror or error}.") from None
    except (ValueError, yaml.YAMLError) as error:
        raise UsageProblem(f"--known-failures {name}: is not valid {path.suffix[1:].upper()}: {error}") from None


def _entry(name: str, rule: Any, value: Any, is_recording: Callable[[str], bool]) -> KnownFailure:
    try:
        invariant_named(str(rule))
    except UsageProblem as problem:
        if not is_recording(str(rule)):
            raise UsageProblem(f"--known-failures {name}: {problem}") from None
    reason = value.get("reason") if isinstance(value, Mapping) else value
    if not isinstance(reason, str) or not reason.strip():
        raise UsageProblem(f"--known-failures {name}: {rule} needs a reason: a text, or a table with `reason`.")
    return KnownFailure(reason.strip(), _date(name, rule, value.get("expires") if isinstance(value, Mapping) else None))


def _date(name: str, rule: Any, value: Any) -> datetime.date | None:
    if value is None or (isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)):
        return value
    try:
        return datetime.date.fromisoformat(str(value)[:10])
    except ValueError:
        raise UsageProblem(f"--known-failures {name}: `expires` of {rule} must be a date such as 2027-01-31.") from None
