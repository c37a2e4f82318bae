"""What is replaced by its name or its form, and what stays."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentports.sim.wires._eventstream import encode

from .exchanges import JSON, KEY, STREAM, exchange, keep


def answer_of(text: str) -> str:
    """What is written of an answer with this text."""
    kept = keep(exchange(text.encode(), asked=JSON))
    assert kept.text, kept.told
    return kept.body.decode()


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("authorization", "Bearer abc.def-1", "Bearer EXAMPLE"),
        ("authorization", "Basic dXNlcjpwYXNzd29yZDEy", "Basic EXAMPLE"),
        ("authorization", "Key AbCdEfGhIjKl", "Key EXAMPLE"),
        ("x-api-key", "sk-ant-api03-aaaaBBBB", "sk-EXAMPLE"),
        ("api-key", "0123456789abcdef", "EXAMPLE"),
        ("x-goog-api-key", "AIzaSyA-1234567890", "EXAMPLE"),
        ("cookie", "a=b; session=Zx9Qw8Er7Ty6", "EXAMPLE"),
        ("openai-organization", "org-AbCdEf123456", "org-EXAMPLE"),
        ("openai-project", "proj_AbCdEf123456", "proj_EXAMPLE"),
        ("x-goog-user-project", "acme", "EXAMPLE"),
        ("x-amz-security-token", "IQoJb3JpZ2luX2VjE", "EXAMPLE"),
        ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "EXAMPLE"),
        ("x-account", "123456789012", "100000000000"),
        ("anthropic-version", "2023-06-01", "2023-06-01"),
        ("anthropic-beta", "prompt-caching-2024-07-31", "prompt-caching-2024-07-31"),
        ("user-agent", "OpenAI/Python 3.57.0", "OpenAI/Python 3.57.0"),
        ("x-stainless-runtime-version", "3.11.7", "3.11.7"),
    ],
)
def test_request_headers(name: str, value: str, written: str) -> None:
    """Keys, tokens, cookies and accounts are replaced, a scheme and a vendor's prefix stay, and so does the rest."""
    kept = keep(exchange(b"{}", asked=((name, value),)))
    assert kept.interaction["request"]["headers"] == {name: [written]}, kept.told


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("x-request-id", "req_0123456789abcdef", "req_EXAMPLE"),
        ("x-amzn-requestid", "6b1f0c1e-0c55-4a43-9d8f-0a1b2c3d4e5f", "EXAMPLE"),
        ("cf-ray", "8c1d2e3f4a5b6c7d-FRA", "EXAMPLE"),
        ("set-cookie", "__cf_bm=Zx9Qw8; path=/; HttpOnly", "EXAMPLE"),
        ("anthropic-organization-id", "00000000-1111-4000-8000-000000000000", "EXAMPLE"),
        ("retry-after", "7", "7"),
        ("x-ratelimit-limit-project-tokens", "1000000", "1000000"),
        ("anthropic-ratelimit-tokens-reset", "2026-11-30T12:14:00Z", "2026-11-30T12:14:00Z"),
        ("date", "Mon, 30 Nov 2026 12:14:00 GMT", "Mon, 30 Nov 2026 12:14:00 GMT"),
        ("openai-processing-ms", "123", "123"),
    ],
)
def test_response_headers(name: str, value: str, written: str) -> None:
    """Ids and cookies are replaced; limits, waits and moments, which adapters read, stay."""
    kept = keep(exchange(b"{}", headers=((name, value),)))
    assert kept.interaction["response"]["headers"] == {name: [written]}, kept.told


