"""Policies for the playouts of a review: a game's quick one, random choices, or a bot."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Self

from ftk_core.bare import Choose
from ftk_core.estimate import AnyPolicy, Policy, QuickPolicy
from ftk_core.fold import AnyGame
from ftk_core.game import Seat
from ftk_core.kit.arena import names_of
from ftk_core.kit.house import UNSTEADY, NoSuchBot, command_of, house_bots, started
from ftk_core.kit.in_process import BotInProcess
from ftk_core.kit.pipe import PipePlayer
from ftk_core.players import Ask, Hello, NoAnswer
from ftk_core.rng import Draw

CORE: dict[str, type[QuickPolicy | AnyPolicy]] = {"quick": QuickPolicy, "anything": AnyPolicy}
NUMBERS = 1 << 30
"""Range of random question numbers; built-in bots that choose at random seed their randomness from these."""


class BotPolicy:
    """A policy in which one built-in bot plays all seats in this process, without memory of earlier questions."""

    def __init__(self, game: AnyGame, bot: str, seats: int) -> None:
        """Load the bot; raises NoSuchBot, NotInProcess."""
        self.name = bot
        self._players = [BotInProcess(game.name, bot) for _ in range(seats)]
        for seat, player in enumerate(self._players):
            player.greet(hello_to(game, seat, seats))

    def start(self, game: AnyGame, _seats: int, draw: Draw, /) -> Choose:
        """Return the choice function for all seats."""

        def choose(state: Any, seat: Seat, menu: Sequence[Any]) -> int:
            number = 1 + draw.below(NUMBERS)
            try:
                return self._players[seat].choose(Ask(game, state, seat, menu, number=number)).index
            except NoAnswer:
                return 0  # the referee does the same

        return choose


class BotAtSeat:
    """A policy in which a bot plays one seat, in a new process for each playout; another policy plays the other seats.

    The bot gets its view but no news, because no events led to a world that was dealt again.
    """

    def __init__(self, game: AnyGame, bot: str, seat: Seat, rest: Policy) -> None:
        """Find the bot; raises NoSuchBot, BadUpload, NotCompiled."""
        self.name = f"{names_of([bot])[0]} at seat {seat}, the others {rest.name}"
        self._command, self._bot, self._seat, self._rest = command_of(game.name, bot), bot, seat, rest
        self._player: PipePlayer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._player is not None:
            self._player.__exit__()
            self._player = None

    def start(self, game: AnyGame, seats: int, draw: Draw, /) -> Choose:
        """Return the choice function for all seats; it raises NoValidAnswer if the bot gives none."""
        self.__exit__()
        self._player = player = PipePlayer(self._bot, started(self._command), metered=False)
        player.greet(hello_to(game, self._seat, seats))
        rest, asked = self._rest.start(game, seats, draw), count(1)

        def choose(state: Any, seat: Seat, menu: Sequence[Any]) -> int:
            if seat != self._seat:
                return rest(state, seat, menu)
            try:
                return player.choose(Ask(game, state, seat, menu, number=next(asked))).index
            except NoAnswer as silence:
                raise NoValidAnswer(
                    f"{self._bot} gives no valid answer, is it for another game than {game.title}? It {silence}"
                ) from silence

        return choose


class NoValidAnswer(ValueError):
    """Raised if the bot fails during a playout; the message contains its last output."""


def hello_to(game: AnyGame, seat: Seat, seats: int) -> Hello:
    """Return the greeting of a bot for a playout."""
    return Hello(game=game.name, version=game.version, seat=seat, seats=seats, move_ms=1000, bank_ms=10_000)


def policy_of(game: AnyGame, name: str, seats: int) -> Policy:
    """Return a policy by name; the default is the game's quick one, or else random choices.

    Raises NoSuchBot for an unknown name.
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
