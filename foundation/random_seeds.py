"""Random secret seeds for leagues and single matches. A match in a league derives its seed from the league's seed."""

from __future__ import annotations

import secrets

from ftk_core.random_streams import SEED_BYTES


def new_seed() -> bytes:
    """Return a new random secret seed."""
    return secrets.token_bytes(SEED_BYTES)
