"""What the model reads of an execution: everything that happened, every cut, and no file's content (CODE-TOOL-*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agentports.ports import STAGED_INPUTS_ENV, CodeArtifact, CodeResult, StagedCodeInput

__all__ = ["description_for", "is_cut", "told"]

_LIFETIMES = {
    "call": "Each call gets a session of its own: nothing is kept after the call.",
    "run": "The calls of one turn share a session; what it keeps is gone when the turn ends.",
    "session": "The calls of one conversation share a session; what it keeps is gone when the conversation ends.",
}


def description_for(language: str, scope: str, wants: Sequence[str]) -> str:
    """Return the tool's description: what it runs, and how long what it keeps is kept."""
    inputs = (
        f" The data passed as {', '.join(wants)} is read from files that {STAGED_INPUTS_ENV} names." if wants else ""
    )
    return f"Runs {language} code and returns what it printed. {_LIFETIMES[scope]}{inputs}"


def is_cut(result: CodeResult, limit: int) -> bool:
    """Whether the runner cut something, or the tool will."""
    return result.truncated is not None or any(len(text) > limit for text in (result.stdout, result.stderr))


def told(result: CodeResult, limit: int, staged: Sequence[StagedCodeInput] | None) -> str:
    """Return the text. `staged` is None for a tool without declared inputs."""
    parts = [*_staged(staged), *_stream("stdout", result.stdout, limit), *_stream("stderr", result.stderr, limit)]
    if not result.stdout and not result.stderr:
        parts.append("The code printed nothing.")
    if not result.ok:
        parts.append(
            "The code failed." if result.exit_code is None else f"The code failed with exit code {result.exit_code}."
        )
    return "\n".join([*parts, *_runner_cuts(result), *map(_artifact, result.artifacts or ())])


def _staged(staged: Sequence[StagedCodeInput] | None) -> Iterator[str]:
    if staged is None:
        return
    if not staged:
        yield f"No input was staged; {STAGED_INPUTS_ENV} is not set by this call."
    for each in staged:
        yield f"Staged input {each.name!r} ({each.bytes} bytes) at {each.path}"


def _stream(name: str, text: str, limit: int) -> Iterator[str]:
    if text:
        yield f"{name}:\n{text[:limit]}"
    if len(text) > limit:
        yield f"[{name} is cut: the first {limit} of {len(text)} characters are shown]"


def _runner_cuts(result: CodeResult) -> Iterator[str]:
    cut = result.truncated
    if cut is None:
        return
    names = [name for name, is_cut in (("stdout", cut.stdout), ("stderr", cut.stderr)) if is_cut]
    size = "it is not known of how much" if cut.of_chars is None else f"of {cut.of_chars} characters"
    longest = " in the longer" if len(names) > 1 else ""
    yield f"[the runner itself cut {' and '.join(names) or 'the output'}, {size}{longest}]"


def _artifact(artifact: CodeArtifact) -> str:
    place = next((f" at {where}" for where in (artifact.ref, artifact.uri) if where is not None), "")
    return f"File {artifact.name!r} ({artifact.bytes} bytes){place}"
