"""The runbook's diagram: boxes and lines, and a PNG of them, made of nothing but bytes."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WHITE, BLACK, GREY = 255, 0, 160
BOX_WIDTH, BOX_HEIGHT, GAP = 28, 14, 20  # in pixels


def diagram(depends_on: Mapping[str, Sequence[str]]) -> bytes:
    """Return a PNG: a box for each service, and below it those that it depends on.

    Raises RecursionError for services that depend on each other in a circle.
    """
    rows = _rows(depends_on)
    places = {
        name: (GAP + x * (BOX_WIDTH + GAP), GAP + y * (BOX_HEIGHT + GAP))
        for y, row in enumerate(rows)
        for x, name in enumerate(row)
    }
    width = GAP + max(map(len, rows)) * (BOX_WIDTH + GAP)
    image = [bytearray([WHITE]) * width for _ in range(GAP + len(rows) * (BOX_HEIGHT + GAP))]
    for name, (left, top) in places.items():
        for other in depends_on[name]:
            _line(image, (left, top + BOX_HEIGHT), places[other])
    for left, top in places.values():  # after the lines, so that none crosses a box
        _box(image, left, top)
    return png([bytes(row) for row in image])


def png(image: Sequence[bytes]) -> bytes:
    """Return rows of grey pixels, a byte each, as a file. PNG, third edition, sections 5 and 11."""
    eight_bits_grey = (8, 0, 0, 0, 0)
    header = struct.pack(">IIBBBBB", len(image[0]), len(image), *eight_bits_grey)
    unfiltered = b"".join(b"\0" + row for row in image)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(unfiltered))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


def _rows(depends_on: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return the services by how long a chain of others leads to them."""

    def depth(name: str) -> int:
        users = [user for user, used in depends_on.items() if name in used]
        return 1 + max(map(depth, users), default=-1)

    rows: dict[int, list[str]] = {}
    for name in depends_on:
        rows.setdefault(depth(name), []).append(name)
    return [rows[number] for number in sorted(rows)]


def _box(image: Sequence[bytearray], left: int, top: int) -> None:
    for y in range(top, top + BOX_HEIGHT):
        image[y][left : left + BOX_WIDTH] = bytes([BLACK]) * BOX_WIDTH
    for y in range(top + 1, top + BOX_HEIGHT - 1):
        image[y][left + 1 : left + BOX_WIDTH - 1] = bytes([WHITE]) * (BOX_WIDTH - 2)


def _line(image: Sequence[bytearray], start: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw from the middle of one box's lower edge to the middle of another's upper edge."""
    (x1, y1), (x2, y2) = start, end
    steps = max(abs(x2 - x1), y2 - y1)
    for step in range(steps):
        x = x1 + (x2 - x1) * step // steps
        y = y1 + (y2 - y1) * step // steps
        image[y][x + BOX_WIDTH // 2] = GREY
