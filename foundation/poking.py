"""Notifications of channel groups from synchronous code. The message carries no data."""

from __future__ import annotations

from typing import Any

from channels.layers import get_channel_layer


def poke(group: str, **words: Any) -> None:
    """Notify a channel group across all processes; raises ValueError if the message is too large."""
    get_channel_layer().poke(group, {"type": "poke", **words})
