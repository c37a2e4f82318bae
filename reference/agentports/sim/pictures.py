"""Drawing a screen of text and marks as a PNG image, without fonts."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence

__all__ = ["HEIGHT", "WIDTH", "draw_screen"]

#: Size of the screen in pixels, and of the cell of one character.
WIDTH, HEIGHT = 640, 400
CELL_WIDTH, CELL_HEIGHT = 8, 16
COLUMNS, ROWS = WIDTH // CELL_WIDTH, HEIGHT // CELL_HEIGHT

#: Red, green and blue of paper, ink and the marks, by the number that a pixel has.
COLOURS = [(255, 255, 255), (0, 0, 0), (220, 0, 0), (0, 150, 0), (0, 0, 220)]
INK, FIRST_MARK = 1, 2


def draw_screen(status: str, text: str, marks: Iterable[tuple[float, float, int]]) -> bytes:
    """Return a PNG of the status line, the end of the text below it, and a cross for each mark: x, y and its colour."""
    pixels = bytearray(WIDTH * HEIGHT)
    shown = [status[:COLUMNS], "", *_wrapped(text)[2 - ROWS :]]
    for row, line in enumerate(shown):
        for column, character in enumerate(line):
            _draw_character(pixels, column, row, character)
    for x, y, colour in marks:
        _draw_cross(pixels, x, y, FIRST_MARK + colour % 3)
    return _png(pixels)


def _wrapped(text: str) -> list[str]:
    return [line[at : at + COLUMNS] for line in text.split("\n") for at in range(0, len(line) + 1, COLUMNS)]


def _draw_character(pixels: bytearray, column: int, row: int, character: str) -> None:
    """Draw the 21 bits of the code point, three in a line: a shape of its own for every character there is."""
    code, corner = ord(character), row * CELL_HEIGHT * WIDTH + column * CELL_WIDTH
    for bit in range(21):
        if code >> bit & 1:
            at = corner + bit // 3 * 2 * WIDTH + bit % 3 * 2
            pixels[at : at + 2] = pixels[at + WIDTH : at + WIDTH + 2] = bytes([INK, INK])


def _draw_cross(pixels: bytearray, x: float, y: float, colour: int) -> None:
    for step in range(-4, 5):
        _dot(pixels, x + step, y, colour)
        _dot(pixels, x, y + step, colour)


def _dot(pixels: bytearray, x: float, y: float, colour: int) -> None:
    if 0 <= x < WIDTH and 0 <= y < HEIGHT:
        pixels[int(y) * WIDTH + int(x)] = colour


def _png(pixels: Sequence[int]) -> bytes:
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)  # eight bits a pixel, which number a colour
    lines = b"".join(b"\0" + bytes(pixels[at : at + WIDTH]) for at in range(0, len(pixels), WIDTH))
    palette = bytes(part for colour in COLOURS for part in colour)
    chunks = [(b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(lines, 1)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
