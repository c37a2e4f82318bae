"""Secrets and ids that betray themselves by their form, in sentences and wherever no name stands beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["PREFIXES", "looks_random", "shaped"]

#: What vendors put before a random part; it stays, since it is no secret and says what stood there.
PREFIXES = re.compile(
    r"(?:sk|pk|rk|gsk|xai|hf|pplx|nvapi|csk|r8|fw|org|proj|project|user|acct|account|team|wrkspc|req|request|sess)[-_]"
)

#: At least one digit or capital letter, which no plain word has behind such a prefix.
_RANDOM = rb"(?=[a-z]*[A-Z0-9])[A-Za-z0-9]"
_PARAMETERS = (
    rb"key|api[-_]?key|token|access_token|sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token)"
)
_SAID = rb"[`'\"\s:=#(]{1,4}"

# Repetitions that may begin anywhere in a long token are bounded, or a large body would take for ever.
_PATTERNS = [
    re.compile(pattern)
    for pattern in (
        rb"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}",
        rb"\b(?:gsk|xai|hf|pplx|nvapi|csk|r8|fw|ghp|gho|ghs|ghu|glpat|xox[abp])[-_]" + _RANDOM + rb"[A-Za-z0-9_-]{15,}",
        rb"\bgithub_pat_[A-Za-z0-9_]{16,}",
        rb"\bAIza[A-Za-z0-9_-]{30,}",
        rb"\bya29\.[A-Za-z0-9_-]{16,}",
        rb"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b",
        rb"\bABSK[A-Za-z0-9+/]{20,}",
        rb"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
        rb"(?i:\bbearer)\s+(?P<value>[A-Za-z0-9._~+/=-]{16,})",
        rb"(?:[?&]|\\u0026)(?i:" + _PARAMETERS + rb")=(?P<value>[^&\s\"'\\<>]+)",
        rb"://[^/\s:@\"]{1,200}:(?P<value>[^/\s@\"]{1,200})@",
        rb"(?i:\bapi[-_ ]?key)\\*[\"']?\s*[:=]\s*\\*[\"']?(?P<value>(?=[^\s\"']{0,200}\d)[A-Za-z0-9_+/=.-]{12,})",
        # A key that the vendor has masked: its ends are still those of the key.
        rb"(?i:\b(?:key|token))\b[^\n\"*]{0,40}?(?P<value>[\w-]{2,200}\*{3,}[\w*-]*|\*{3,}[\w-]{2,})",
        rb"\b(?:org|proj|project|user|acct|account|team|wrkspc|req|request|sess)[-_]" + _RANDOM + rb"{12,}",
        rb"(?i:\b(?:org|organi[sz]ation|workspace|account|project|team|tenant)(?:[ _-]?id)?)"
        + _SAID
        + rb"(?P<value>(?=[A-Za-z_-]*\d)[A-Za-z0-9][A-Za-z0-9_-]{11,})",
        rb"\bprojects/(?P<value>[a-z][a-z0-9-]{4,28}[a-z0-9])",
        rb"(?i:\bproject(?:s|[ _]number)?)[ :=#'\"/]{1,3}(?P<value>\d{6,})",
        rb"(?i:\baccounts?)[ :=#'\"/]{1,3}(?P<value>\d{8,})",
        rb"/accounts/(?P<value>[0-9a-f]{32})",
        rb"\barn:aws[a-z-]*:[a-z0-9-]*:[a-z0-9-]*:(?P<value>\d{12}):",
        rb"(?i:\bsubscriptions?)[ :'\"/]{1,3}(?P<value>[0-9a-fA-F]{8}-[0-9a-fA-F-]{27})",
        rb"(?i:\brequest[ _-]?id)" + _SAID + rb"(?P<value>(?=[A-Za-z_-]*\d)[A-Za-z0-9][A-Za-z0-9_-]{7,})",
        rb"\bft:[^:\s\"]{1,99}:(?P<value>[^\s\"]+)",
        rb"\b(?P<value>[\w.-]{1,64}@[\w.-]{1,99}\.gserviceaccount\.com)",
        rb"cf-footer-ip\">(?P<value>[0-9a-fA-F.:]+)<",
    )
]

_LONG = re.compile(r"[A-Za-z0-9+_-]{16,}")


def shaped(data: bytes) -> Iterator[tuple[int, int]]:
    """Where something stands that has the form of a secret or of an account's or request's id."""
    for pattern in _PATTERNS:
        group = "value" if pattern.groups else 0
        yield from (match.span(group) for match in pattern.finditer(data))


def looks_random(text: str) -> bool:
    """Whether a long token in the text may be a secret: a part of it mixes letters and digits, or is longer than words.

    Dates, versions and hyphenated words are none.
    """
    return any(_mixed(part) for token in _LONG.findall(text) for part in re.split("[-_]", token))


def _mixed(part: str) -> bool:
    return len(part) >= 32 or (len(part) >= 8 and not part.isalpha() and not part.isdigit())
