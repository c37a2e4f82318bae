"""An exchange without its secrets: first all of them are learnt, then each is replaced wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from urllib.parse import unquote_plus

import httpx

from portproof.recording.body import Body, edits_in
from portproof.recording.credentials import learn_address, learn_headers, without_scheme
from portproof.recording.edits import applied, rechunked
from portproof.recording.exchanges import Exchange, Headers
from portproof.recording.hosts import learn_host
from portproof.recording.naming import holds_secret, is_dropped
from portproof.recording.patterns import looks_random
from portproof.recording.refusals import Refused
from portproof.recording.secrets import Secrets

__all__ = ["Scrubbed", "scrubbed"]

#: Their long tokens are beside the point: a boundary, a moment, versions.
_UNSUSPICIOUS = frozenset({"content-type", "x-amz-date", "user-agent", "x-amz-user-agent"})


@dataclass(frozen=True)
class Scrubbed:
    """What may be written down."""

    uri: str
    asked_headers: Headers
    asked_body: bytes
    reason: str
    headers: Headers
    body: bytes
    sizes: tuple[int, ...]
    waits_ms: tuple[float, ...]


def scrubbed(exchange: Exchange, upstream: httpx.URL, also: Set[str], secrets: Secrets) -> Scrubbed:
    """Replace every secret of an exchange. Raises `Refused`.

    `also` are further names of secrets, as `same_name` writes them; `secrets` are those known before, and learn more.
    """
    asked, answer = exchange.asked, exchange.answer
    sent = Body([asked.body], asked.headers)
    came = Body([piece.data for piece in answer.pieces], answer.headers, answer.ending == "finished")
    host = learn_host(upstream.host, secrets)
    learn_address(asked.target, also, secrets)
    learn_headers(asked.headers, "request", also, secrets)
    learn_headers(answer.headers, "response", also, secrets)
    sent.learn("request body", also, secrets)
    came.learn("response body", also, secrets)
    edits = came.edits(also, secrets)
    return Scrubbed(
        _root(upstream, host) + _address(asked.target, also, secrets),
        tuple(_headers(asked.headers, also, secrets)),
        applied(sent.data, sent.edits(also, secrets)),
        _text(answer.reason, also, secrets),
        tuple(_headers(answer.headers, also, secrets)),
        applied(came.data, edits),
        *rechunked(came.sizes, [piece.wait_ms for piece in answer.pieces], edits),
    )


def _text(text: str, also: Set[str], secrets: Secrets) -> str:
    raw = text.encode()
    return applied(raw, edits_in(raw, also, secrets)).decode()


def _root(upstream: httpx.URL, host: str) -> str:
    return str(upstream.copy_with(host=host, raw_path=b"/")).removesuffix("/")


def _address(target: str, also: Set[str], secrets: Secrets) -> str:
    path, mark, query = target.partition("?")
    parameters = [_parameter(parameter, also, secrets) for parameter in query.split("&")]
    return _text(path, also, secrets) + mark + "&".join(parameters)


def _parameter(parameter: str, also: Set[str], secrets: Secrets) -> str:
    name, equals, value = parameter.partition("=")
    if holds_secret(unquote_plus(name), "query", also):
        return name + equals + secrets.stand_in(unquote_plus(value))
    left = _text(parameter, also, secrets)
    if looks_random(unquote_plus(left.partition("=")[2])):
        raise Refused(_suspicion(f"query parameter {name}", name))
    return left


def _headers(headers: Headers, also: Set[str], secrets: Secrets) -> Iterator[tuple[str, str]]:
    for name, value in headers:
        if holds_secret(name, "header", also):
            yield name, _stand_in(name, value, secrets)
        elif not is_dropped(name):
            left = _text(value, also, secrets)
            if name not in _UNSUSPICIOUS and looks_random(left):
                raise Refused(_suspicion(f"header {name}", name))
            yield name, left


def _stand_in(name: str, value: str, secrets: Secrets) -> str:
    if name in ("cookie", "set-cookie"):
        return "EXAMPLE"
    scheme, rest = without_scheme(name, value)
    if scheme.lower() == "aws4-hmac-sha256":
        return f"{scheme} EXAMPLE"
    return f"{scheme} {secrets.stand_in(rest)}".lstrip()


def _suspicion(where: str, name: str) -> str:
    return f"the {where} holds a long token that may be a secret; --scrub {name} replaces it"
