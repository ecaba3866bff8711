"""Random secret seeds for leagues and single matches."""

from __future__ import annotations

import secrets

from ftk_core.random_streams import SEED_BYTES


def new_seed() -> bytes:
    """Return a new random secret seed, from which all random numbers of a league or match are computed."""
    return secrets.token_bytes(SEED_BYTES)
