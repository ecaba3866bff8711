"""Who sits in the other seats: house bots in this process, or anything with `choose(ask)`."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.kit.in_process import BotInProcess
from ftk_core.players import Player


def seated(game: str, opponents: Sequence[str | Player]) -> list[Player]:
    """Return the players: bots by house name or path, and players as they are; raises NoSuchBot, NotInProcess."""
    return [BotInProcess(game, one) if isinstance(one, str) else one for one in opponents]
