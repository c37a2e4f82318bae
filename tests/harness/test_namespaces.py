"""Subjects that are sets of functions: modules, classes that are not built, objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.conftest import Runner

ONE = ("--invariant", "ENC-DIGEST-FORM", "--conformance-profile", "quick")
OWN = """
from agentports.plans import decode, encode, plan_digest

class Static:
    encode = staticmethod(encode)
    decode = staticmethod(decode)
    plan_digest = staticmethod(plan_digest)

class Functions:
    def encode(value): return encode(value)
    def decode(data): return decode(data)
    def plan_digest(view): return plan_digest(view)

class Built:
    name = "built"
    def __init__(self, options): self.options = options
    def encode(self, value): return encode(value)
    def decode(self, data): return decode(data)
    def plan_digest(self, view): return plan_digest(view)

class Loud(Built):
    def plan_digest(self, view): return plan_digest(view).upper()

def make(tmp_path):
    return Static
"""


@pytest.fixture(autouse=True)
def own(place: Path) -> None:
    """A module with namespaces of every sort."""
    (place / "own.py").write_text(OWN)


def test_a_module_is_a_subject_as_it_is(run: Runner) -> None:
    """Where its port is stated; the guards and classes that it offers are told."""
    ran = run("--adapter", "encoding=agentports.plans", *ONE)
    assert ran.report is not None
    (subject,) = ran.report["subjects"]
    assert (subject["port"], subject["name"]) == ("encoding", "agentports.plans")
    assert subject["capabilities"]["is_node_ref"] is True
    assert ran.outcomes()["ENC-DIGEST-FORM"] == "passed"
    assert len(subject["results"]) == 44


@pytest.mark.parametrize("name", ["Static", "Functions", "Built", "make"])
def test_a_namespace_may_be_a_class_an_object_or_made_by_a_factory(run: Runner, name: str) -> None:
    """A class whose functions wait for no self is not built."""
    ran = run("--adapter", f"encoding=own:{name}", *ONE)
    assert ran.outcomes()["ENC-DIGEST-FORM"] == "passed"


def test_a_counterexample_shows_values_as_python_writes_them(run: Runner) -> None:
    """As JSON, a tuple could not be told from a list, nor 1 from True."""
    ran = run("--adapter", "own:Loud", *ONE)
    assert ran.status == 1
    result = ran.result("ENC-DIGEST-FORM")
    assert result["message"].startswith("the digest of a known view")
    assert result["counterexample"]["view"].startswith("RawPlanView(plan_id=")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("encoding=json", "is no encoding: it has no method encode, decode, plan_digest"),
        ("encoding=nowhere", "no module 'nowhere'"),
        ("own", "not a target"),
        ("encoding=own:", "not a target"),
    ],
)
def test_what_is_no_namespace_is_a_usage_error(run: Runner, spec: str, message: str) -> None:
    """It says what is missing."""
    ran = run("--adapter", spec)
    assert ran.status == 4
    assert message in ran.text


def test_the_conformance_class_collects_every_rule(run: Runner, place: Path) -> None:
    """Under its own name."""
    (place / "test_mine.py").write_text(
        "from portproof import EncodingConformance\n"
        "import own\n"
        "class TestMine(EncodingConformance):\n"
        "    def make_subject(self):\n"
        "        return own.Static\n"
    )
    ran = run("test_mine.py", "-k", "DIGEST_FORM or DIGEST-FORM")
    assert ran.status == 0
    assert "1 passed" in ran.text
