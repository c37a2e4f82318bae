"""The tool that gives a model a code runner: one session for each isolation key (document 21, section 2)."""

from __future__ import annotations

import asyncio
import hashlib
import json
import mimetypes
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agentports.ports import (
    ALREADY_GONE,
    CodeInput,
    CodeResult,
    CodeRunner,
    CodeSession,
    LLMToolSchema,
    StagedCodeInput,
    can_stage_code_inputs,
)
from agentports.runners._code_tool_text import description_for, is_cut, told
from agentports.runners._session_keys import tool_session_key

__all__ = ["CodeRunnerTool", "ToolRefusedError", "code_runner_tool"]


class ToolRefusedError(Exception):
    """The call was refused before anything was opened or run; the message says what it lacks."""


def code_runner_tool(
    runner: CodeRunner,
    name: str = "run_code",
    scope: str = "run",
    language: str = "python",
    max_output_chars: int = 4000,
    timeout_ms: int | None = None,
    check_in: Any = None,
    needs: Any = None,
    wants: Mapping[str, str] | None = None,
) -> CodeRunnerTool:
    """Return a tool that runs the model's code on the runner.

    `scope` says how long a session lives: `call`, `run` or `session`. The model sees the first `max_output_chars`
    characters of each stream, and that something was cut. `check_in` and `needs` are the agent's to read. `wants` are
    the names of artifact arguments, each with a description for the model; what the agent resolved one to has `data`
    and perhaps `media_type`, and is staged under the argument's name. Raises `ValueError` for another scope.
    """
    if scope not in ("call", "run", "session"):
        raise ValueError(f"unknown scope {scope!r}; the scopes of the tool are call, run and session")
    schema = LLMToolSchema(
        name=name,
        description=description_for(language, scope, list(wants or {})),
        input_schema=_input_schema(language, wants or {}),
    )
    return CodeRunnerTool(runner, schema, scope, language, max_output_chars, timeout_ms, check_in, needs, wants)


@dataclass
class CodeRunnerTool:
    """Made by `code_runner_tool`."""

    runner: CodeRunner
    schema: LLMToolSchema
    scope: str
    language: str
    max_output_chars: int
    timeout_ms: int | None
    check_in: Any
    needs: Any
    wants: Mapping[str, str] | None
    _sessions: dict[str, asyncio.Future[CodeSession]] = field(default_factory=dict, init=False, repr=False)

    async def execute(self, args: Mapping[str, Any], ctx: Any) -> str:
        """Run `args["code"]` and return what the model reads of it.

        Raises `ToolRefusedError`, and what the runner raises. Code that fails is no error.
        """
        key = self._admitted(ctx)
        given = [_input(name, args[name]) for name in self.wants or () if args.get(name) is not None]
        session = await self._session(key, ctx)
        try:
            staged = await self._stage(session, given)
            result = await session.execute(
                code=args["code"], timeout_ms=self.timeout_ms, signal=getattr(ctx, "signal", None)
            )
        except Exception as error:
            if getattr(error, "name", None) in ALREADY_GONE:
                self._sessions.pop(key, None)  # nothing is left to stop, and the next call must not meet it again
            raise
        self._report(ctx, args, result, staged)
        return told(result, self.max_output_chars, staged if self.wants else None)

    def _admitted(self, ctx: Any) -> str:
        name, scope = self.schema.name, self.scope
        if scope not in (getattr(ctx, "teardown_scopes", None) or ()):
            raise ToolRefusedError(f"{name}: nothing here would close a session of scope {scope!r}; it is not opened")
        key = tool_session_key(ctx, scope)
        if key is None:
            raise ToolRefusedError(f"{name}: scope {scope!r} needs a {scope} id, and there is none")
        return key

    async def _session(self, key: str, ctx: Any) -> CodeSession:
        """The session of the key; its end is arranged anew with every call."""
        starting = self._sessions.get(key)
        if starting is None:
            start = self.runner.start(key=key, language=self.language, signal=getattr(ctx, "signal", None))
            starting = self._sessions[key] = asyncio.ensure_future(start)
        try:
            return await asyncio.shield(starting)
        finally:
            if _failed(starting):
                self._forget(key, starting)
            else:  # also for a caller that was cancelled: the session is there, or will be
                ctx.on_teardown(self._closing(key), scope=self.scope, key=key, runner_id=self.runner.id)

    def _closing(self, key: str) -> Callable[[], Awaitable[None]]:
        async def close() -> None:
            starting = self._sessions.pop(key, None)
            if starting is not None:
                await asyncio.wait({starting})
                if not _failed(starting):
                    await starting.result().stop()

        return close

    def _forget(self, key: str, starting: asyncio.Future[CodeSession]) -> None:
        if self._sessions.get(key) is starting:
            del self._sessions[key]

    async def _stage(self, session: CodeSession, given: list[CodeInput]) -> list[StagedCodeInput]:
        if not given:
            return []
        if not can_stage_code_inputs(session):
            names = ", ".join(each.name for each in given)
            raise ToolRefusedError(
                f"{self.schema.name}: sessions of {self.runner.id} have no stage_inputs, which {names} needs"
            )
        staged: list[StagedCodeInput] = list(await session.stage_inputs(given))  # type: ignore[attr-defined]
        return staged

    def _report(self, ctx: Any, args: Mapping[str, Any], result: CodeResult, staged: list[StagedCodeInput]) -> None:
        """Emit the event, where the context can; it holds nothing of the code, the key or the data."""
        emit = getattr(ctx, "emit", None)
        if emit is None:
            return
        payload = {
            "tool": self.schema.name,
            "language": self.language,
            "staged_inputs": len(staged),
            "output_chars": len(result.stdout) + len(result.stderr),
            "truncated": is_cut(result, self.max_output_chars),
            "ok": result.ok,
            "shape_hash": _shape_hash(args),
        }
        emit("tools.code_run", payload)


def _input_schema(language: str, inputs: Mapping[str, str]) -> dict[str, Any]:
    wanted = {name: {"type": "string", "description": description} for name, description in inputs.items()}
    code = {"type": "string", "description": f"The {language} code to run."}
    return {"type": "object", "properties": {"code": code, **wanted}, "required": ["code"]}


def _input(name: str, value: Any) -> CodeInput:
    """An argument as it was resolved: an object or a mapping with its data, or the data itself."""
    if isinstance(value, str | bytes):
        return CodeInput(name=name, data=value)
    media_type = _member(value, "media_type")
    extension = mimetypes.guess_extension((media_type or "").partition(";")[0].strip()) or ""
    return CodeInput(name=name, data=_member(value, "data"), file_name=name + extension, media_type=media_type)


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _failed(starting: asyncio.Future[CodeSession]) -> bool:
    return starting.done() and (starting.cancelled() or starting.exception() is not None)


def _shape_hash(args: Mapping[str, Any]) -> str:
    """A digest of which arguments there were, and of what types: calls of one shape share it."""
    shape = json.dumps({name: type(value).__name__ for name, value in args.items()}, sort_keys=True)
    return hashlib.sha256(shape.encode()).hexdigest()[:12]
