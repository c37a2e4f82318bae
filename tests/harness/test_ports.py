"""Subjects that are no LLM providers: found by their members, supplied by name, reported as of their own port."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.conftest import Runner

QUICK = ("--conformance-profile", "quick")
OWN = """
class Checker:
    name = "mine"
    def __init__(self, tmp_path, sleep, clock, options, allow="search"):
        assert tmp_path.is_dir() and not list(tmp_path.iterdir())
        self.allow = allow
    async def check(self, request):
        return {"result": "allow" if request.target == self.allow else "deny"}

class Table:
    name = "prices"
    def price_per_token(self, model, kind):
        return {"alpha": {"input": 3e-6, "output": 15e-6, "cache_read": 0, "cache_write": 0}}[model][kind]

class Both(Table):
    def check(self, request):
        return {"result": "deny"}

def both():
    return Both()

def late():
    class Late:
        def __init__(self):
            self.name = "late"
            self.check = lambda request: {"result": "deny"}
    return Late()

def broken(sleep):
    raise OSError("policy.yaml is missing")
"""


@pytest.fixture
def own(place: Path) -> None:
    """A module with a checker and a table."""
    (place / "own.py").write_text(OWN)


@pytest.mark.usefixtures("own")
def test_checkers_and_tables_are_found_by_their_members(run: Runner) -> None:
    """Each is given what it names; every rule of its port is in the report, once."""
    ran = run("--adapter", "own:Checker", "--adapter", "own:Table", "--adapter", "own:late", *QUICK)
    assert ran.report is not None
    subjects = ran.report["subjects"]
    assert [(s["port"], s["name"], s["wire"]) for s in subjects] == [
        ("permission-checker", "mine", None),
        ("pricing-table", "prices", None),
        ("permission-checker", "late", None),
    ]
    assert [len(s["results"]) for s in subjects] == [19, 9, 19]
    assert [s["verdict"] for s in subjects] == ["conformant", "incomplete", "conformant"]
    assert ran.outcomes(0)["PERM-POLICY-ALLOWLIST"] == "not_applicable"
    assert "say --adapter-option models=MODEL,MODEL" in ran.text
    assert ran.status == 0


@pytest.mark.usefixtures("own")
def test_models_and_published_prices_are_options(run: Runner) -> None:
    """A price that is not the stated one is told with both."""
    stated = ("--adapter-option", "models=alpha", "--adapter-option", "price.alpha.input=3")
    ran = run("--adapter", "own:Table", *stated, "--adapter-option", "price.alpha.output=1.5")
    assert ran.outcomes()["PRC-KINDS"] == "passed"
    assert ran.outcomes()["PRC-PER-ONE-TOKEN"] == "failed"
    assert "the output price of alpha is not that of one token: a million cost $1.5" in ran.text
    assert "--adapter-option price.alpha.output=1.5" in ran.result("PRC-PER-ONE-TOKEN")["reproduce"]


def test_the_reference_policy_and_a_price_file_are_subjects(run: Runner, place: Path) -> None:
    """A role policy is made of the roles that the harness supplies; a path is an option like any other."""
    kinds = "\n".join(f"{kind} = 1" for kind in ("input", "output", "cache_read", "cache_write"))
    (place / "prices.toml").write_text(f"[usd_per_million_tokens.alpha]\n{kinds}\n")
    policy, table = "agentports.permissions:PermissionPolicy", "agentports.pricing:load_pricing_table"
    options = ("path=prices.toml", "models=alpha", "price.alpha.input=1")
    ran = run("--adapter", policy, "--adapter", table, *(p for o in options for p in ("--adapter-option", o)), *QUICK)
    assert ran.report is not None
    assert [s["verdict"] for s in ran.report["subjects"]] == ["conformant", "conformant"]
    assert ran.outcomes(0)["PERM-POLICY-ROLE-SWAP"] == "passed"


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("own:both",), "several ports: permission-checker (check), pricing-table (price_per_token)"),
        (("own:Both",), "Say which is meant: permission-checker=own:Both"),
        (("provider=own:Table",), "Table is no provider: it has no method complete"),
        (("pricing-table=own:Checker",), "Checker is no pricing-table: it has no method price_per_token"),
        (("own:broken",), "OSError: policy.yaml is missing"),
        (("own:Table", "--adapter-option", "price.alpha=3"), "write price.MODEL.KIND=DOLLARS"),
        (("own:Table", "--adapter-option", "price.alpha.cached=3"), "KIND is one of input, output"),
        (("own:Table", "--adapter-option", "price.alpha.input=free"), "write US dollars for a million tokens"),
    ],
)
def test_what_cannot_be_told_or_used_is_a_usage_error(run: Runner, arguments: tuple[str, ...], message: str) -> None:
    """One message that says what to do."""
    ran = run("--adapter", *arguments)
    assert message in ran.text
    assert "Traceback" not in ran.text
    assert ran.status == 4
    assert ran.report is None


@pytest.mark.usefixtures("own")
def test_a_stated_port_settles_what_an_object_is_meant_as(run: Runner) -> None:
    """The same object may be a subject of each of its ports."""
    ran = run("--adapter", "permission-checker=own:Both", "--adapter", "pricing-table=own:Both", *QUICK)
    assert ran.report is not None
    assert [s["port"] for s in ran.report["subjects"]] == ["permission-checker", "pricing-table"]


CLASSES = """
from agentports.permissions import PermissionPolicy
from portproof import PermissionCheckerConformance, PricingTableConformance
from own import Table

class TestPolicy(PermissionCheckerConformance):
    def make_subject(self, roles, active_role, rules=None):
        return PermissionPolicy.from_roles(roles, active_role, rules)

class TestPrices(PricingTableConformance):
    options = {"models": ["alpha"], "price.alpha.input": 3, "price.alpha.output": 15.0}

    def make_subject(self):
        return Table()
"""


@pytest.mark.usefixtures("own")
def test_conformance_classes_run_the_same_rules(run: Runner, place: Path) -> None:
    """Inside a project's own test files, by the same names."""
    (place / "test_own.py").write_text(CLASSES)
    ran = run("test_own.py", *QUICK)
    assert ran.report is not None
    assert [s["verdict"] for s in ran.report["subjects"]] == ["conformant", "conformant"]
    assert ran.outcomes(0)["PERM-POLICY-RULE-IDS"] == "passed"
