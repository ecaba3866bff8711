"""Opponents of a learner: bots that run in this process, or any players (objects with the methods of `Player`)."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.kit.series.in_process_bots import InProcessBot
from ftk_core.players import Player


def create_players(game: str, opponents: Sequence[str | Player]) -> list[Player]:
    """Create a player for each bot name or path, and keep given players; raise BotNotFound or InProcessBotError."""
    return [InProcessBot(game, one) if isinstance(one, str) else one for one in opponents]
