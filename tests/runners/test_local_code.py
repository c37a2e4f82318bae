"""The local runner: what the code is given, and what comes back."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from agentports.ports import (
    STAGED_INPUTS_ENV,
    CodeInput,
    CodeResult,
    InterpreterMissingError,
    Truncation,
    UnknownLanguageError,
)
from agentports.runners import LocalCodeRunner, can_stage_code_inputs

from .code_sessions import READ_INPUTS, in_session, opened

#: More than one argument of a command can carry.
_LONG = 200_000


def executed(runner: LocalCodeRunner, *codes: str, **options: Any) -> list[CodeResult]:
    """The results of these codes, run one after the other in one session."""

    async def use(session: Any) -> list[CodeResult]:
        return [await session.execute(code=code, **options) for code in codes]

    results: list[CodeResult] = in_session(runner, use)
    return results


def test_streams_come_back_apart_and_the_status_is_the_codes_own() -> None:
    """Whatever the status is; it decides `ok`, and nothing is added to either stream."""
    both, silent, failed, killed = executed(
        LocalCodeRunner(),
        "import sys; print('é out'); print('err', file=sys.stderr)",
        "import sys; sys.exit(255)",
        "print('before'); 1/0",
        "import os; os.kill(os.getpid(), 9)",
    )
    assert both == CodeResult(ok=True, stdout="é out\n", stderr="err\n", exit_code=0, artifacts=())
    assert silent == CodeResult(ok=False, exit_code=255, artifacts=())
    assert (failed.ok, failed.exit_code, failed.stdout) == (False, 1, "before\n")
    assert failed.stderr.endswith("ZeroDivisionError: division by zero\n")
    assert killed == CodeResult(ok=False, exit_code=-9, artifacts=())


def test_output_is_text_whatever_its_bytes_are() -> None:
    """A character may come in two writes; bytes that are none are replaced."""
    code = "import os, time; os.write(1, b'\\xe2\\x82'); time.sleep(.05); os.write(1, b'\\xac\\xff|\\x00\\r\\n')"
    assert executed(LocalCodeRunner(), code)[0].stdout == "€\ufffd|\0\r\n"


def test_what_is_cut_is_stated_in_characters() -> None:
    """Not at the limit itself; more than pipes and buffers hold is no trouble on either stream."""
    at, beyond, flood = executed(
        LocalCodeRunner(max_output_chars=5),
        "print('😀' * 5, end='')",
        "import sys; print('😀' * 6, end=''); print('abc', file=sys.stderr)",
        "import sys\nfor _ in range(40): sys.stdout.write('x' * 100_000); sys.stderr.write('y' * 50_000)",
    )
    assert (at.stdout, at.truncated) == ("😀" * 5, None)
    assert (beyond.stdout, beyond.stderr) == ("😀" * 5, "abc\n")
    assert beyond.truncated == Truncation(stdout=True, of_chars=6)
    assert (flood.ok, flood.stdout, flood.stderr) == (True, "xxxxx", "yyyyy")
    assert flood.truncated == Truncation(stdout=True, stderr=True, of_chars=4_000_000)


@pytest.mark.parametrize(
    ("language", "code", "printed"),
    [
        ("python", "-1; print('minus')", "minus\n"),
        ("python", "# \"'\\ $HOME `x` €\nprint('\\'\"$HOME\\\\')", "'\"$HOME\\\n"),
        ("python", f"# {'x' * _LONG}\nimport sys; print(__name__, sys.argv)", "__main__ ['-c']\n"),
        ("bash", "-x || echo minus", "minus\n"),
        ("bash", f"# {'x' * _LONG}\necho $0 $#", "bash 0\n"),
        ("node", "-1; console.log('minus')", "minus\n"),
        ("node", "", ""),
        ("node", f"// {'x' * _LONG}\nconsole.log(typeof require)", "function\n"),
    ],
    ids=lambda value: value[:12],
)
def test_code_arrives_as_it_is_whatever_its_first_character_and_length(language: str, code: str, printed: str) -> None:
    """In every language that the runner knows."""
    [result] = executed(LocalCodeRunner(), code, language=language)
    assert (result.stdout, result.ok) == (printed, True)


def test_code_that_no_argument_can_carry_fails_as_code_does() -> None:
    """A NUL is the code's mistake; text that is no Unicode never becomes code."""
    [nul] = executed(LocalCodeRunner(), "print(1)\0")
    assert (nul.ok, nul.exit_code) == (False, 1)
    assert "null byte" in nul.stderr
    with pytest.raises(UnicodeEncodeError):
        executed(LocalCodeRunner(), "print('\ud800')")


