"""Clips: animated WebP pictures that show the game table at several moments of a match."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO

from frontend.drawing.game_table_picture import (
    HEIGHT,
    SUPERSAMPLING,
    WIDTH,
    GameTablePictureContent,
    compute_fingerprint,
    paint_canvas,
)

MAX_MOMENTS = 20
"""Maximum number of moments (drawn frames) in a clip."""
EACH_MS, LAST_MS = 800, 2000
"""Milliseconds for which a clip shows each moment but the last (`EACH_MS`), and the last moment (`LAST_MS`)."""
CANVAS_DIVISOR = 3
"""Factor by which the canvas of 2400 by 1260 pixels is scaled down, to 800 by 420 pixels."""
SIZE = WIDTH * SUPERSAMPLING // CANVAS_DIVISOR, HEIGHT * SUPERSAMPLING // CANVAS_DIVISOR
QUALITY = 70
MAX_CLIP_BYTES = 1_000_000
"""File size above which a clip is encoded again at lower quality; clips of the existing games stay far below it."""


def compute_clip_name(moments: Sequence[GameTablePictureContent]) -> str:
    """Return the cache file name of a clip: a hash of its content and settings."""
    return sha256(
        repr((EACH_MS, LAST_MS, CANVAS_DIVISOR, QUALITY, *map(compute_fingerprint, moments))).encode()
    ).hexdigest()[:32]


def encode_clip(moments: Sequence[GameTablePictureContent]) -> bytes:
    """Return a WebP animation that shows moments of a match one after another, in an endless loop.

    Raises ValueError if `moments` is empty or has more than `MAX_MOMENTS` items.
    """
    if not 1 <= len(moments) <= MAX_MOMENTS:
        raise ValueError(f"a clip shows 1 to {MAX_MOMENTS} moments, not {len(moments)}")
    first, *more = [paint_canvas(moment).reduce(CANVAS_DIVISOR) for moment in moments]
    for quality in (QUALITY, QUALITY // 2, 1):
        file = BytesIO()
        lasting = [EACH_MS] * len(more) + [LAST_MS]
        first.save(file, "WEBP", save_all=True, append_images=more, duration=lasting, loop=0, quality=quality, method=0)
        if len(file.getvalue()) <= MAX_CLIP_BYTES:
            break
    return file.getvalue()
