"""Animated clip of a match, from the same drawing as its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO

from frontend.drawing.table import HEIGHT, LARGE, WIDTH, Moment, fingerprint, painted

MOST = 20
"""Maximum number of moments in a clip."""
EACH_MS, LAST_MS = 800, 2000
"""Duration of a moment, and of the last one; twenty take 17.2 s."""
SMALLER = 3
"""Divisor of the large canvas: a clip has 800 by 420 pixels."""
SIZE = WIDTH * LARGE // SMALLER, HEIGHT * LARGE // SMALLER
QUALITY = 70
MOST_BYTES = 1_000_000
"""Size above which a clip is encoded again at lower quality; no clip of our games comes near."""


def name_of(moments: Sequence[Moment]) -> str:
    """Return a hash that identifies a clip byte for byte."""
    return sha256(repr((EACH_MS, LAST_MS, SMALLER, QUALITY, *map(fingerprint, moments))).encode()).hexdigest()[:32]


def animated(moments: Sequence[Moment]) -> bytes:
    """Return moments as an animated WebP file in an endless loop; raises ValueError for none or too many."""
    if not 1 <= len(moments) <= MOST:
        raise ValueError(f"a clip shows 1 to {MOST} moments, not {len(moments)}")
    first, *more = [painted(moment).reduce(SMALLER) for moment in moments]
    for quality in (QUALITY, QUALITY // 2, 1):
        file = BytesIO()
        lasting = [EACH_MS] * len(more) + [LAST_MS]
        first.save(file, "WEBP", save_all=True, append_images=more, duration=lasting, loop=0, quality=quality, method=0)
        if len(file.getvalue()) <= MOST_BYTES:
            break
    return file.getvalue()
