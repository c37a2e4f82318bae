"""The settings of a run: the command line, else `[tool.portproof]` of the user's pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from agentports.sim.recordings import Recording
from portproof.catalogue import catalogue, matching
from portproof.errors import UsageProblem
from portproof.known_failures import KnownFailures, read_known_failures
from portproof.recordings import recordings_folder, shipped_recordings
from portproof.replaying.interception import Interceptor, interceptor_named
from portproof.replaying.selection import named_recordings
from portproof.report import REPORT_SUFFIXES
from portproof.running.profiles import PROFILES, Profile
from portproof.wires import dialect_named

__all__ = ["SHIPPED", "Settings", "read_settings"]

#: `--replay` without a path: the recordings that come with this package.
SHIPPED = ""

_LISTS = ("adapter", "conformance-report", "invariant", "replay")
_NAMES = (
    *_LISTS,
    "adapter-option",
    "wire",
    "conformance-profile",
    "known-failures",
    "conformance-strict",
    "conformance-seed",
    "intercept",
)


@dataclass(frozen=True)
class Settings:
    """One run's settings, checked."""

    adapters: tuple[str, ...]
    options: Mapping[str, Any]
    wire: str | None
    reports: tuple[Path, ...]
    profile: Profile
    patterns: tuple[str, ...]
    known: KnownFailures
    strict: bool
    seed: int
    recordings: tuple[Recording, ...]
    intercept: Interceptor | None
    from_command_line: bool
    #: Whether each option must be meant for a subject of the run: not a project's own, for an adapter named by hand.
    options_must_fit: bool
    #: The options that a subject takes, by its spec; all of them where it is not listed.
    taken: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def arguments(self, spec: str) -> list[str]:
        """The command line that runs one subject the same way; a class in a test file is named as pytest names it."""
        profile = [] if self.profile.name == "default" else ["--conformance-profile", self.profile.name]
        named = [spec] if "::" in spec else self._named(spec)
        return [*named, *profile, "--conformance-seed", str(self.seed)]

    def replay_arguments(self, spec: str) -> list[str]:
        """The arguments of `portproof replay` that play a recording to one subject the same way."""
        return [*self._named(spec), *(["--intercept", self.intercept] if self.intercept else [])]

    def _named(self, spec: str) -> list[str]:
        wire = ["--wire", self.wire] if self.wire else []
        names = self.taken.get(spec, self.options)
        taken = {key: value for key, value in self.options.items() if key in names}
        options = [part for key, value in taken.items() for part in ("--adapter-option", f"{key}={value}")]
        return ["--adapter", spec, *wire, *options]


def read_settings(option: Callable[[str], Any], root: Path) -> Settings:
    """Read and check all settings.

    Raises `UsageProblem` that names what was wrong and what to do.
    """
    table = _table(root)
    values = {name: _either(option(f"--{name}"), table.get(name)) for name in _NAMES}
    lists = {name: _listed(values[name]) for name in _LISTS}
    wire = values["wire"]
    if wire is not None:
        dialect_named(wire)
    recordings = named_recordings(_recorded(text, root) for text in lists["replay"])
    twice = sorted({spec for spec in lists["adapter"] if lists["adapter"].count(spec) > 1})
    if twice:
        raise UsageProblem(f"--adapter {twice[0]}: is given twice. Name each subject once.")
    return Settings(
        adapters=lists["adapter"],
        options=_options(values["adapter-option"]),
        wire=wire,
        reports=tuple(_report_path(text) for text in lists["conformance-report"]),
        profile=_profile(values["conformance-profile"] or "default"),
        patterns=_patterns(lists["invariant"]),
        known=read_known_failures(root, values["known-failures"], _names_one(recordings)),
        strict=bool(values["conformance-strict"]),
        seed=_seed(values["conformance-seed"]),
        recordings=recordings,
        intercept=interceptor_named(values["intercept"]) if values["intercept"] else None,
        from_command_line=bool(option("--adapter")),
        options_must_fit=bool(option("--adapter-option")) or (bool(lists["adapter"]) and not option("--adapter")),
    )


def _table(root: Path) -> dict[str, Any]:
    path = root / "pyproject.toml"
    try:
        table = tomllib.loads(path.read_text("utf-8")).get("tool", {}).get("portproof", {})
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageProblem(f"{path} cannot be read: {error}") from None
    table = {key.replace("_", "-"): value for key, value in table.items()}
    unknown = sorted(set(table) - set(_NAMES))
    if unknown:
        raise UsageProblem(
            f"[tool.portproof] in {path} has the unknown setting {', '.join(unknown)}. "
            f"The settings are {', '.join(_NAMES)}."
        )
    return table


def _either(given: Any, tabled: Any) -> Any:
    return tabled if given in (None, []) else given


def _listed(value: Any) -> tuple[str, ...]:
    if value in (None, False):
        return ()
    return (SHIPPED,) if value is True else (value,) if isinstance(value, str) else tuple(str(item) for item in value)


def _options(given: Mapping[str, Any] | Sequence[str] | None) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return dict(given)
    options: dict[str, Any] = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise UsageProblem(f"--adapter-option {text}: write KEY=VALUE, such as max_attempts=5.")
        options[key] = _scalar(value)
    return options


def _scalar(text: str) -> Any:
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        return text
    return value if isinstance(value, bool | int | float) else text


def _recorded(text: str, root: Path) -> Path:
    """A path as it was typed, else as it stands in the project's settings."""
    if text == SHIPPED:
        return recordings_folder()
    return Path(text) if Path(text).exists() else root / text


def _names_one(recordings: Sequence[Recording]) -> Callable[[str], bool]:
    """Whether known failures may name this: a recording that is replayed, or a shipped one in any run."""
    return lambda name: any(name == recording.about.id for recording in chain(recordings, shipped_recordings()))


def _report_path(text: str) -> Path:
    path = Path(text)
    if path.suffix not in REPORT_SUFFIXES:
        raise UsageProblem(f"--conformance-report {text}: the suffix must be one of {', '.join(REPORT_SUFFIXES)}.")
    if path.is_dir():
        raise UsageProblem(f"--conformance-report {text}: this is a directory; name a file in it.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        probe = path.with_name(f".{path.name}.probe")
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageProblem(f"--conformance-report {text}: cannot be written: {error.strerror or error}.") from None
    return path


def _profile(name: str) -> Profile:
    if name not in PROFILES:
        raise UsageProblem(f"--conformance-profile {name}: the profiles are {', '.join(PROFILES)}.")
    return PROFILES[name]


def _patterns(patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        if not matching([pattern], catalogue().values()):
            raise UsageProblem(
                f"--invariant {pattern}: no rule matches. `portproof invariants` lists them; wildcards (STR-*) work, "
                "and so do basis:documented, basis:decided, level:must, level:should."
            )
    return patterns


def _seed(value: Any) -> int:
    try:
        return int(value or 0)
    except ValueError:
        raise UsageProblem(f"--conformance-seed {value}: must be a whole number.") from None
