"""What code finds around it: its own text, an environment, a standard input, an interpreter."""

from __future__ import annotations

import asyncio
import os

from hypothesis import strategies as st

from portproof.benches.code import CodeBench
from portproof.benches.code_sessions import Ended
from portproof.checks.registry import check
from portproof.probes.host import host_variable, open_standard_input
from portproof.probes.snippets import Bash
from portproof.running.outcome import Violation, expect, expect_equal
from portproof.running.plain import told
from portproof.strategies import markers

#: Quotes, backslashes, what shells and formatters replace, every kind of line end but the carriage return.
_REPLACED_BY_SHELLS = "$HOME `echo` \\\\ \"x\" 'y' *"
_AWKWARD = "aé日😀 \"'`\\$%{}()<>|&;#!*?~\t\n"

#: How long code may read from what ends at once.
_READING_S = 1.5


@check("CODE-CODE-VERBATIM", at_most=3, text=st.text(_AWKWARD, min_size=1, max_size=60))
async def code_reaches_the_interpreter_as_it_is(bench: CodeBench, text: str) -> None:
    text += _REPLACED_BY_SHELLS
    async with bench.session() as session:
        result = await session.run(bench.code.emit(text, text))
        expect_equal((result.text("stdout"), result.text("stderr")), (text, text), "the text that the code prints")
        for code in bench.code.odd_starts(text):
            result = await session.run(code)
            expect_equal(result.text("stdout"), text, "the text that the code prints", code=code)


@check("CODE-ENV-ALLOWLIST", at_most=1, marker=markers())
async def the_hosts_environment_is_not_seen(bench: CodeBench, marker: str) -> None:
    with host_variable(f"SECRET_{marker}", f"value-{marker}"):
        async with bench.another() as runner, bench.session(runner=runner) as session:
            result = await session.run(bench.code.variables())
    seen = [entry for entry in result.text("stdout").split("\0") if marker in entry]
    expect(not seen, "a variable of the host process reached the code", seen=seen)


@check("CODE-ENV-CONFIGURED-WINS", at_most=1, marker=markers())
async def configured_variables_win(bench: CodeBench, marker: str) -> None:
    configured = {"PATH": f"/nowhere/{marker}:{os.environ.get('PATH', os.defpath)}", f"OWN_{marker}": f"é {marker}"}
    async with bench.another(env=configured) as runner, bench.session(runner=runner) as session:
        for name, value in configured.items():
            result = await session.run(bench.code.variable(name))
            expect_equal(result.text("stdout"), f"={value}", f"the configured variable {name}")


@check("CODE-STDIN-CLOSED")
async def standard_input_ends_at_once(bench: CodeBench) -> None:
    note = bench.note()
    with open_standard_input("from the host\n"):
        async with bench.session() as session:
            code = f"{bench.code.write(note, 'begins to read')}\n{bench.code.stdin()}"
            reading = asyncio.ensure_future(session.attempt(code))
            await bench.settled(lambda: note.exists() or reading.done(), within=10)
            await asyncio.wait({reading}, timeout=_READING_S)
            ended = reading.result() if reading.done() else Ended()
            reading.cancel()
            await asyncio.wait({reading}, timeout=_READING_S)
    if ended.result is None:
        raise Violation("code that reads standard input does not end", raised=_told(ended))
    if ended.result.ok:
        expect_equal(ended.result.text("stdout").strip(), "[]", "what the code read from standard input")


@check("CODE-INTERPRETER-MISSING", at_most=1, marker=markers())
async def a_missing_interpreter_is_named(bench: CodeBench, marker: str) -> None:
    command = f"no-interpreter-{marker}"
    language = str(bench.subject.options.get("language", "python"))
    async with bench.another(interpreters={language: [command, "-c"]}) as runner:
        try:
            async with bench.session(runner=runner, language=language) as session:
                ended = await session.attempt(bench.code.emit("ran"))
        except Violation as refused:
            ended = Ended(error=refused.__cause__)
    expect(ended.error is not None, "code without an interpreter gave a result", got=ended.result and ended.result.raw)
    expect(command in _told(ended), "the exception does not name what could not be run", raised=_told(ended))


@check("CODE-LANGUAGE-UNKNOWN", at_most=2, marker=markers())
async def an_unknown_language_is_refused_by_name(bench: CodeBench, marker: str) -> None:
    language, programs = f"lang-{marker}", [bench.tracing(), bench.tracing(Bash())]
    async with bench.session() as session:
        for code, _ in programs:
            ended = await session.attempt(code, language=language)
            expect(ended.error is not None, "an unknown language gave a result", got=ended.result and ended.result.raw)
            expect(language in _told(ended), "the exception does not name the language", raised=_told(ended))
    expect(not any(ran() for _, ran in programs), "the exception was raised, and the code ran all the same")


def _told(ended: Ended) -> str:
    return told(ended.error) if ended.error is not None else ""
