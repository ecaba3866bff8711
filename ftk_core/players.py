"""Players: objects that answer the referee's questions with `choose`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import msgspec

from ftk_core.entries import Clock, Excuse
from ftk_core.facts import Action, Fact, tell
from ftk_core.game import Game
from ftk_core.rng import Chance


class Hello(msgspec.Struct, frozen=True, tag="hello", tag_field="type", kw_only=True):
    """Greeting of a player before the first question."""

    game: str
    version: int
    seat: int
    seats: int
    move_ms: int
    bank_ms: int
    match: str = ""
    """Name of the match. A bot can seed its own randomness with it and stay reproducible."""
    protocol: int = 1


class Ask:
    """Question to one seat. View and news are computed on first use."""

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
        """Everything that the seat may know."""
        return self._game.view(self._state, self.seat)

    @property
    def news(self) -> tuple[Fact, ...]:
        """Facts since the seat was last asked, as it may know them."""
        return tuple(tell(fact, self.seat) for fact in self._history[self._since :])

    @property
    def limit_ms(self) -> int:
        """Maximum time for the answer in milliseconds: the free time and the whole bank."""
        return self.clock.move_ms + self.bank_ms


class TimeSpent(msgspec.Struct, frozen=True):
    """Time of one decision in microseconds. Only a process behind a pipe is metered."""

    charged_us: int = 0
    """CPU time: charged to the clock."""
    idle_us: int | msgspec.UnsetType = msgspec.UNSET
    """Time spent sleeping or waiting for something else than a CPU."""
    wall_us: int | msgspec.UnsetType = msgspec.UNSET
    queued_us: int | msgspec.UnsetType = msgspec.UNSET
    """Time spent waiting for a CPU: the part that neither computing nor sleeping explains."""


class Answer(msgspec.Struct, frozen=True):
    """A valid choice."""

    index: int
    """Index into the menu, 0 <= index < len(menu)."""
    spent: TimeSpent = TimeSpent()


class NoAnswer(Exception):
    """Raised by a player that gives no valid answer. The referee then plays menu[0] for it."""

    def __init__(self, excuse: Excuse, detail: str = "", spent: TimeSpent | None = None) -> None:
        super().__init__(detail or excuse)
        self.excuse: Excuse = excuse
        self.detail, self.spent = detail, spent or TimeSpent()


class HostFault(Exception):
    """Raised if the machine, not the bot, was too slow. Nobody is charged, and the match is resumed."""


class Player(Protocol):
    """Player in a seat."""

    @property
    def name(self) -> str:
        """Name of the player in the log."""
        ...

    def greet(self, hello: Hello) -> None:
        """Note the game and the seat; never raise."""

    def choose(self, ask: Ask, /) -> Answer:
        """Answer with an index into the menu; raise NoAnswer."""
        ...

    def pretend(self) -> None:
        """Take as long as an answer would, to hide that the menu has one item; never raise."""

    def over(self, places: Sequence[int]) -> None:
        """Receive the result; never raise."""


class Quiet:
    """Player that ignores greeting and result, and needs no time to think."""

    def __init__(self, name: str) -> None:
        self.name = name

    def greet(self, hello: Hello) -> None:
        """Do nothing."""

    def pretend(self) -> None:
        """Do nothing."""

    def over(self, places: Sequence[int]) -> None:
        """Do nothing."""


class RandomPlayer(Quiet):
    """Player that chooses uniformly at random, from a seed of its own."""

    def __init__(self, seed: bytes, name: str = "random") -> None:
        super().__init__(name)
        self._draw = Chance(seed).at("random player")

    def choose(self, ask: Ask) -> Answer:
        """Answer with a random index."""
        return Answer(self._draw.below(len(ask.menu)))


class ScriptedPlayer(Quiet):
    """Player that plays a given list of actions, then stops answering."""

    def __init__(self, actions: Iterable[Action], name: str = "scripted") -> None:
        super().__init__(name)
        self._actions = iter(actions)

    def choose(self, ask: Ask) -> Answer:
        """Answer with the next action; raise NoAnswer if the list is exhausted or the action is not on the menu."""
        action = next(self._actions, None)
        if action is None:
            raise NoAnswer("timeout", "the script is at its end")
        if action not in ask.menu:
            raise NoAnswer("nonsense", f"{action} is not on the menu")
        return Answer(ask.menu.index(action))


class SilentPlayer(Quiet):
    """Player that never answers: the referee plays the first item of the menu for it."""

    def choose(self, _ask: Ask, /) -> Answer:
        """Raise NoAnswer."""
        raise NoAnswer("timeout")
