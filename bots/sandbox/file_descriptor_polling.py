"""Waiting for a descriptor with poll(2), which unlike select(2) works with more than 1024 descriptors."""

from __future__ import annotations

import select


def is_readable(descriptor: int, seconds: float) -> bool:
    """Wait up to `seconds` until a descriptor is readable. Return True if it is."""
    # Also True if the other end is closed.
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(0.0, seconds) * 1000))
