"""What the suite says of libraries that we did not write: `python -m tests.downstream.results` writes RESULTS.md.

Everything in it comes from runs of this moment; nothing is kept from earlier ones.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portproof.known_failures import KnownFailures, read_known_failures
from portproof.running.outcome import OUTCOMES
from tests.downstream.adapters import ADAPTERS, HERE, ROOT, Downstream, run

_WORDS = {
    "passed": "holds",
    "failed": "fails",
    "known_failure": "known failure",
    "unexpected_pass": "passes, though expected to fail",
    "not_applicable": "",
    "not_tested": "not tested",
    "error": "error",
}
_PLAIN = ("passed", "not_applicable")


@dataclass(frozen=True)
class Run:
    """One library's report, and the reasons for its known failures."""

    downstream: Downstream
    report: dict[str, Any]
    known: KnownFailures

    @property
    def subject(self) -> dict[str, Any]:
        """The report's one subject."""
        subject: dict[str, Any] = self.report["subjects"][0]
        return subject

    @property
    def results(self) -> dict[str, dict[str, Any]]:
        """The results by rule."""
        return {result["invariant"]: result for result in self.subject["results"]}


def main() -> None:
    """Run every adapter whose library is installed, the dear ones too, and write what came of it."""
    runs = [_run(downstream) for downstream in ADAPTERS if downstream.version is not None]
    missing = sorted({downstream.library for downstream in ADAPTERS if downstream.version is None})
    (ROOT / HERE / "RESULTS.md").write_text(_told(runs, missing), "utf-8")


def _run(downstream: Downstream) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        done = run(downstream, path)
        if not path.is_file():
            raise RuntimeError(f"{downstream.adapter} made no report:\n{done.stdout[-4000:]}{done.stderr[-2000:]}")
        report = json.loads(path.read_text("utf-8"))
    print(f"{downstream.name}: {report['subjects'][0]['verdict']}", flush=True)
    return Run(downstream, report, read_known_failures(ROOT, str(HERE / downstream.known)))


def _told(runs: Sequence[Run], missing: Sequence[str]) -> str:
    lines = [
        "# What holds for adapters over libraries that we did not write",
        "",
        _how(runs[0].report),
        *(["", f"Not installed, so not run: {', '.join(missing)}."] if missing else []),
        "",
        "Rules that hold, or do not apply, for every library of a port are left out. An empty cell: the rule does not "
        "apply.",
        *_port("Providers", [each for each in runs if each.downstream.wire is not None]),
        *_port("Code runners", [each for each in runs if each.downstream.wire is None]),
    ]
    return "\n".join(lines) + "\n"


def _port(title: str, runs: Sequence[Run]) -> Iterable[str]:
    if not runs:
        return
    counted = [outcome for outcome in OUTCOMES if any(each.subject["counts"][outcome] for each in runs)]
    yield from ("", f"## {title}", "", f"Profile {runs[0].report['profile']}, seed {runs[0].report['seed']}.", "")
    yield from _table(
        ["adapter", "library", "wire", "verdict", *(outcome.replace("_", " ") for outcome in counted)],
        (_summary(each, counted) for each in runs),
    )
    yield from ("", "### Rules that do not plainly hold", "")
    yield from _table(["rule", *(each.downstream.name for each in runs)], _rows(runs))
    yield from ("", "### Why", *(line for each in runs for line in _reasons(each)))


def _how(report: dict[str, Any]) -> str:
    return (
        f"Written by `python -m tests.downstream.results` on {report['started_at'][:10]}, with portproof "
        f"{report['portproof']}, Python {report['python']}. Each adapter is the thinnest that "
        "maps the port onto its library; it tries to keep every rule, so that what fails is what the library makes "
        "impossible."
    )


def _summary(run: Run, counted: Sequence[str]) -> list[str]:
    named = run.downstream
    counts = [str(run.subject["counts"][outcome]) for outcome in counted]
    return [named.name, f"{named.library} {named.version}", named.wire or "", run.subject["verdict"], *counts]


def _rows(runs: Sequence[Run]) -> Iterable[list[str]]:
    for rule in runs[0].results:
        results = [run.results[rule] for run in runs]
        if any(result["outcome"] not in _PLAIN for result in results):
            yield [_label(results[0]), *(_WORDS[result["outcome"]] for result in results)]


def _label(result: dict[str, Any]) -> str:
    return result["invariant"] if result["level"] == "must" else f"{result['invariant']} (should)"


def _reasons(run: Run) -> Iterable[str]:
    told = {rule: _reason(run, result) for rule, result in run.results.items() if result["outcome"] not in _PLAIN}
    if told:
        yield from ("", f"#### {run.downstream.name}", "")
        yield from (f"* {rule}: {reason}" for rule, reason in told.items())


def _reason(run: Run, result: dict[str, Any]) -> str:
    entry = run.known.entries.get(result["invariant"]) if result["outcome"] == "known_failure" else None
    return f"{_WORDS[result['outcome']]}: {result['message']}" if entry is None else entry.reason


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


if __name__ == "__main__":
    main()
