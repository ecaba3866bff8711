"""Fresh secret seeds: of a match, and of a league, from which those of its matches follow."""

from __future__ import annotations

import secrets

from ftk_core.rng import SEED_BYTES


def new_seed() -> bytes:
    """Return a fresh secret seed."""
    return secrets.token_bytes(SEED_BYTES)
