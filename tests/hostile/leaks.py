"""What a tier is known to let through, each with its reason; such a bot must still breach, or the entry goes."""

from __future__ import annotations

LEAKS: dict[str, frozenset[str]] = {}
"""By tier, the bots as ``group-name``."""
