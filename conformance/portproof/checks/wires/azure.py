"""Azure's variant of openai-chat: the address of a deployment, and where the key is (document 12, section 2)."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from hypothesis import strategies as st

from agentports.sim import RecordedRequest
from portproof.benches.provider import ProviderBench
from portproof.checks.registry import check
from portproof.running.outcome import NotApplicable, expect_equal
from portproof.strategies import markers, model_ids

_SHORTHANDS = ("azure", "azure-openai", "openai")
_DEPLOYMENT = "a deployment/of ours"
_ENDINGS = st.sampled_from(["", "/", "/openai", "/openai/"])


@check("WIRE-AZ-URL", ending=_ENDINGS, deployment=st.sampled_from(["plain-1", _DEPLOYMENT]))
async def every_spelling_of_the_endpoint_gives_the_deployments_path(
    bench: ProviderBench, ending: str, deployment: str
) -> None:
    root = bench.upstream.base_url
    async with bench.another(**_for_deployment(bench, deployment, base_url=root + ending)) as driver:
        async with bench.using(driver):
            for way in bench.ways:
                await bench.sent(way, bench.request(model="azure"))
                _expect_address(bench.last, urlsplit(root).path, deployment, way)


def _expect_address(sent: RecordedRequest, root: str, deployment: str, way: str) -> None:
    newer = f"{root}/openai/v1/chat/completions"
    expected = newer if sent.raw_path == newer else f"{root}/openai/deployments/{deployment}/chat/completions"
    expect_equal(sent.path, expected, f"the path, decoded ({way})", path=sent.raw_path)
    expect_equal(_addressed(sent), deployment, f"the deployment in the path ({way})", path=sent.raw_path)
    if sent.raw_path != newer:
        expect_equal(len(sent.query.get("api-version", [])), 1, f"the number of api-versions ({way})", query=sent.query)


@check("WIRE-AZ-API-KEY-HEADER", at_most=5, secret=markers())
async def the_key_is_in_the_api_key_header(bench: ProviderBench, secret: str) -> None:
    async with bench.with_key(f"key-{secret}"):
        for way in bench.ways:
            await bench.sent(way)
            headers = {name: bench.last.headers.get(name) for name in ("api-key", "authorization")}
            expect_equal(headers, {"api-key": f"key-{secret}", "authorization": None}, f"the headers ({way})")


@check("WIRE-AZ-DEPLOYMENT", at_most=6, other=model_ids().filter(lambda model: model not in _SHORTHANDS))
async def shorthands_mean_the_configured_deployment(bench: ProviderBench, other: str) -> None:
    async with bench.another(**_for_deployment(bench, "ours")) as driver, bench.using(driver):
        for way in bench.ways:
            for model, expected in {**dict.fromkeys(_SHORTHANDS, "ours"), other: other}.items():
                await bench.sent(way, bench.request(model=model))
                expect_equal(_addressed(bench.last), expected, f"the deployment for the model {model} ({way})")


def _for_deployment(bench: ProviderBench, deployment: str, **supplied: Any) -> dict[str, Any]:
    if not bench.subject.takes("deployment"):
        raise NotApplicable("the factory takes no deployment")
    return {"deployment": deployment, **supplied}


def _addressed(sent: RecordedRequest) -> Any:
    """The deployment that a request addresses: one segment of its path, or, on the newer path, the body's model."""
    _, found, rest = sent.raw_path.partition("/openai/deployments/")
    return unquote(rest.partition("/")[0]) if found else (sent.json or {}).get("model")
