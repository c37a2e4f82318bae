"""What the headers and the address of a request say of who asks, value by value."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Set
from urllib.parse import unquote, unquote_plus, urlsplit

from portproof.recording.exchanges import Headers
from portproof.recording.marks import marks
from portproof.recording.naming import holds_secret, is_credential
from portproof.recording.patterns import looks_random
from portproof.recording.secrets import SHORTEST, Secrets

__all__ = ["learn_address", "learn_headers", "without_scheme"]

_SCHEME = re.compile(r"(?i)(?P<scheme>bearer|basic|token|aws4-hmac-sha256)\s+(?P<rest>.+)")
_ANY_SCHEME = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9-]*)\s+(?P<rest>.+)")
_SIGNED_BY = re.compile(r"(?:Credential|Signature)=([^\s,/]+)")


def learn_headers(headers: Headers, where: str, also: Set[str], secrets: Secrets) -> None:
    """Learn what stands in headers of secret names, and what looks like a secret in the others."""
    for name, value in headers:
        place = f"{where} header {name}"
        if holds_secret(name, "header", also):
            for part in _parts(name, value):
                secrets.learn(part, place, is_credential(name))
        for mark in marks(value.encode(), also):
            secrets.learn(mark.value, place, mark.kind == "credential")


def learn_address(target: str, also: Set[str], secrets: Secrets) -> None:
    """Learn the secrets of an address: parameters by name, projects and accounts in the path, random path segments."""
    address = urlsplit(target)
    for name, value in _parameters(address.query):
        if holds_secret(name, "query", also):
            secrets.learn(value, f"query parameter {name}", is_credential(name))
    for mark in marks(unquote(address.path).encode(), also):
        secrets.learn(mark.value, "path", mark.kind == "credential")
    for segment in unquote(address.path).split("/"):
        if looks_random(segment):
            secrets.learn(segment, "path", credential=True)


def _parameters(query: str) -> Iterator[tuple[str, str]]:
    for parameter in query.split("&"):
        name, _, value = parameter.partition("=")
        yield unquote_plus(name), unquote_plus(value)


def without_scheme(name: str, value: str) -> tuple[str, str]:
    """Split the scheme from a header such as `Authorization`; `""` where it has none."""
    match = (_ANY_SCHEME if name.endswith("authorization") else _SCHEME).fullmatch(value.strip())
    return (match["scheme"], match["rest"].strip()) if match else ("", value)


def _parts(name: str, value: str) -> Iterator[str]:
    """The value and what of it may turn up alone: a token without its scheme, each cookie, each id of several."""
    scheme, rest = without_scheme(name, value)
    if scheme:
        yield from _proofs(scheme.lower(), rest)
    elif name in ("cookie", "set-cookie"):
        pairs = value.split(";") if name == "cookie" else value.split(";")[:1]
        yield from (pair.partition("=")[2].strip().strip('"') for pair in pairs)
    else:
        yield value
        parts = re.split(r"[\s,;=|/:]+" if not name.endswith("-ray") else "-", value)
        yield from (part for part in parts if len(part) >= SHORTEST and re.search(r"\d", part))


def _proofs(scheme: str, rest: str) -> Iterator[str]:
    if scheme == "aws4-hmac-sha256":
        yield from _SIGNED_BY.findall(rest)
        return
    yield rest
    if scheme == "basic":
        try:
            pair = base64.b64decode(rest).decode()
        except (binascii.Error, UnicodeDecodeError):
            return
        yield pair
        yield from pair.split(":", 1)