def test_the_code_sees_the_search_path_and_what_was_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else of the host, no manifest without inputs, no input, and a directory of its own."""
    monkeypatch.setenv("SECRET", "s")
    monkeypatch.setenv(STAGED_INPUTS_ENV, "from the host")
    path = f"/opt/none:{os.environ['PATH']}"
    configured = {"PATH": path, "MINE": "1", STAGED_INPUTS_ENV: "from the operator"}
    runner = LocalCodeRunner(env=configured, interpreters={"python": [sys.executable, "-c"]})
    code = "import os, sys, json; print(json.dumps([dict(os.environ), sys.stdin.read(), os.getcwd()]))"
    [result] = executed(runner, code)
    environment, read, place = json.loads(result.stdout)
    assert environment.items() >= {"PATH": path, "MINE": "1"}.items()
    assert environment.keys() <= {"PATH", "MINE", "AF_OUTPUT_DIR", "LC_CTYPE"}
    assert read == ""
    assert place != str(Path.cwd())


def test_staged_inputs_are_read_through_the_manifest_in_every_later_execution() -> None:
    """An operator's variable of that name loses; after the stop the files are gone."""

    async def main() -> None:
        async with opened(LocalCodeRunner(env={STAGED_INPUTS_ENV: "{}"})) as session:
            assert can_stage_code_inputs(session)
            one, two = await session.stage_inputs(
                [CodeInput(name="a/b", data="é\r\n"), CodeInput(name="c", file_name="d.csv", data=b"\xff")]
            )
            assert [(each.name, each.bytes) for each in (one, two)] == [("a/b", 4), ("c", 1)]
            for _ in range(2):
                result = await session.execute(code=READ_INPUTS)
                assert result.stdout == "{'a/b': b'\\xc3\\xa9\\r\\n', 'c': b'\\xff'}\n"
            assert two.path.endswith("/d.csv")
        assert not Path(one.path).parent.exists()

    asyncio.run(main())


def test_files_in_the_output_folder_are_described_with_their_true_sizes() -> None:
    """Small ones with their content; links are not followed, and each execution has a folder of its own."""
    code = (
        "import os; os.chdir(os.environ['OUT']); os.mkdir('sub'); os.mkfifo('pipe')\n"
        "open('sub/a.bin', 'wb').write(bytes(3)); open('big', 'wb').truncate(3_000_000)\n"
        "os.symlink('/etc/passwd', 'link'); os.symlink('/etc', 'place'); open(b'\\xff', 'w')"
    )
    runner = LocalCodeRunner(output_dir_env="OUT")
    left, none, failed = executed(runner, code, "pass", "import os; open(os.environ['OUT'] + '/x', 'w'); 1/0")
    assert left.artifacts is not None
    assert [(each.name, each.bytes, each.data) for each in left.artifacts] == [
        ("big", 3_000_000, None),
        ("sub/a.bin", 3, bytes(3)),
        ("\ufffd", 0, b""),
    ]
    assert all(each.uri is not None and each.uri.startswith("file:///") for each in left.artifacts)
    assert none.artifacts == ()
    assert [each.name for each in failed.artifacts or ()] == ["x"]


def test_a_runner_without_an_output_folder_reports_no_artifacts() -> None:
    """Absent, not empty, and the code is told of none."""
    [result] = executed(LocalCodeRunner(output_dir_env=None), "import os; print('AF_OUTPUT_DIR' in os.environ)")
    assert (result.stdout, result.artifacts) == ("False\n", None)


def test_the_language_is_the_calls_else_the_sessions_else_the_first() -> None:
    """An unknown one is named and refused, at the start and at a call."""

    async def main() -> None:
        runner = LocalCodeRunner()
        async with opened(runner, language="bash") as session:
            assert (await session.execute(code="echo $((1+1))")).stdout == "2\n"
            assert (await session.execute(code="print(3)", language="python")).stdout == "3\n"
            with pytest.raises(UnknownLanguageError, match="klingon"):
                await session.execute(code="", language="klingon")
        with pytest.raises(UnknownLanguageError, match="klingon"):
            await runner.start(key="k", language="klingon")

    asyncio.run(main())
    own = LocalCodeRunner(interpreters={"python": [sys.executable, "-I", "-c"]})
    assert executed(own, "import sys; print(sys.flags.isolated)")[0].stdout == "1\n"


def test_an_interpreter_that_cannot_be_run_is_named() -> None:
    """That is no result: the model could not mend it."""
    with pytest.raises(InterpreterMissingError, match="/no/such") as caught:
        executed(LocalCodeRunner(interpreters={"python": ["/no/such", "-c"]}), "pass")
    assert caught.value.command == "/no/such"


def test_settings_that_make_no_sense_are_refused() -> None:
    """At once, not at the first execution."""
    for wrong in ({"timeout_ms": -1}, {"max_output_chars": -1}, {"interpreters": {}}, {"interpreters": {"x": []}}):
        with pytest.raises(ValueError, match="must"):
            LocalCodeRunner(**wrong)  # type: ignore[arg-type]


def test_keys_that_look_alike_share_nothing() -> None:
    """Each session has its own id, its own files, and its own directory to work in."""
    keys = ["t=a/p=b/r=1", "t=a/p=b/r=1 ", "T=a/p=b/r=1", "t=a-p=b-r=1", "x" * 300, "x" * 301, "é", "e\u0301"]

    async def main() -> None:
        runner = LocalCodeRunner()
        sessions: list[Any] = [await runner.start(key=key) for key in keys]
        try:
            assert len({session.id for session in sessions}) == len(keys)
            for session, key in zip(sessions, keys, strict=True):
                await session.stage_inputs([CodeInput(name="n", data=key)])
            look = f"{READ_INPUTS}; print(os.listdir(), os.mkdir('mine'))"
            for session, key in zip(sessions[:3], keys, strict=False):
                assert (await session.execute(code=look)).stdout == f"{{'n': {key.encode()}}}\n[] None\n"
        finally:
            await asyncio.gather(*(session.stop() for session in sessions))

    asyncio.run(main())
