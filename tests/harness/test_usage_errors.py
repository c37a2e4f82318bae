"""Bad input gets one clear message that names the fix, exit status 4, and no report."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.conftest import Runner

WIRE = ("--wire", "openai-chat")

CASES = {
    "unknown module": (("--adapter", "nomodule:X"), "there is no module 'nomodule'"),
    "missing attribute": (("--adapter", "subjects:Nope"), "subjects has no attribute 'Nope'. It has: Adapter"),
    "no target": (("--adapter", "subjects"), "Write module:attribute"),
    "unknown port": (("--adapter", "prowider=subjects:Adapter"), "The ports are provider, provider-wrapper"),
    "url": (("--adapter", "http://127.0.0.1:1"), "subjects given by URL or command are not supported"),
    "url of a port without": (
        ("--adapter", "provider=http://127.0.0.1:1"),
        "not supported for this port, only for relay",
    ),
    "no address": (("--adapter", "relay-server=http://127.0.0.1:x/"), "write http://127.0.0.1:PORT/PATH"),
    "no relay": (("--adapter", "relay-server=subjects:Adapter"), "a factory that names `provider` and `authorize`"),
    "no upstream port": (
        ("--adapter", "relay-server=http://127.0.0.1:1/", "--adapter-option", "upstream=abc"),
        "--adapter-option upstream=abc: write a whole number",
    ),
    "unsupplied argument": (("--adapter", "subjects:demanding", *WIRE), "supplies the required argument colour"),
    "no wire": (("--adapter", "agentports.providers:OpenAIChatProvider"), "The wires are openai-chat"),
    "no wire for a key": (("--adapter", "subjects:unserved"), "api_key can only be supplied for a known wire"),
    "factory raises": (("--adapter", "subjects:failing", *WIRE), "ValueError: no key for you"),
    "no port at all": (("--adapter", "subjects:NoPort"), "of no port that is known here"),
    "not a wrapper": (("--adapter", "provider-wrapper=subjects:Adapter", *WIRE), "a factory that takes `inner`"),
    "wrapper of nothing": (("--adapter", "subjects:nothing_inside"), "has no `complete`"),
    "twice": (("--adapter", "subjects:Adapter", "--adapter", "subjects:Adapter"), "is given twice"),
    "unknown wire": (("--adapter", "subjects:Adapter", "--wire", "telex"), "no wire is named 'telex'"),
    "unknown rule": (("--adapter", "subjects:Adapter", "--invariant", "NOPE"), "--invariant NOPE: no rule matches"),
    "unknown suffix": (("--adapter", "subjects:Adapter", "--conformance-report", "a.txt"), ".json, .html, .md"),
    "directory as report": (("--adapter", "subjects:Adapter", "--conformance-report", "d.json"), "this is a directory"),
    "unwritable report": (
        ("--adapter", "subjects:Adapter", "--conformance-report", "/proc/nowhere/a.json"),
        "cannot be written",
    ),
    "unknown profile": (("--adapter", "subjects:Adapter", "--conformance-profile", "huge"), "quick, default, thorough"),
    "bad seed": (("--adapter", "subjects:Adapter", "--conformance-seed", "x"), "must be a whole number"),
    "bad option": (("--adapter", "subjects:Adapter", "--adapter-option", "x"), "write KEY=VALUE"),
    "bad kind": (("--adapter", "subjects:retry", "--adapter-option", "kind=round"), "the kinds are retry"),
    "option of nobody": (
        ("--adapter", "subjects:Adapter", "--adapter-option", "max_tokns=5"),
        "--adapter-option max_tokns: nothing takes it. The factory subjects:Adapter takes api_key, ",
    ),
    "no number": (
        ("--adapter", "code-runner=agentports.runners:LocalCodeRunner", "--adapter-option", "max_output_chars=abc"),
        "--adapter-option max_output_chars=abc: write a whole number of characters",
    ),
    "no known-failures file": (("--adapter", "subjects:Adapter", "--known-failures", "no.toml"), "cannot be read"),
    "strange known-failures": (("--adapter", "subjects:Adapter", "--known-failures", "subjects.py"), ".toml, .yaml"),
    "unknown option": (("--adapter", "subjects:Adapter", "--conformance-colour"), "unrecognized arguments"),
}


@pytest.mark.parametrize(("arguments", "message"), CASES.values(), ids=CASES)
def test_bad_input_is_one_message_and_no_report(
    run: Runner, place: Path, arguments: tuple[str, ...], message: str
) -> None:
    """The message says what was wrong; nothing of ours is in a traceback; the status is pytest's 4."""
    (place / "d.json").mkdir()
    ran = run(*arguments)
    assert message in ran.text
    assert "Traceback" not in ran.text
    assert ran.status == 4
    assert ran.report is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('NO-SUCH-RULE = "why"', "no rule has the id 'NO-SUCH-RULE'"),
        ('STR-LAZI = "why"', "near it: STR-LAZY"),
        ('STR-LAZY = ""', "STR-LAZY needs a reason"),
        ("[STR-LAZY]\nreason = 3", "STR-LAZY needs a reason"),
        ('[STR-LAZY]\nreason = "why"\nexpires = "soon"', "must be a date"),
        ("[[", "is not valid TOML"),
    ],
)
def test_a_known_failures_file_must_be_true_to_its_form(run: Runner, place: Path, content: str, message: str) -> None:
    """Unknown ids, missing reasons, strange dates and broken files are refused before the run."""
    (place / "known.toml").write_text(content)
    ran = run("--adapter", "subjects:Adapter", "--known-failures", "known.toml")
    assert message in ran.text
    assert ran.status == 4


def test_a_factory_that_fails_is_an_error_of_every_rule_when_its_port_is_stated(run: Runner) -> None:
    """Then the report is there, its verdict is error, and the status is 1."""
    ran = run("--adapter", "provider=subjects:failing", *WIRE)
    assert ran.status == 1
    assert set(ran.outcomes().values()) == {"error"}
    assert ran.report is not None
    assert ran.report["subjects"][0]["verdict"] == "error"


def test_a_factory_that_hangs_is_cut_off(run: Runner) -> None:
    """The message says that building the subject hangs."""
    ran = run("--adapter", "subjects:hanging", *WIRE)
    assert "building the subject hangs" in ran.text
    assert ran.status == 4


def test_an_unknown_setting_in_pyproject_is_refused(run: Runner, place: Path) -> None:
    """The message lists the settings."""
    (place / "pyproject.toml").write_text('[tool.portproof]\nadaptor = "subjects:Adapter"\n')
    ran = run()
    assert "unknown setting adaptor" in ran.text
    assert ran.status == 4