HARMLESS = """
    access-control-expose-headers: X-Request-ID, CF-Ray
    strict-transport-security: max-age=31536000; includeSubDomains; preload
    x-ratelimit-reset-tokens: 1m26.4s
    x-ratelimit-user-retry-after: 12
    x-envoy-upstream-service-time: 260
    anthropic-ratelimit-requests-reset: 2026-11-30T12:14:01Z
    x-amzn-bedrock-output-token-count: 81
    x-amzn-errortype: ThrottlingException:http://internal.amazon.com/coral/com.amazon.bedrock/
    ms-azureml-model-error-statuscode: 429
    x-aml-cluster: hyena-swedencentral-02
    content-type: multipart/mixed; boundary=0123456789abcdef0123
    x-goog-api-client: google-genai-sdk/1.38.0 gl-python/3.13.5
    user-agent: Boto3/1.44.8 md/awscrt#0.27.6 os/linux#6.8.0-31-generic md/arch#x86_64 cfg/retry-mode#legacy
    x-amz-date: 20261130T121400Z
    amz-sdk-request: attempt=1; max=5
    x-model: llama-v3p1-405b-instruct-2026-11-30
"""


def test_what_vendors_and_clients_say_without_a_secret_passes_unchanged() -> None:
    """A false suspicion would cost a recording."""
    headers = [tuple(line.strip().split(": ", 1)) for line in HARMLESS.strip().splitlines()]
    kept = keep(exchange(b"{}", headers=tuple((name, value) for name, value in headers)))
    assert kept.interaction["response"]["headers"] == {name: [value] for name, value in headers}, kept.told


@pytest.mark.parametrize(
    ("target", "written"),
    [
        ("/v1/chat/completions?key=AIzaSyA-1234&alt=sse", "/v1/chat/completions?key=EXAMPLE&alt=sse"),
        ("/v1/chat/completions?api-version=2024-10-21", "/v1/chat/completions?api-version=2024-10-21"),
        ("/v1/projects/acme-42/x/chat/completions", "/v1/projects/EXAMPLE/x/chat/completions"),
        ("/v1/accounts/123456789/chat/completions", "/v1/accounts/100000000/chat/completions"),
        ("/v1/0123456789abcdef0123456789abcdef/gw/chat/completions", "/v1/EXAMPLE/gw/chat/completions"),
        ("/arn:aws:x:eu:123456789012:y/chat/completions", "/arn:aws:x:eu:100000000000:y/chat/completions"),
        ("/arn%3Aaws%3Ax%3Aeu%3A123456789012%3Ay/messages", "/arn%3Aaws%3Ax%3Aeu%3A100000000000%3Ay/messages"),
        ("/models/claude-sonnet-4-5-20250929-v1%3A0/chat/completions",) * 2,
    ],
)
def test_addresses(target: str, written: str) -> None:
    """Keys in the query and accounts in the path are replaced; models and versions stay."""
    wire = "anthropic-messages" if target.endswith("messages") else "openai-chat"
    kept = keep(exchange(b"{}", target=target), wire=wire)
    assert kept.interaction["request"]["uri"] == f"https://api.openai.com{written}", kept.told


