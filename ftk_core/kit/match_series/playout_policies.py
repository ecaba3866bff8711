"""Policies that choose the moves in simulated matches."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext
from itertools import count
from typing import Any, Self

from ftk_core.analysis.playouts import PlayoutPolicy, QuickPlayoutPolicy, RandomPlayoutPolicy
from ftk_core.game import Seat
from ftk_core.kit.built_in_bots import (
    UNSTEADY_BOTS,
    BotNotFound,
    find_command,
    list_built_in_bots,
    locate_folder,
    start_command,
)
from ftk_core.kit.match_series.in_process_bots import InProcessBot
from ftk_core.kit.match_series.local_matches import names_of
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.terminal_output import err
from ftk_core.log_entries import DEFAULT_CLOCK, TimeControl
from ftk_core.match_state_from_log import AnyGame
from ftk_core.native.native_game_rules import has_native_rules
from ftk_core.players import HelloMessage, NoAnswerError, QuestionToSeat
from ftk_core.random_streams import RandomBitStream
from ftk_core.unlogged_play import Choose

CORE_POLICIES: dict[str, type[QuickPlayoutPolicy | RandomPlayoutPolicy]] = {
    "quick": QuickPlayoutPolicy,
    "anything": RandomPlayoutPolicy,
}
MAX_QUESTION_NUMBER = 1 << 30
"""Maximum number of a question in playouts by built-in bots. The numbers are drawn at random, because these bots seed
their random choices from them."""


class BotPlayoutPolicy:
    """A policy for simulated matches: one built-in bot plays all seats."""

    # Other than in a real match, the bot is told no events, and its memory lasts from one simulated match to the next.

    def __init__(self, game: AnyGame, bot: str, seats: int, clock: TimeControl) -> None:
        """Load the built-in bot once for each seat; raises BotNotFound, InProcessBotError."""
        self.name, self._clock = bot, clock
        self._players = [InProcessBot(game.name, bot) for _ in range(seats)]
        for seat, player in enumerate(self._players):
            player.greet(playout_greeting(game, seat, seats, clock))

    def start(self, game: AnyGame, _seats: int, draw: RandomBitStream, /) -> Choose:
        """Return a function that chooses for all seats: (state, seat, menu) -> index into the menu."""

        def choose(state: Any, seat: Seat, menu: Sequence[Any]) -> int:
            number = 1 + draw.below(MAX_QUESTION_NUMBER)
            ask = QuestionToSeat(game, state, seat, menu, number=number, clock=self._clock)
            try:
                return self._players[seat].choose(ask).index
            except NoAnswerError:
                return 0  # the referee, too, plays item 0 for a bot without a valid answer

        return choose


class SingleSeatBotPolicy:
    """A policy for simulated matches: a bot plays one seat, another policy the others."""

    # The bot runs in a new process for each simulated match and is told no events: hidden cards are dealt again, and
    # the events of the real match would not fit. Its time bank is full at every question.

    def __init__(self, game: AnyGame, bot: str, seat: Seat, other_policy: PlayoutPolicy, clock: TimeControl) -> None:
        """Find the command that starts the bot; raises BotNotFound, InvalidUploadError, CompileError."""
        self.name = f"{names_of([bot])[0]} at seat {seat}, the others {other_policy.name}"
        self._command, self._bot, self._seat, self._rest = find_command(game.name, bot), bot, seat, other_policy
        self._folder, self._clock = locate_folder(game.name, bot), clock
        self._player: BotProcessPlayer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._player is not None:
            self._player.__exit__()
            self._player = None

    def start(self, game: AnyGame, seats: int, draw: RandomBitStream, /) -> Choose:
        """Start the bot, and return a function that chooses for all seats: (state, seat, menu) -> index.

        The function raises InvalidPlayoutAnswerError if the bot gives no valid answer.
        """
        self.__exit__()
        self._player = player = BotProcessPlayer(self._bot, start_command(self._command, self._folder), metered=False)
        player.greet(playout_greeting(game, self._seat, seats, self._clock))
        other_choice, question_numbers = self._rest.start(game, seats, draw), count(1)

        def choose(state: Any, seat: Seat, menu: Sequence[Any]) -> int:
            if seat != self._seat:
                return other_choice(state, seat, menu)
            ask = QuestionToSeat(game, state, seat, menu, number=next(question_numbers), clock=self._clock)
            try:
                return player.choose(ask).index
            except NoAnswerError as silence:
                raise InvalidPlayoutAnswerError(
                    gettext(
                        "{bot} gives no valid answer; is it for another game than {title}? Its fault: {silence}"
                    ).format(bot=self._bot, title=game.title, silence=silence)
                ) from silence

        return choose


class InvalidPlayoutAnswerError(ValueError):
    """Raised if a bot gives no valid answer in a simulated match."""


def playout_greeting(game: AnyGame, seat: Seat, seats: int, clock: TimeControl) -> HelloMessage:
    """Return the greeting line that a bot gets at the start of a simulated match."""
    return HelloMessage(game=game.name, version=game.version, seat=seat, seats=seats, **clock.parts)


def warn_of_slow_playouts(game: AnyGame) -> None:
    """Warn that simulated matches are slow if the game's rules in C++ are missing."""
    if not has_native_rules(game):
        err.print(gettext("without native rules this takes much longer: `ftk doctor` says how to build them"))


def load_policy(
    game: AnyGame, name: str, seats: int, threads: int = 1, clock: TimeControl = DEFAULT_CLOCK
) -> PlayoutPolicy:
    """Return the policy that chooses the moves in simulated matches.

    `name` is "quick" (the game's own policy), "anything" (random moves) or the name of a built-in bot. An empty name
    selects the game's own policy, or random moves if the game has none. `threads` is the number of threads for rules in
    C++. `clock` is the time limits that a bot reads in its greeting.

    Raises BotNotFound if the game has no such policy, InProcessBotError if the bot cannot be called.
    """
    if not name:
        return QuickPlayoutPolicy(threads) if game.quick else RandomPlayoutPolicy(threads)
    if name == "quick" and game.quick is None:
        raise BotNotFound(
            gettext("{title} has no quick policy; choose one of: anything, {game}").format(
                title=game.title, game=", ".join(_steady_bots(game))
            )
        )
    if name in CORE_POLICIES:
        return CORE_POLICIES[name](threads)
    if name not in _steady_bots(game):
        known = ["anything", *(["quick"] if game.quick else []), *_steady_bots(game)]
        raise BotNotFound(
            gettext("{name} is not a policy for {title}; choose one of: {known}").format(
                name=repr(name), title=game.title, known=", ".join(known)
            )
        )
    return BotPlayoutPolicy(game, name, seats, clock)


def _steady_bots(game: AnyGame) -> list[str]:
    return [name for name in list_built_in_bots(game.name) if name not in UNSTEADY_BOTS]
