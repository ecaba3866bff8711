"""Waiting for what another process writes, whatever number the descriptor has: a worker of many bots has thousands."""

from __future__ import annotations

import select


def readable(descriptor: int, seconds: float) -> bool:
    """Tell whether there is something to read, or its other end is gone, within so many seconds; 0 does not wait."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(0.0, seconds) * 1000))