@pytest.mark.parametrize(
    ("upstream", "written"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com"),
        ("https://acme-prod-7.openai.azure.com", "https://example.openai.azure.com"),
        ("https://llm.corp.internal:8443", "https://api.example.com:8443"),
        ("http://gateway/v1", "http://api.example.com"),
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434"),
    ],
)
def test_hosts(upstream: str, written: str) -> None:
    """The vendors' own hosts stay; a resource's name and a private host do not, wherever they are repeated."""
    host = upstream.split("/")[2].split(":")[0]
    kept = keep(exchange(f"no route to {host}".encode()), upstream=upstream)
    assert kept.interaction["request"]["uri"] == f"{written}/v1/chat/completions"
    assert (host in kept.text) == (host in written or host == "gateway")


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("in organization org-AbCdEfGh12345678 on tokens", "in organization org-EXAMPLE on tokens"),
        ("(org: 01234567-89ab-4cde-8f01-23456789abcd, m)", "(org: EXAMPLE, m)"),
        ("Incorrect API key provided: sk-12345*******6789.", "Incorrect API key provided: sk-EXAMPLE."),
        ("the request ID 9d0a1b2c3d4e5f60 in your message", "the request ID EXAMPLE in your message"),
        ("arn:aws:bedrock:us-east-1:123456789012:model/x", "arn:aws:bedrock:us-east-1:100000000000:model/x"),
        ("consumer projects/8123456789 has", "consumer projects/1000000000 has"),
        ("model ft:gpt-4o-mini-2024-07-18:acme:bot:9abCdEf no", "model ft:gpt-4o-mini-2024-07-18:EXAMPLE no"),
        ("svc@acme-42.iam.gserviceaccount.com may not", "EXAMPLE may not"),
        ("Bearer abcdefghijklmnop0 is bad", "Bearer EXAMPLE is bad"),
        ("see https://x.blob/y?se=1&sig=Zx9%2Bw8&api-version=2", "see https://x.blob/y?se=1&sig=EXAMPLE&api-version=2"),
        ("postgres://me:hunter2@db/x", "postgres://me:EXAMPLE@db/x"),
        ("got x-api-key: abcdef123456 for it", "got x-api-key: EXAMPLE for it"),
        ("AIza" + "Sy0-_" * 8, "EXAMPLE"),
        ("AKIAABCDEFGHIJKLMNOP", "EXAMPLE"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM", "EXAMPLE"),
        ("Rate limit of 30,000 tokens per min. Limit 30000, used 18928", None),
        ("max_tokens: 4096 > 2048, see https://docs.claude.com/en/api/rate-limits", None),
        ("/***** key points *****/ and task-list-of-all-things", None),
    ],
)
def test_sentences(said: str, written: str | None) -> None:
    """Vendors name accounts and keys in their messages, which otherwise stay to the letter."""
    assert answer_of(said) == (said if written is None else written)


@pytest.mark.parametrize(
    ("member", "written"),
    [
        ({"request_id": "req_011CabcDEF"}, {"request_id": "req_EXAMPLE"}),
        ({"requestId": "x"}, {"requestId": "EXAMPLE"}),
        ({"user_id": "user_2abc"}, {"user_id": "user_EXAMPLE"}),
        ({"project_number": 8123456789}, {"project_number": 1000000000}),
        ({"nested": '{"api_key": "abc"}'}, {"nested": '{"api_key": "EXAMPLE"}'}),
        (
            {"nested": json.dumps({"deep": '{"orgId": "abc"}'})},
            {"nested": json.dumps({"deep": '{"orgId": "EXAMPLE"}'})},
        ),
        ({"access_token": 'quo"te\\'}, {"access_token": "EXAMPLE"}),
        ({"user": None, "project": {"type": "string"}, "token": " the", "key": "a", "id": "call_1"},) * 2,
        ({"signature": "Eu8B" * 20, "thoughtSignature": "Q2lR" * 20, "model": "gpt-4o-2024-08-06"},) * 2,
    ],
)
def test_members(member: dict[str, Any], written: dict[str, Any]) -> None:
    """Members of JSON are known by name, also inside strings; ids of answers and calls and signatures stay."""
    assert json.loads(answer_of(json.dumps(member))) == written
    assert json.loads(answer_of(json.dumps(member, indent=2))) == written


def test_an_id_in_a_header_is_replaced_in_the_body_too() -> None:
    """Whatever a name gives away is looked for everywhere; different ids stay different."""
    headers = (("x-request-id", "req_0123456789abcdef"), ("x-other-id", "req_fedcba9876543210"))
    kept = keep(exchange(b"see req_fedcba9876543210, req_0123456789abcdef", headers=headers))
    assert kept.body == b"see req_EXAMPLE2, req_EXAMPLE"


def test_short_keys_and_plain_words_do_not_shred_the_text() -> None:
    """A key of fewer than eight characters, or a user who is called like a word, is replaced only by its name."""
    body = b'{"user": "assistant", "role": "assistant", "content": "ollama says ollama"}'
    kept = keep(exchange(body, asked=(("authorization", "Bearer ollama"),)))
    assert kept.body == body.replace(b'"user": "assistant"', b'"user": "EXAMPLE"')
    assert kept.interaction["request"]["headers"] == {"authorization": ["Bearer EXAMPLE2"]}


