"""Two worlds side by side: a match as it was played, and the same with other secrets.

The other world is played by the real rules under the real referee. Its chance says what it said in the first, except
for what is exchanged; its seats choose what they chose, or, where that is not theirs to choose now, what looks the
same. All that one viewer can observe is compared, after every fact, until something is rightly shown that differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from ftk_core.facts import PUBLIC, Action, Fact, Viewer, encode, tell
from ftk_core.game import Game
from ftk_core.kit.lines import AskLine
from ftk_core.log import MemoryLog, Page, lines_of
from ftk_core.players import Answer, Ask, Quiet
from ftk_core.reel import Reel, message
from ftk_core.referee import Referee, opening
from ftk_core.rng import Chance, seed_of
from ftk_core.scribe import Scribe
from replays.live.watchers import Perspective
from tests.support.laws.diary import Diary, Leak, alike
from tests.support.laws.rigged import HeardChance, Impossible, SetChance
from tests.support.laws.tables import REACHES

LONGEST = 1200
"""Random matches are followed for so many facts: some go on for many thousands."""
AnyGame = Game[Any, Any, Any, Any]
Spot = tuple[int, int]
"""A choice: how many facts there were when it was due, and whose it was."""


class Parted(Exception):
    """Raised where the other world rightly goes its own way."""


@dataclass
class World:
    """A match that was played, with all that is needed to play another like it."""

    game: AnyGame
    seats: int
    options: Any
    seed: bytes
    heard: dict[str, list[Any]] = field(default_factory=dict)
    chosen: dict[Spot, Action] = field(default_factory=dict)
    states: list[Any] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    log: MemoryLog = field(default_factory=MemoryLog)

    def lines(self, facts: int) -> list[bytes]:
        """Return the entries of its log up to so many facts, with their newlines."""
        found: list[bytes] = []
        for line in lines_of(self.log):
            if facts < 0:
                break
            found.append(line.rstrip(b"\n") + b"\n")
            facts -= line.startswith(b'{"kind":"happened"')
            if facts == 0:
                break
        return found


Choose = Callable[[Ask, int], int]
"""(question, number of facts when the turn began) -> index into the menu."""


class Scripted(Quiet):
    """A seat whose questions are written down if it is the viewer's; an answer takes one unit of time."""

    def __init__(self, seat: int, table: Table) -> None:
        super().__init__(f"Player {seat}")
        self._seat, self._table = seat, table

    def choose(self, ask: Ask) -> Answer:
        """Answer as the table says."""
        diary = self._table.diary
        self.pretend()
        if diary.viewer == self._seat:
            diary.note(encode(AskLine(id=ask.id, view=ask.view, news=ask.news, menu=ask.menu, bank_ms=ask.bank_ms)))
        return Answer(self._table.choose(ask, self._table.began))

    def pretend(self) -> None:
        """Take a unit of time, in which what waits is made durable."""
        self._table.scribe.flush()
        self._table.diary.now += 1


class Table:
    """One match under the referee, watched by one viewer."""

    def __init__(self, world: World, diary: Diary, choose: Choose, referee: type[Referee], reel: type[Reel]) -> None:
        self.world, self.diary, self.choose, self.began = world, diary, choose, 0
        self._reel, self._view = reel(diary.viewer), Perspective("match", diary.viewer, str(diary.viewer), "en")
        self.scribe = Scribe(world.log, durable=self._durable)
        game = replace(world.game, turn=self._turn, decide=self._decide)
        names = [f"Player {seat}" for seat in range(world.seats)]
        opened = opening(game, "match", names, world.seed, options=world.options)
        players = [Scripted(seat, self) for seat in range(world.seats)]
        self.referee = referee(game, opened, world.seed, players, self.scribe)

    def _turn(self, state: Any) -> tuple[int, ...]:
        self.began = len(self.referee.history)
        return self.world.game.turn(state)

    def _decide(self, state: Any, seat: int, action: Action, chance: Chance) -> tuple[Fact, ...]:
        self.world.chosen[self.began, seat] = action
        return self.world.game.decide(state, seat, action, chance)

    def _durable(self, page: Page) -> None:
        """Show a watcher with the viewer's eyes what is new, as it is sent."""
        before = self._reel.length
        self._reel.extend(page.lines)
        if self._reel.length > before:
            text = message(self._view, self._reel, self._reel.span(before - 1), whole=before == 0)
            self.diary.note(text.encode())


