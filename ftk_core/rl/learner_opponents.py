"""Opponents of a learning seat: bots that run in this process, or any objects with the methods of `Player`."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.kit.match_series.in_process_bots import InProcessBot
from ftk_core.players import Player


def create_players(game: str, opponents: Sequence[str | Player]) -> list[Player]:
    """Return a list of players: create one for each bot's name or path, and keep opponents that are players already.

    Raise BotNotFound for an unknown bot, or InProcessBotError for a bot that cannot run in this process.
    """
    return [InProcessBot(game, one) if isinstance(one, str) else one for one in opponents]