def test_names_of_the_users_own() -> None:
    """--scrub names headers, parameters and members, in whatever spelling."""
    made = exchange(b'{"caseFile": "12-B"}', target="/chat/completions?case_file=x1", headers=(("case-file", "red"),))
    kept = keep(made, scrub=["CASE-FILE"])
    assert json.loads(kept.body)["caseFile"].startswith("EXAMPLE")
    assert kept.interaction["response"]["headers"]["case-file"][0].startswith("EXAMPLE")
    assert "case_file=EXAMPLE" in kept.interaction["request"]["uri"]


@pytest.mark.parametrize("coding", ["gzip", "deflate", "bare deflate"])
def test_compressed_bodies_are_written_decoded(coding: str) -> None:
    """What arrived together stays together, and the header that says how to decode goes."""
    compress = zlib.compressobj(wbits={"gzip": 31, "deflate": 15, "bare deflate": -15}[coding])
    lines = [f"data: {n} {KEY}\n\n".encode() for n in range(3)]
    pieces = [compress.compress(line) + compress.flush(zlib.Z_SYNC_FLUSH) for line in lines] + [compress.flush()]
    headers = (*STREAM, ("content-encoding", coding.split()[-1]))
    kept = keep(exchange(*pieces, headers=headers))
    assert kept.chunks == [line.replace(KEY.encode(), b"sk-EXAMPLE") for line in lines], kept.told
    assert "content-encoding" not in kept.interaction["response"]["headers"]


def test_a_compressed_request_is_written_decoded() -> None:
    """A key in it is found."""
    asked = (("x-api-key", KEY), ("content-encoding", "gzip"))
    kept = keep(exchange(b"{}", sent=gzip.compress(f'{{"k": "{KEY}"}}'.encode()), asked=asked))
    assert kept.interaction["request"]["body"] == '{"k": "sk-EXAMPLE"}'


def test_a_chunk_of_which_nothing_is_left_gives_its_pause_to_the_next() -> None:
    """The whole time stays."""
    kept = keep(exchange(*(KEY[i : i + 1].encode() for i in range(len(KEY))), b" end", headers=STREAM))
    assert kept.body == b"sk-EXAMPLE end"
    assert sum(kept.recording.about.waits_ms[0]) == 1000.0 * (len(KEY) + 1)
    assert kept.recording.about.waits_ms[0][-1] == 1000.0 * (len(KEY) + 1 - len("sk-EXAMPLE"))


@pytest.mark.parametrize("length", range(8, len(KEY)))
def test_a_key_that_a_broken_connection_cut_short_is_replaced(length: int) -> None:
    """Its beginning is a secret as well."""
    kept = keep(exchange(f"you said {KEY[:length]}".encode(), ending="vendor-cut"))
    assert kept.body.startswith(b"you said sk-EXAMPLE")
    assert kept.recording.about.cut
    assert keep(exchange(b'{"request_id": "req_0', ending="vendor-cut")).body == b'{"request_id": "req_EXAMPLE'


def test_a_broken_off_frame_is_kept_as_it_is() -> None:
    """Nothing secret stands in it, so nothing need be done."""
    stream = encode({":event-type": "x"}, b'{"a": 1}') * 2
    headers = (("content-type", "application/vnd.amazon.eventstream"),)
    kept = keep(exchange(stream[:-7], headers=headers, status=200, ending="vendor-cut"))
    assert kept.body == stream[:-7]


letters = st.characters(codec="utf-8", exclude_characters="\0")


@settings(deadline=None, max_examples=100)
@given(st.text(letters), st.text(letters, max_size=9))
def test_any_text_is_written_so_that_it_reads_back(body: str, more: str) -> None:
    """YAML has rules for ends of lines and odd characters; none of them touches a body."""
    kept = keep(exchange(body.encode(), sent=more.encode(), headers=JSON))
    assert kept.text, kept.told
    assert kept.body == body.encode()
