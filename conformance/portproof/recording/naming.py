"""Which headers, query parameters and JSON members hold secrets or say whose account it is, by their names."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache

__all__ = ["holds_secret", "is_credential", "is_dropped", "same_name"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Proofs of who asks: their values are secrets wherever they stand.
_CREDENTIALS = _words("""
    authorization proxyauthorization cookie setcookie apikey xapikey xgoogapikey key token sig accesstoken
    refreshtoken idtoken authtoken sessiontoken securitytoken bearertoken xamzsecuritytoken xamzcredential
    xamzsignature secret clientsecret secretkey secretaccesskey awssecretaccesskey accesskey accesskeyid
    awsaccesskeyid password passwd privatekey credential
""")
#: Too general to be looked for in JSON, where a `token` is a piece of text and a `key` any word.
_NOT_IN_JSON = _words("key token sig cookie credential")

#: JSON members and query parameters that say whose account it is, or which request it was.
_IDENTITIES = _words("""
    organization organizationid org orgid project projectid projectnumber account accountid accountnumber user userid
    username useremail email tenant tenantid subscriptionid workspaceid requestid xrequestid traceid correlationid
    sessionid clientid customerid teamid safetyidentifier promptcachekey
""")

#: Vendors put their own names before these.
_ENDS = ("apikey", "accesstoken", "requestid", "traceid", "sessionid", "accountid")

#: Words in a header's name that say the same.
_TELLING = _words("""
    key token secret auth authorization password signature credential cookie session id ids uuid guid org organization
    project account user tenant subscription workspace team customer email trace traceparent tracestate ray span
    correlation etag fingerprint forwarded ip ref sha256
""")
#: Words that say that a number is meant: `x-ratelimit-limit-project-tokens`, `…-output-token-count`.
_MEASURING = _words("ratelimit limit remaining reset count time latency duration cost")
_HARMLESS = _words("user-agent x-amz-user-agent")

#: Headers of one transfer, or for browsers, full of passing tokens and without meaning for an adapter.
_DROPPED = _words("""
    connection keep-alive transfer-encoding content-length content-encoding accept-encoding te trailer via upgrade host
    proxy-connection report-to nel alt-svc expect-ct server-timing content-security-policy permissions-policy p3p
    content-security-policy-report-only x-served-by x-timer
""")


@lru_cache(maxsize=4096)
def same_name(name: str) -> str:
    """The name as it is compared: `apiKey`, `api_key` and `API-Key` are one."""
    return re.sub("[^a-z0-9]", "", name.lower())


def is_dropped(header: str) -> bool:
    """Whether a header is left out of cassettes."""
    return header in _DROPPED


def is_credential(name: str) -> bool:
    """Whether the value proves who asks."""
    return same_name(name) in _CREDENTIALS or same_name(name).endswith(("apikey", "accesstoken"))


def holds_secret(name: str, place: str, also: Set[str] = frozenset()) -> bool:
    """Whether the value of this `place`, header, query or json, is to be replaced; `also` are names of the user's."""
    plain = same_name(name)
    if plain in also or plain.endswith(_ENDS):
        return True
    if place == "json":
        return plain in _IDENTITIES or plain in _CREDENTIALS - _NOT_IN_JSON
    if plain in _IDENTITIES or plain in _CREDENTIALS:
        return True
    words = re.split("[-_]", name)
    if place == "query" or name in _HARMLESS or not _MEASURING.isdisjoint(words):
        return False
    return name == "request-context" or not _TELLING.isdisjoint(words)
