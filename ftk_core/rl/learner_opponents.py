"""Opponents of a learning program, which run in its process."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.kit.match_series.in_process_bots import InProcessBot
from ftk_core.players import Player


def create_players(game: str, opponents: Sequence[str | Player]) -> list[Player]:
    """Convert names and paths of bots to players. `Player` objects are returned unchanged.

    Raises BotNotFound for an unknown bot, and InProcessBotError for a bot that cannot run in this process.
    """
    return [InProcessBot(game, one) if isinstance(one, str) else one for one in opponents]