def played(
    game: AnyGame,
    seats: int,
    options: Any,
    number: int,
    viewer: Viewer,
    referee: type[Referee] = Referee,
    reel: type[Reel] = Reel,
) -> tuple[World, Diary]:
    """Play a match at random; return it with what the viewer observed."""
    world = World(game, seats, options, seed_of("worlds", game.name, seats, number))
    draw = Chance(seed_of("world choices", game.name, seats, number)).at("choices")

    def choose(ask: Ask, _began: int) -> int:
        reach = REACHES[(number + ask.seat * (number % 3)) % len(REACHES)]
        return draw.below(min(len(ask.menu), reach))

    diary = Diary(viewer)
    table = Table(world, diary, choose, referee, reel)
    chance = HeardChance(world.seed)
    world.heard = chance.heard

    def enough(number: int, _fact: Fact, _state: Any) -> None:
        if number >= LONGEST:
            raise Parted

    with suppress(Parted):
        _observed(table, chance, enough)
    table.scribe.flush()
    return world, diary


def _observed(table: Table, chance: Chance, check: Callable[[int, Fact, Any], None]) -> None:
    """Play to the end, checking after each fact (its number, itself, the state behind it)."""
    world, referee = table.world, table.referee
    world.states.append(referee.state)

    def apply(state: Any, fact: Fact) -> Any:
        state = world.game.apply(state, fact)
        check(len(world.facts), fact, state)
        world.facts.append(fact)
        world.states.append(state)
        table.diary.facts += 1
        return state

    referee.chance = chance
    referee.game = replace(referee.game, apply=apply)
    referee.play()


@dataclass
class Other:
    """How another world differs: what chance says, what is chosen where, and what may rightly look different."""

    says: dict[str, list[Any]]
    choose: Callable[[Spot, Action | None, Sequence[Action]], Action]
    """(spot, what was chosen there, menu) -> what is chosen now; raises Impossible."""
    shows: Callable[[int, Fact, Fact], bool]
    """(number, fact there, fact here) -> whether they rightly differ, as the secret comes out."""
    seed: bytes | None = None
    """Of what chance is told nothing about, after which the worlds may part; the same as in the first world if None."""


def compare(
    world: World, diary: Diary, other: Other, referee: type[Referee] = Referee, reel: type[Reel] = Reel
) -> tuple[World, int]:
    """Play the other world; return it, and how many facts it has in common with the first; raises Leak, Impossible."""
    viewer = diary.viewer
    twin = World(world.game, world.seats, world.options, world.seed)
    seen = Diary(viewer)

    def choose(ask: Ask, began: int) -> int:
        spot = (began, ask.seat)
        return ask.menu.index(other.choose(spot, world.chosen.get(spot), ask.menu))

    def check(number: int, fact: Fact, state: Any) -> None:
        if number >= len(world.facts):
            raise Parted
        there = world.facts[number]
        if tell(fact, viewer) != tell(there, viewer):
            if other.shows(number, there, fact) or (other.seed and chance.free):
                raise Parted
            raise Leak(f"fact {number} is told as {tell(there, viewer)} and as {tell(fact, viewer)}")
        look_alike(world, viewer, number, state)

    table = Table(twin, seen, choose, referee, reel)
    chance = SetChance(other.seed or world.seed, other.says)
    try:
        _observed(table, chance, check)
    except Parted:
        table.scribe.flush()
    alike(diary.seen, seen.seen, seen.facts)
    return twin, seen.facts


def to_its_end(twin: World, says: dict[str, list[Any]]) -> World:
    """Play a world again, and on behind where it parted from another; raises Impossible where a choice is due there."""
    whole = World(twin.game, twin.seats, twin.options, twin.seed)

    def choose(ask: Ask, began: int) -> int:
        if (began, ask.seat) not in twin.chosen:
            raise Impossible("the worlds parted before all was chosen")
        return ask.menu.index(twin.chosen[began, ask.seat])

    table = Table(whole, Diary(PUBLIC), choose, Referee, Reel)
    _observed(table, SetChance(twin.seed, says), lambda *_: None)
    table.scribe.flush()
    return whole


def look_alike(world: World, viewer: Viewer, number: int, state: Any) -> None:
    """Raise Leak unless the viewer sees the same after a fact as in the first world."""
    game, before = world.game, world.states[number + 1]
    here, was = game.view(state, viewer), game.view(before, viewer)
    if here != was:
        raise Leak(f"the view after fact {number} ({world.facts[number]}) is not the same:\n{was}\n{here}")
    if game.scene(here) != game.scene(was) or game.turn(state) != game.turn(before):
        raise Leak(f"the picture after fact {number} ({world.facts[number]}) is not the same")
