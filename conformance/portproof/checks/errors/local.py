"""What a local runtime fails with: it is not there, or the model is not (document 20, section 4)."""

from __future__ import annotations

from urllib.parse import urlsplit

from hypothesis import strategies as st

from agentports.sim import Reply, VendorError
from portproof.benches.provider import ProviderBench, Way
from portproof.benches.views import view
from portproof.checks.registry import check
from portproof.running.outcome import expect
from portproof.strategies import markers
from portproof.subjects.vendor import closed_port_url


@check("ERR-LOCAL-UNAVAILABLE", at_most=3, model=markers(), pulled=st.lists(markers(), min_size=1, max_size=3))
async def an_absent_server_is_told_from_an_absent_model(bench: ProviderBench, model: str, pulled: list[str]) -> None:
    for way in bench.ways:
        unreachable = await _unreachable(bench, way)
        missing = await _not_pulled(bench, way, model, pulled)
        apart = _kind(unreachable) != _kind(missing)
        what = f"an absent server and an absent model raise errors of one class, code and reason ({way})"
        expect(apart, what, absent_server=unreachable, absent_model=missing)


async def _unreachable(bench: ProviderBench, way: Way) -> BaseException:
    with closed_port_url() as url:
        async with bench.another(base_url=url) as driver, bench.using(driver):
            error = await bench.error(way)
    named = str(urlsplit(url).port) in str(error)
    expect(named, f"the error does not name the address {url} ({way})", raised=error)
    return error


async def _not_pulled(bench: ProviderBench, way: Way, model: str, pulled: list[str]) -> BaseException:
    listed = {"models": [{"name": name, "model": name, "size": 0} for name in pulled]}
    bench.upstream.aside = lambda request: Reply.json(listed) if request.path.endswith("/api/tags") else None
    bench.play(VendorError(404, f"model '{model}' not found"))
    error = await bench.error(way, bench.request(model=model))
    expect(model in str(error), f"the error does not name the model ({way})", raised=error)
    return error


def _kind(error: BaseException) -> tuple[object, ...]:
    return type(error).__name__, view(error, "code"), view(error, "reason")
