"""Who answers the referee: anything with `choose`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import msgspec

from ftk_core.entries import Clock, Excuse
from ftk_core.facts import Action, Fact, tell
from ftk_core.game import Game
from ftk_core.rng import Chance


class Hello(msgspec.Struct, frozen=True, tag="hello", tag_field="type", kw_only=True):
    """What a player is told before the first question."""

    game: str
    version: int
    seat: int
    seats: int
    move_ms: int
    bank_ms: int
    match: str = ""
    """The match's name: what a bot may draw its luck from and still be repeatable."""
    protocol: int = 1


class Ask:
    """One question to one seat; the view and the news are only made when somebody looks."""

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
        clock: Clock | None = None,
        bank_ms: int = 0,
    ) -> None:
        self._game, self._state, self._history, self._since = game, state, history, since
        self.id, self.seat, self.menu = number, seat, menu
        self.clock, self.bank_ms = clock or Clock(), bank_ms

    @property
    def view(self) -> Any:
        """All that the seat may know."""
        return self._game.view(self._state, self.seat)

    @property
    def news(self) -> tuple[Fact, ...]:
        """What happened since the seat was last asked, as it may know it."""
        return tuple(tell(fact, self.seat) for fact in self._history[self._since :])

    @property
    def limit_ms(self) -> int:
        """How long the answer may take at the most: the free time and all of the bank."""
        return self.clock.move_ms + self.bank_ms


class TimeSpent(msgspec.Struct, frozen=True):
    """Where the time of one decision went, in microseconds; only a process behind a pipe is metered."""

    charged_us: int = 0
    """Computing: what the clock counts."""
    idle_us: int | msgspec.UnsetType = msgspec.UNSET
    """Sleeping, or waiting for something."""
    wall_us: int | msgspec.UnsetType = msgspec.UNSET
    queued_us: int | msgspec.UnsetType = msgspec.UNSET
    """Waiting for a processor: what neither computing nor sleeping explains."""


class Answer(msgspec.Struct, frozen=True):
    """A valid choice."""

    index: int
    """Into the menu, 0 <= index < len(menu)."""
    spent: TimeSpent = TimeSpent()


class NoAnswer(Exception):
    """Raised by a player that gives no valid answer; menu[0] is then played for it."""

    def __init__(self, excuse: Excuse, detail: str = "", spent: TimeSpent | None = None) -> None:
        super().__init__(detail or excuse)
        self.excuse: Excuse = excuse
        self.detail, self.spent = detail, spent or TimeSpent()


class HostFault(Exception):
    """Raised when the machine, not the bot, was too slow: nobody is charged, and the match is taken up again."""


class Player(Protocol):
    """Somebody in a seat."""

    @property
    def name(self) -> str:
        """What the log calls it."""
        ...

    def greet(self, hello: Hello) -> None:
        """Take note of the game and the seat; never raises."""

    def choose(self, ask: Ask, /) -> Answer:
        """Answer with an index into the menu; raises NoAnswer."""
        ...

    def pretend(self) -> None:
        """Take as long as an answer would: there is one item on the menu, and nobody may notice; never raises."""

    def over(self, places: Sequence[int]) -> None:
        """Learn how it ended; never raises."""


class Quiet:
    """A player that needs neither a greeting nor an ending, and no time to think."""

    def __init__(self, name: str) -> None:
        self.name = name

    def greet(self, hello: Hello) -> None:
        """Do nothing."""

    def pretend(self) -> None:
        """Do nothing."""

    def over(self, places: Sequence[int]) -> None:
        """Do nothing."""


class RandomPlayer(Quiet):
    """Chooses any item with the same chance, by a seed of its own."""

    def __init__(self, seed: bytes, name: str = "random") -> None:
        super().__init__(name)
        self._draw = Chance(seed).at("random player")

    def choose(self, ask: Ask) -> Answer:
        """Answer at random."""
        return Answer(self._draw.below(len(ask.menu)))


class ScriptedPlayer(Quiet):
    """Chooses the given actions one after the other, then falls silent."""

    def __init__(self, actions: Iterable[Action], name: str = "scripted") -> None:
        super().__init__(name)
        self._actions = iter(actions)

    def choose(self, ask: Ask) -> Answer:
        """Answer with the next action; raises NoAnswer when there is none or it is off the menu."""
        action = next(self._actions, None)
        if action is None:
            raise NoAnswer("timeout", "the script is at its end")
        if action not in ask.menu:
            raise NoAnswer("nonsense", f"{action} is not on the menu")
        return Answer(ask.menu.index(action))


class SilentPlayer(Quiet):
    """Never answers: the first item of the menu is played for it."""

    def choose(self, _ask: Ask, /) -> Answer:
        """Raise NoAnswer."""
        raise NoAnswer("timeout")
