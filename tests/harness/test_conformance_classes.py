"""The same checks, with the same names, inside a project's own test files."""

from __future__ import annotations

from pathlib import Path

from tests.harness.conftest import Runner

OWN = """
from portproof import ProviderConformance, ProviderWrapperConformance
from subjects import Adapter, Careless

class TestMine(ProviderConformance):
    wire = "openai-chat"

    def make_subject(self, base_url, api_key):
        return Adapter(base_url=base_url, api_key=api_key)

class CarelessConformance(ProviderWrapperConformance):
    options = {"kind": "transparent"}

    async def make_subject(self, inner):
        return Careless(inner)

class _Abstract(ProviderConformance):
    pass

def test_own():
    pass
"""


def test_subclasses_are_collected_beside_other_tests(run: Runner, place: Path) -> None:
    """Every subclass that makes a subject gives one item a rule; other tests run as ever."""
    (place / "test_own.py").write_text(OWN)
    ran = run("test_own.py", "-k", "test_own or WRP-HOOKS-FORWARDED or STR-PARITY", "--conformance-profile", "quick")
    assert ran.report is not None
    assert [s["spec"] for s in ran.report["subjects"]] == ["test_own.py::TestMine", "test_own.py::CarelessConformance"]
    assert ran.outcomes(0)["STR-PARITY-COMPLETE"] == "passed"
    assert ran.outcomes(1)["WRP-HOOKS-FORWARDED"] == "failed"
    assert "test_own.py::CarelessConformance::WRP-HOOKS-FORWARDED" in ran.text
    assert ran.status == 1
    again = "pytest test_own.py::CarelessConformance --conformance-profile quick --conformance-seed 0"
    assert f"{again} --invariant WRP-HOOKS-FORWARDED" in ran.text


def test_workers_report_classes_that_only_they_have_seen(run: Runner, place: Path) -> None:
    """With -n 2 the verdict and the report are there as well."""
    (place / "test_own.py").write_text(OWN)
    ran = run("test_own.py", "-n", "2", "-k", "WRP-HOOKS-FORWARDED")
    assert ran.outcomes(0)["WRP-HOOKS-FORWARDED"] == "failed"


def test_a_class_that_cannot_be_built_is_a_collection_error(run: Runner, place: Path) -> None:
    """The message is the one of the command line, and the other tests of the file are not lost."""
    (place / "test_own.py").write_text(
        "from portproof import ProviderConformance\n"
        "class TestMine(ProviderConformance):\n"
        "    def make_subject(self, base_url):\n"
        "        return None\n"
    )
    ran = run("test_own.py", report=False)
    assert "Add --wire NAME" in ran.text
    assert ran.status == 2
