"""Notification of Channels groups from synchronous code."""

from __future__ import annotations

from typing import Any

from channels.layers import get_channel_layer


def notify_group(group: str, **message_fields: Any) -> None:
    """Send a notification to a Channels group. Raises ValueError if the message is too large."""
    get_channel_layer().notify_group(group, {"type": "poke", **message_fields})
