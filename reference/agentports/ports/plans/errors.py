"""What an encoder of plan content raises (document 30, sections 2 and 3)."""

from __future__ import annotations

__all__ = ["EncodingError"]


class EncodingError(ValueError):
    """A value has no encoding, or a text is none.

    `code` is stable: `unencodable_value`, `cyclic_value`, `value_too_deep`; from decoding also `malformed_encoding`,
    `unknown_tag`, `unbuildable_value`. `path` is the dot path of the offending value, as far as string keys and
    indexes of lists and tuples lead to it; empty for the value itself, and for texts that could not be read.
    """

    def __init__(self, message: str, *, code: str, path: str = "") -> None:
        super().__init__(f"{message} (at {path})" if path else message)
        self.code = code
        self.path = path
