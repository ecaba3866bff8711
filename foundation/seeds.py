"""Fresh secret seeds for matches and leagues. The seeds of a league's matches are derived from its own."""

from __future__ import annotations

import secrets

from ftk_core.rng import SEED_BYTES


def new_seed() -> bytes:
    """Return a fresh secret seed."""
    return secrets.token_bytes(SEED_BYTES)
