"""What a token costs (document 22, section 5)."""

from __future__ import annotations

from typing import Final, Literal, Protocol

__all__ = ["TOKEN_KINDS", "PricingTable", "TokenKind"]

TokenKind = Literal["input", "output", "cache_read", "cache_write"]

#: Every kind of token that has a price.
TOKEN_KINDS: Final[tuple[TokenKind, ...]] = ("input", "output", "cache_read", "cache_write")


class PricingTable(Protocol):
    """Prices by model and kind of token."""

    name: str

    def price_per_token(self, model: str, kind: TokenKind) -> float:
        """US dollars for one token: finite, not negative.

        Raises an exception for a kind that is none of the four, and may raise `LookupError` for an unknown model.
        """
        ...
