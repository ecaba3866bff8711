"""Interface of the players that a referee asks, and simple players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self

import msgspec

from ftk_core.facts import Action, Fact, redact, secret_fields_of, types_in_union
from ftk_core.game import Game
from ftk_core.log_entries import Excuse, MatchOpened, TimeControl
from ftk_core.random_streams import MatchRandomness, seed_of


class HelloMessage(msgspec.Struct, frozen=True, tag="hello", tag_field="type", kw_only=True):
    """First message to a player: the game, the player's seat, and the time limits."""

    game: str
    version: int
    seat: int
    seats: int
    move_ms: int
    bank_ms: int
    match: str = ""
    """Name of the match. A bot can seed its own randomness with it and stay reproducible."""
    protocol: int = 1

    @classmethod
    def of(cls, opened: MatchOpened, seat: int) -> Self:
        """Build the hello message for the player at a seat from the first entry of the match's log."""
        return cls(
            game=opened.game, version=opened.version, seat=seat, seats=len(opened.players), match=opened.match,
            **opened.clock.parts,
        )  # fmt: skip


class QuestionToSeat:
    """Question of the referee to a player: choose one of your legal actions."""

    # The properties `view`, `news` and `world` are computed only when they are read.

    __slots__ = ("_game", "_history", "_since", "_state", "bank_ms", "clock", "id", "menu", "seat")

    def __init__(
        self,
        game: Game[Any, Any, Any, Any],
        state: Any,
        seat: int,
        menu: Sequence[Action],
        *,
        number: int,
        history: Sequence[Fact] = (),
        since: int = 0,
        clock: TimeControl | None = None,
        bank_ms: int | None = None,
    ) -> None:
        """Store the question. By default, `bank_ms` is the whole extra time that the clock allows in a match."""
        self._game, self._state, self._history, self._since = game, state, history, since
        self.id, self.seat, self.menu = number, seat, menu
        self.clock = clock or TimeControl()
        self.bank_ms = self.clock.bank_ms if bank_ms is None else bank_ms

    @property
    def view(self) -> Any:
        """View of the seat: everything that it may know of the game state."""
        return self._game.view(self._state, self.seat)

    @property
    def news(self) -> tuple[Fact, ...]:
        """Events since the seat was last asked. Values that the seat may not know are None."""
        return tuple(redact(fact, self.seat) for fact in self._history[self._since :])

    @property
    def world(self) -> Any:
        """Random complete game state that agrees with the player's knowledge, for bots that simulate matches.

        None if the game has secrets but no function `Game.resample`.
        """
        # The draw depends only on the seat and the question's number, so it reveals nothing about the actual state.
        game = self._game
        if game.resample is not None:
            return game.resample(self._state, self.seat, MatchRandomness(seed_of("world", self.seat, self.id)))
        return None if any(map(secret_fields_of, types_in_union(game.facts))) else self._state

    @property
    def limit_ms(self) -> int:
        """Maximum time for the answer in milliseconds: the free time plus the remaining extra time."""
        return self.clock.limit_ms(self.bank_ms)


class DecisionTime(msgspec.Struct, frozen=True):
    """Time that one decision took, in microseconds."""

    # It is not measured for players inside the referee's process.

    charged_us: int = 0
    """Time charged to the seat's clock: CPU time of a bot's process; elapsed time of a remote bot or a person."""
    idle_us: int | msgspec.UnsetType = msgspec.UNSET
    """Time spent sleeping or waiting for anything but a CPU."""
    wall_us: int | msgspec.UnsetType = msgspec.UNSET
    """Elapsed time from the question to the answer."""
    queued_us: int | msgspec.UnsetType = msgspec.UNSET
    """Time spent waiting for a CPU: the elapsed time that was neither CPU time nor sleep."""


class PlayerAnswer(msgspec.Struct, frozen=True):
    """Valid answer of a player: the index of the chosen action in the menu."""

    index: int
    """Index into the menu, 0 <= index < len(menu)."""
    spent: DecisionTime = DecisionTime()


class NoAnswerError(Exception):
    """Raised by a player that gives no valid answer. The referee then plays menu[0] for it."""

    def __init__(self, excuse: Excuse, detail: str = "", spent: DecisionTime | None = None) -> None:
        super().__init__(detail or excuse)
        self.excuse: Excuse = excuse
        self.detail, self.spent = detail, spent or DecisionTime()


class HostOverloadError(Exception):
    """Raised if the machine, not the bot, was too busy or out of memory."""

    # The bot is charged no time, and the match is resumed later.


class Player(Protocol):
    """Interface of a player in a seat."""

    @property
    def name(self) -> str:
        """Name of the player, as the log records it."""
        ...

    def greet(self, hello: HelloMessage) -> None:
        """Receive the greeting before the first question; never raise."""

    def choose(self, ask: QuestionToSeat, /) -> PlayerAnswer:
        """Answer a question with an index into the menu; raise NoAnswerError if there is no valid answer."""
        ...

    def wait_as_if_asked(self, ask: QuestionToSeat, /) -> None:
        """Wait as long as a real answer would take, so that nobody notices that the player has only one action."""

    def over(self, places: Sequence[int]) -> None:
        """Receive the final rank of each seat at the end of the match; never raise."""


class StatelessPlayer:
    """Base class of players that ignore the greeting and the result, and need no time to think."""

    def __init__(self, name: str) -> None:
        self.name = name

    def greet(self, hello: HelloMessage) -> None:
        """Do nothing."""

    def wait_as_if_asked(self, _ask: QuestionToSeat, /) -> None:
        """Do nothing."""

    def over(self, places: Sequence[int]) -> None:
        """Do nothing."""


class RandomPlayer(StatelessPlayer):
    """Player that chooses uniformly at random, from a seed of its own."""

    def __init__(self, seed: bytes, name: str = "random") -> None:
        super().__init__(name)
        self._draw = MatchRandomness(seed).at("random player")

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Answer with the index of a random menu item."""
        return PlayerAnswer(self._draw.below(len(ask.menu)))
