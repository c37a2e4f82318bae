"""The code runner tool, over a runner that plays results."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from agentports.ports import (
    STAGED_INPUTS_ENV,
    CodeArtifact,
    CodeInput,
    CodeResult,
    ServiceError,
    Truncation,
)
from agentports.runners import ScriptedCodeRunner, ToolRefusedError, code_runner_tool

OK = CodeResult(ok=True, stdout="out\n", exit_code=0)


class Door:
    """What an agent gives a tool: facts, and a place to register what ends a session."""

    def __init__(self, scopes: tuple[str, ...] = ("call", "run", "session"), **facts: Any) -> None:
        self.registered: dict[tuple[str, str], Callable[[], Awaitable[None]]] = {}
        self.touches: list[dict[str, Any]] = []
        self.events: list[tuple[str, dict[str, Any]]] = []
        self._facts = {"teardown_scopes": scopes, "tool_call_id": "1", "run_id": "r", **facts}

    def context(self, **facts: Any) -> Any:
        """The context of one call."""
        return SimpleNamespace(
            **{**self._facts, **facts}, on_teardown=self._on_teardown, emit=lambda *event: self.events.append(event)
        )

    async def end(self) -> None:
        """Fire everything, once."""
        cleanups, self.registered = list(self.registered.values()), {}
        for cleanup in cleanups:
            await cleanup()

    def _on_teardown(self, cleanup: Callable[[], Awaitable[None]], **how: Any) -> None:
        self.touches.append(how)
        self.registered.setdefault((how["scope"], how["key"]), cleanup)


def told(result: CodeResult, **options: Any) -> str:
    """What the model reads of a result."""
    tool = code_runner_tool(ScriptedCodeRunner([result]), **options)
    return asyncio.run(tool.execute({"code": "c"}, Door().context()))


def test_calls_under_one_key_share_a_session_and_each_touches_it() -> None:
    """One start, all codes in order, one stop at the end."""

    async def main() -> None:
        runner, door = ScriptedCodeRunner([OK] * 3), Door(identity={"tenant": "acme", "principal": "ann"})
        tool = code_runner_tool(runner, timeout_ms=70)
        for code in "abc":
            await tool.execute({"code": code}, door.context())
        await door.end()
        [session] = runner.sessions
        assert (session.key, session.language, session.stops) == ("t=acme/p=ann/r=r", "python", 1)
        assert (runner.codes, runner.calls[0].timeout_ms) == (["a", "b", "c"], 70)
        assert door.touches == [{"scope": "run", "key": session.key, "runner_id": runner.id}] * 3

    asyncio.run(main())


def test_first_calls_at_once_share_one_start() -> None:
    """Also when the first of them is cancelled meanwhile: what it began is closed."""

    async def main() -> None:
        runner, door = ScriptedCodeRunner([OK] * 2), Door()
        tool = code_runner_tool(runner)
        calls = [asyncio.create_task(tool.execute({"code": "c"}, door.context())) for _ in range(3)]
        await asyncio.sleep(0)
        calls[0].cancel()
        assert [type(each) for each in await asyncio.gather(*calls, return_exceptions=True)] == [
            asyncio.CancelledError,
            str,
            str,
        ]
        await door.end()
        assert [session.stops for session in runner.sessions] == [1]

    asyncio.run(main())


def test_a_session_whose_only_caller_was_cancelled_is_closed_with_its_scope() -> None:
    """It was opened, so somebody must close it."""

    async def main() -> None:
        runner, door = ScriptedCodeRunner(), Door()
        call = asyncio.create_task(code_runner_tool(runner).execute({"code": "c"}, door.context()))
        await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait({call})
        await door.end()
        assert [session.stops for session in runner.sessions] == [1]

    asyncio.run(main())


def test_a_failed_start_is_forgotten() -> None:
    """It fails its calls, and the next one starts again."""

    async def main() -> None:
        runner, door = ScriptedCodeRunner([OK], starts=[ServiceError("throttled")]), Door()
        tool = code_runner_tool(runner)
        failures = await asyncio.gather(
            *(tool.execute({"code": "c"}, door.context()) for _ in range(2)), return_exceptions=True
        )
        assert [str(failure) for failure in failures] == ["throttled"] * 2
        assert door.touches == []
        assert "out" in await tool.execute({"code": "c"}, door.context())

    asyncio.run(main())


@pytest.mark.parametrize(("scope", "sessions"), [("call", 4), ("run", 2), ("session", 1)])
def test_the_scope_says_whose_session_it_is(scope: str, sessions: int) -> None:
    """Two calls in each of two runs of one conversation."""

    async def main() -> None:
        runner, door = ScriptedCodeRunner([OK] * 4), Door(session_id="s")
        tool = code_runner_tool(runner, scope=scope)
        for run in "12":
            for call in "ab":
                await tool.execute({"code": "c"}, door.context(run_id=run, tool_call_id=run + call))
        assert len(runner.sessions) == len({session.key for session in runner.sessions}) == sessions
        lifetimes = {"call": "after the call", "run": "turn ends", "session": "conversation ends"}
        assert lifetimes[scope] in tool.schema.description

    asyncio.run(main())


@pytest.mark.parametrize(
    ("scope", "door"),
    [
        ("run", Door(run_id=None, session_id="s")),
        ("session", Door(run_id="r")),
        ("run", Door(())),
        ("run", Door(("call", "session"))),
        ("session", Door(("call", "run"), session_id="s")),
    ],
)
def test_without_its_id_or_an_open_door_nothing_is_opened(scope: str, door: Door) -> None:
    """The refusal names the scope, which is neither widened nor narrowed."""
    runner = ScriptedCodeRunner([OK])
    with pytest.raises(ToolRefusedError, match=f"'{scope}'"):
        asyncio.run(code_runner_tool(runner, scope=scope).execute({"code": "c"}, door.context()))
    assert runner.sessions == []


def test_a_scope_that_there_is_not_is_refused_when_the_tool_is_made() -> None:
    """Shutdown too: it has no key."""
    for scope in ("shutdown", "conversation"):
        with pytest.raises(ValueError, match=scope):
            code_runner_tool(ScriptedCodeRunner(), scope=scope)


def test_the_session_is_forgotten_before_it_is_stopped() -> None:
    """After a stop that failed the next run opens a new one; the failure reaches whoever fired the cleanup."""

    async def main() -> None:
        runner, door = ScriptedCodeRunner([OK] * 2), Door()
        tool = code_runner_tool(runner)
        await tool.execute({"code": "c"}, door.context())

        async def fails() -> None:
            raise ServiceError("internal")

        runner.sessions[0].stop = fails  # type: ignore[method-assign]
        with pytest.raises(ServiceError):
            await door.end()
        await tool.execute({"code": "c"}, door.context())
        assert len(runner.sessions) == 2

    asyncio.run(main())


def test_a_session_that_the_service_has_reaped_is_not_met_twice() -> None:
    """The call that finds out fails, the next one opens another."""

    async def main() -> None:
        runner, door = ScriptedCodeRunner([ServiceError("not_found"), OK]), Door()
        tool = code_runner_tool(runner)
        with pytest.raises(ServiceError):
            await tool.execute({"code": "c"}, door.context())
        await tool.execute({"code": "c"}, door.context())
        assert len(runner.sessions) == 2

    asyncio.run(main())


@pytest.mark.parametrize("length", [3999, 4000, 4001])
def test_only_a_cut_is_called_a_cut(length: int) -> None:
    """With what is shown and what there was."""
    text = told(CodeResult(ok=True, stdout="x" * length, exit_code=0))
    assert ("cut" in text) == (length > 4000)
    assert ("first 4000 of 4001" in text) == (length > 4000)
    assert text.count("x" * min(length, 4000)) == 1


def test_the_runners_own_cuts_are_passed_on() -> None:
    """Although the text fits; with the size where it is known."""
    cuts = [
        (Truncation(stdout=True, of_chars=99), "stdout, of 99 characters]"),
        (Truncation(stderr=True), "stderr, it is not known of how much]"),
        (Truncation(stdout=True, stderr=True, of_chars=99), "stdout and stderr, of 99 characters in the longer]"),
    ]
    for cut, words in cuts:
        assert words in told(CodeResult(ok=True, stdout="o", stderr="e", truncated=cut))


def test_a_failure_is_told_with_its_stderr_and_status() -> None:
    """It is no error of the tool."""
    text = told(CodeResult(ok=False, stdout="so far", stderr="Traceback", exit_code=3))
    assert text == "stdout:\nso far\nstderr:\nTraceback\nThe code failed with exit code 3."
    assert told(CodeResult(ok=False)) == "The code printed nothing.\nThe code failed."


def test_files_are_described_and_never_shown() -> None:
    """By name, size and where they are."""
    files = (
        CodeArtifact(name="a.png", bytes=7, data=b"secret!", uri="file:///a.png"),
        CodeArtifact(name="b", bytes=9, ref="artifact-1", uri="file:///b"),
        CodeArtifact(name="c", bytes=0),
    )
    text = told(CodeResult(ok=True, artifacts=files))
    assert text.splitlines()[1:] == [
        "File 'a.png' (7 bytes) at file:///a.png",
        "File 'b' (9 bytes) at artifact-1",
        "File 'c' (0 bytes)",
    ]


def test_declared_inputs_are_staged_under_their_names() -> None:
    """With the extension of their type; what was staged is told, and so is that nothing was."""

    async def main() -> None:
        runner, door = ScriptedCodeRunner([OK] * 3), Door()
        tool = code_runner_tool(runner, wants={"table": "A table.", "note": "A note."})
        assert set(tool.schema.input_schema["properties"]) == {"code", "table", "note"}
        table = SimpleNamespace(data=b"1,2", media_type="text/csv; charset=utf-8")
        text = await tool.execute({"code": "c", "table": table, "note": {"data": "é"}}, door.context())
        assert runner.sessions[0].staged == [
            CodeInput(name="table", file_name="table.csv", data=b"1,2", media_type=table.media_type),
            CodeInput(name="note", file_name="note", data="é"),
        ]
        assert "'table' (3 bytes) at /staged/scripted-1/table.csv" in text
        without = await tool.execute({"code": "c", "table": None}, door.context())
        assert f"No input was staged; {STAGED_INPUTS_ENV} is not set by this call." in without
        assert "staged" not in await code_runner_tool(runner).execute({"code": "c"}, door.context())

    asyncio.run(main())


def test_a_session_that_cannot_stage_refuses_a_call_that_passes_an_input() -> None:
    """By the name of what it lacks, and the code does not run; without the input it does."""

    async def main() -> None:
        runner, door = ScriptedCodeRunner([OK], stages=False), Door()
        tool = code_runner_tool(runner, wants={"table": "A table."})
        with pytest.raises(ToolRefusedError, match=r"stage_inputs.*table"):
            await tool.execute({"code": "c", "table": "1,2"}, door.context())
        assert runner.calls == []
        await tool.execute({"code": "c"}, door.context())

    asyncio.run(main())


def test_the_event_holds_nothing_of_the_code_the_key_or_the_data() -> None:
    """Only what happened, and the shape of the call."""

    async def main() -> None:
        door = Door(identity={"tenant": "secret-tenant"})
        tool = code_runner_tool(ScriptedCodeRunner([OK, OK]), wants={"table": ""})
        for number in "12":
            await tool.execute({"code": f"secret-code {number}", "table": f"secret-data {number}"}, door.context())
        (name, payload), (_, again) = door.events
        assert name == "tools.code_run"
        shape = payload["shape_hash"]
        assert len(shape) == 12
        assert again == payload == {
            "tool": "run_code", "language": "python", "staged_inputs": 1, "output_chars": 4,
            "truncated": False, "ok": True, "shape_hash": shape,
        }  # fmt: skip
        assert "secret" not in str(door.events)

    asyncio.run(main())


def test_check_in_needs_and_wants_are_there_for_the_agent_to_read() -> None:
    """As they were given."""
    tool = code_runner_tool(ScriptedCodeRunner(), "sandbox", check_in="ask", needs=["vault"], wants={"a": "b"})
    assert (tool.schema.name, tool.check_in, tool.needs, tool.wants) == ("sandbox", "ask", ["vault"], {"a": "b"})
