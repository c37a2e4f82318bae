"""Whether a run that failed may be resumed with the same history (document 23, section 8)."""

from __future__ import annotations

import re

from agentports.errors.overflow import looks_like_context_window_exceeded
from agentports.errors.reading import field, nodes_of, searched_text, status_of
from agentports.ports import UnsupportedError

__all__ = ["can_resume"]

_STATUSES = frozenset({400, 401, 403, 404, 422})
_NAMES = re.compile(
    "UnrecognizedClientException|ExpiredTokenException|InvalidSignatureException|IncompleteSignatureException"
    "|MissingAuthenticationTokenException|InvalidClientTokenId|AccessDenied[A-Za-z]*|AuthFailure|CredentialsError"
    "|UnauthorizedException|AuthenticationError|PermissionDeniedError"
)
_KEY_PHRASES = re.compile(r"invalid[ _-]?api[ _-]?key|incorrect api key|no api key provided", re.IGNORECASE)
# No set: a code may be anything, even what cannot be hashed.
_CODES = (*(kind.CODE for kind in UnsupportedError.__subclasses__()), "ERR_POLICY_HALT")


def can_resume(err: object) -> bool:
    """Whether sending the same history again can succeed: not for overflows, credentials, bad requests, refusals."""
    if field(err, "code") in _CODES or looks_like_context_window_exceeded(err):
        return False
    if status_of(err, in_message=False) in _STATUSES or _names_credentials(err):
        return False
    return _KEY_PHRASES.search(searched_text(err)) is None


def _names_credentials(err: object) -> bool:
    names = (name for node in nodes_of(err) for name in (type(node).__name__, field(node, "name")))
    return any(isinstance(name, str) and _NAMES.fullmatch(name) for name in names)
