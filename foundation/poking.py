"""Say to whoever watches something that there is more to look at, and never what; from where there is no event loop."""

from __future__ import annotations

from typing import Any

from channels.layers import get_channel_layer


def poke(group: str, **words: Any) -> None:
    """Poke a group, in whatever processes its channels live; raises ValueError for more than a poke may carry."""
    get_channel_layer().poke(group, {"type": "poke", **words})
