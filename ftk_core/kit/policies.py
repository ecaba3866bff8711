"""Who plays the playouts of a review: a game's own quick way, anything, or a bot of the house in this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ftk_core.bare import Choose
from ftk_core.estimate import AnyPolicy, Policy, QuickPolicy
from ftk_core.fold import AnyGame
from ftk_core.game import Seat
from ftk_core.kit.house import UNSTEADY, NoSuchBot, house_bots
from ftk_core.kit.in_process import BotInProcess
from ftk_core.players import Ask, Hello, NoAnswer
from ftk_core.rng import Draw

CORE: dict[str, type[QuickPolicy | AnyPolicy]] = {"quick": QuickPolicy, "anything": AnyPolicy}
NUMBERS = 1 << 30
"""Questions are numbered at random, from which house bots that choose at random draw their luck."""


class BotPolicy:
    """A bot plays all seats, or one seat while another policy plays the others."""

    def __init__(
        self, game: AnyGame, bot: str, seats: int, *, at: Seat | None = None, rest: Policy | None = None
    ) -> None:
        """Find the bot; raises NoSuchBot, NotInProcess."""
        self.name = bot if rest is None else f"{bot}, the others {rest.name}"
        self._rest = rest
        self._fresh = rest is not None
        """A bot of the house remembers nothing of a match; another one may, and begins anew in each playout."""
        self._players = {seat: BotInProcess(game.name, bot) for seat in range(seats) if at in (None, seat)}
        self._greet(game, seats)

    def _greet(self, game: AnyGame, seats: int) -> None:
        for seat, player in self._players.items():
            player.greet(
                Hello(game=game.name, version=game.version, seat=seat, seats=seats, move_ms=1000, bank_ms=10_000)
            )

    def start(self, game: AnyGame, seats: int, draw: Draw, /) -> Choose:
        """Choose for all seats."""
        if self._fresh:
            self._greet(game, seats)
        others = self._rest.start(game, seats, draw) if self._rest else None

        def choose(state: Any, seat: Seat, menu: Sequence[Any]) -> int:
            player = self._players.get(seat)
            if player is None and others is not None:
                return others(state, seat, menu)
            try:
                return self._players[seat].choose(Ask(game, state, seat, menu, number=1 + draw.below(NUMBERS))).index
            except NoAnswer:
                return 0  # as the referee does

        return choose


def policy_of(game: AnyGame, name: str, seats: int) -> Policy:
    """Return a policy by name; empty is the game's own quick one, or anything.

    Raises NoSuchBot for a name that is no policy.
    """
    if not name:
        return QuickPolicy() if game.quick else AnyPolicy()
    if name == "quick" and game.quick is None:
        raise NoSuchBot(f"{game.title} has no quick policy; there are anything, {', '.join(_steady(game))}")
    if name in CORE:
        return CORE[name]()
    if name not in _steady(game):
        known = ["anything", *(["quick"] if game.quick else []), *_steady(game)]
        raise NoSuchBot(f"{name!r} is no policy for {game.title}; there are {', '.join(known)}")
    return BotPolicy(game, name, seats)


def _steady(game: AnyGame) -> list[str]:
    return [name for name in house_bots(game.name) if name not in UNSTEADY]
