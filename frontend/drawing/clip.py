"""A short clip of a match: moments one after the other, each from the same drawing as the picture to share."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO

from frontend.drawing.table import HEIGHT, LARGE, WIDTH, Moment, fingerprint, painted

MOST = 20
"""How many moments a clip shows at most: as many seconds."""
EACH_MS, LAST_MS = 800, 2000
"""How long a moment stands, and the last one; twenty of them take 17.2 s."""
SMALLER = 3
"""The large canvas is made so many times smaller: 800 by 420 dots."""
SIZE = WIDTH * LARGE // SMALLER, HEIGHT * LARGE // SMALLER
QUALITY = 70
MOST_BYTES = 1_000_000
"""No clip of the games on the shelf comes near; one that is larger is drawn anew with fewer shades."""


def name_of(moments: Sequence[Moment]) -> str:
    """Return a text that is the same for the same clip, byte for byte, and no other."""
    return sha256(repr((EACH_MS, LAST_MS, SMALLER, QUALITY, *map(fingerprint, moments))).encode()).hexdigest()[:32]


def animated(moments: Sequence[Moment]) -> bytes:
    """Return moments as an animated WebP file, which begins anew for ever; raises ValueError for none or too many."""
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
