"""Opponents in the other seats: built-in bots run in this process, or any object with `choose(ask)`."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.kit.in_process import BotInProcess
from ftk_core.players import Player


def seated(game: str, opponents: Sequence[str | Player]) -> list[Player]:
    """Create players from bot names or paths; keep players as they are; raise NoSuchBot or NotInProcess."""
    return [BotInProcess(game, one) if isinstance(one, str) else one for one in opponents]
