"""The adapter for Azure OpenAI."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from agentports.ports import LLMToolSchema, ProviderError, ToolChoice, forced_tool_choice_for
from agentports.providers import AzureOpenAIProvider
from tests.providers.provider_doubles import KEY, Vendor, ask, completion, delta, read, sse

ENDPOINTS = [
    "https://res.azure.com",
    "https://res.azure.com/",
    "https://res.azure.com/openai",
    "https://res.azure.com/openai/",
]
PATH = "/openai/deployments/{}/chat/completions?api-version=2024-10-21"


def azure(vendor: Vendor, **options: Any) -> AzureOpenAIProvider:
    """Build the adapter that talks to a vendor."""
    given: dict[str, Any] = {"endpoint": ENDPOINTS[0]} if not {"endpoint", "base_url"} & set(options) else {}
    given |= {"api_key": KEY, "deployment": "dep", "api_version": "2024-10-21", "client": vendor.client}
    return AzureOpenAIProvider(**given | options)


def sent(model: str = "azure", **options: Any) -> httpx.Request:
    """Return the request of a complete call."""
    vendor = Vendor(completion())
    asyncio.run(azure(vendor, **options).complete(ask(model=model, max_tokens=5)))
    return vendor.requests[0]


@pytest.mark.parametrize("named", ["endpoint", "base_url"])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_address(named: str, endpoint: str) -> None:
    """Every spelling of the endpoint gives the same address."""
    assert str(sent(**{named: endpoint}).url) == ENDPOINTS[0] + PATH.format("dep")


def test_deployment_is_encoded() -> None:
    """A blank and a slash in its name stay within one segment of the path."""
    assert sent(deployment="my dep/1").url.raw_path.decode() == PATH.format("my%20dep%2F1")
    assert sent(model="other dep/2").url.raw_path.decode() == PATH.format("other%20dep%2F2")


def test_version_is_encoded() -> None:
    """What the query cannot hold as it is, is escaped."""
    assert sent(api_version="a&b").url.params["api-version"] == "a&b"


def test_key_is_in_its_own_header() -> None:
    """There is no bearer token, and the key is nowhere else."""
    request = sent()
    assert request.headers["api-key"] == KEY
    assert "authorization" not in request.headers
    assert KEY not in str(request.url) + request.content.decode()


@pytest.mark.parametrize("shorthand", ["azure", "azure-openai", "openai"])
def test_shorthands_are_the_configured_deployment(shorthand: str) -> None:
    """They never go to the wire themselves."""
    request = sent(model=shorthand)
    assert str(request.url).endswith(PATH.format("dep"))
    assert shorthand not in request.content.decode()


def test_own_name_is_a_shorthand_too() -> None:
    """Also when the adapter has been given another one; any other id is a deployment of its own."""
    assert str(sent(model="mine", name="mine").url).endswith(PATH.format("dep"))
    assert str(sent(model="mine").url).endswith(PATH.format("mine"))


def test_modern_fields() -> None:
    """The vendor's own fields, streaming included, and a claimed forced choice."""
    vendor = Vendor(pieces=[sse(delta(content="x"), delta("stop"), "[DONE]")])
    tools = [LLMToolSchema(name="add", description="Adds.", input_schema={})]
    provider = azure(vendor)
    asyncio.run(read(provider, ask(max_tokens=5, tools=tools, tool_choice=ToolChoice(name="add"))))
    (body,) = vendor.bodies
    assert body["max_completion_tokens"] == 5
    assert body["stream_options"] == {"include_usage": True}
    assert body["tool_choice"] == {"type": "function", "function": {"name": "add"}}
    assert (provider.name, forced_tool_choice_for(provider, "azure")) == ("azure-openai", True)


def test_reasoning_is_judged_by_the_model_behind_the_deployment() -> None:
    """A deployment may have any name; other deployments are judged by theirs."""
    provider = azure(Vendor(), model="o3-mini")
    assert provider.is_reasoning(provider.resolve_model("azure"))
    assert not provider.is_reasoning("other")
    assert azure(Vendor(), deployment="o3").is_reasoning("o3")
    assert not azure(Vendor(), deployment="o3", model="gpt-4o").is_reasoning("o3")
    assert azure(Vendor(), reasoning=True).is_reasoning("dep")


@pytest.mark.parametrize(
    "options",
    [
        {"deployment": ""},
        {"api_version": ""},
        {"endpoint": None},
        {"endpoint": "https://a", "base_url": "https://b"},
        {"base_url": ""},
    ],
)
def test_construction_refuses_what_is_missing(options: dict[str, Any]) -> None:
    """Deployment, version and exactly one endpoint are needed before any call."""
    with pytest.raises(ValueError, match="must"):
        azure(Vendor(), **options)


def test_failures_name_the_adapter() -> None:
    """And not the vendor whose wire it speaks; the key is not shown."""
    vendor = Vendor({"error": {"message": f"bad key {KEY}", "code": "401"}}, status=401)
    with pytest.raises(ProviderError, match=r"\[azure-openai\] HTTP 401: bad key \*\*\*") as caught:
        asyncio.run(azure(vendor).complete(ask()))
    assert caught.value.provider == "azure-openai"
    assert KEY not in repr(azure(vendor))
