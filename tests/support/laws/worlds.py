"""Comparison of two worlds (matches): a played match, and the same match with other secrets.

The other world is played by the real rules under the real referee. Its chance has the first world's outcomes, except
for the exchanged ones. Its seats make the same choices, or, if a choice is not on the menu, the one that looks the
same. All observations of one viewer are compared after every fact, until a difference is rightly shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from ftk_core.facts import PUBLIC, Action, Fact, Viewer, encode, redact
from ftk_core.game import Game
from ftk_core.hash_chained_log import InMemoryLog, LogPage, lines_of
from ftk_core.kit.protocol.protocol_lines import QuestionLine
from ftk_core.log_writer import LogWriter
from ftk_core.match_replay_frames import MatchFrames, encode_frames
from ftk_core.players import PlayerAnswer, QuestionToSeat, StatelessPlayer
from ftk_core.random_streams import MatchRandomness, seed_of
from ftk_core.referee import Referee, build_opening
from replays.live.spectator_sockets import MatchSubscriptionKey
from tests.support.laws.diary import Diary, Leak, check_same_observations
from tests.support.laws.rigged import RecordedChance, ReplayedChance, WorldImpossible
from tests.support.laws.tables import REACHES

LONGEST = 1200
"""Maximum number of facts of a random match; some would have many thousands."""
AnyGame = Game[Any, Any, Any, Any]
Spot = tuple[int, int]
"""Key of a choice: (number of facts when the choice was due, seat)."""


class WorldsDiverged(Exception):
    """Raised to end a match: the viewer may see a difference from now on, or the match is long enough."""


@dataclass
class World:
    """A played match, with all data that are needed to play a similar match."""

    game: AnyGame
    seats: int
    options: Any
    seed: bytes
    heard: dict[str, list[Any]] = field(default_factory=dict)
    chosen: dict[Spot, Action] = field(default_factory=dict)
    states: list[Any] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    log: InMemoryLog = field(default_factory=InMemoryLog)

    def lines(self, facts: int) -> list[bytes]:
        """Return the log lines up to this many facts."""
        found: list[bytes] = []
        for line in lines_of(self.log):
            if facts < 0:
                break
            found.append(line.rstrip(b"\n") + b"\n")
            facts -= line.startswith(b'{"kind":"happened"')
            if facts == 0:
                break
        return found


Choose = Callable[[QuestionToSeat, int], int]
"""(question, number of facts when the turn began) -> index into the menu."""


class WorldPlayer(StatelessPlayer):
    """A scripted seat that records its questions if it is the viewer's; an answer takes one unit of time."""

    def __init__(self, seat: int, table: ObservedMatch) -> None:
        super().__init__(f"Player {seat}")
        self._seat, self._table = seat, table

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Answer according to the table's script."""
        diary = self._table.diary
        self.wait_as_if_asked(ask)
        if diary.viewer == self._seat:
            diary.note(
                encode(QuestionLine(id=ask.id, view=ask.view, news=ask.news, menu=ask.menu, bank_ms=ask.bank_ms))
            )
        return PlayerAnswer(self._table.choose(ask, self._table.began))

    def wait_as_if_asked(self, _ask: QuestionToSeat) -> None:
        """Let a unit of time pass, in which the pending facts are stored."""
        self._table.entry_writer.flush()
        self._table.diary.now += 1


class ObservedMatch:
    """A match under the referee with one viewer."""

    def __init__(
        self, world: World, diary: Diary, choose: Choose, referee: type[Referee], reel: type[MatchFrames]
    ) -> None:
        self.world, self.diary, self.choose, self.began = world, diary, choose, 0
        self._reel, self._view = (
            reel(diary.viewer),
            MatchSubscriptionKey("match", diary.viewer, str(diary.viewer), "en"),
        )
        self.entry_writer = LogWriter(world.log, durable=self._durable)
        game = replace(world.game, turn=self._turn, decide=self._decide)
        names = [f"Player {seat}" for seat in range(world.seats)]
        opened = build_opening(game, "match", names, world.seed, options=world.options)
        players = [WorldPlayer(seat, self) for seat in range(world.seats)]
        self.referee = referee(game, opened, world.seed, players, self.entry_writer)

    def _turn(self, state: Any) -> tuple[int, ...]:
        self.began = len(self.referee.history)
        return self.world.game.turn(state)

    def _decide(self, state: Any, seat: int, action: Action, chance: MatchRandomness) -> tuple[Fact, ...]:
        self.world.chosen[self.began, seat] = action
        return self.world.game.decide(state, seat, action, chance)

    def _durable(self, page: LogPage) -> None:
        """Note the frames of the new facts, as a subscriber who is the viewer receives them."""
        before = self._reel.length
        self._reel.extend(page.lines)
        if self._reel.length > before:
            text = encode_frames(self._view, self._reel, self._reel.span(before - 1), whole=before == 0)
            self.diary.note(text.encode())


def play_world(
    game: AnyGame,
    seats: int,
    options: Any,
    number: int,
    viewer: Viewer,
    referee: type[Referee] = Referee,
    reel: type[MatchFrames] = MatchFrames,
) -> tuple[World, Diary]:
    """Play a random match; return it with the viewer's observations."""
    world = World(game, seats, options, seed_of("worlds", game.name, seats, number))
    draw = MatchRandomness(seed_of("world choices", game.name, seats, number)).at("choices")

    def choose(ask: QuestionToSeat, _began: int) -> int:
        reach = REACHES[(number + ask.seat * (number % 3)) % len(REACHES)]
        return draw.below(min(len(ask.menu), reach))

    diary = Diary(viewer)
    table = ObservedMatch(world, diary, choose, referee, reel)
    chance = RecordedChance(world.seed)
    world.heard = chance.heard

    def enough(number: int, _fact: Fact, _state: Any) -> None:
        if number >= LONGEST:
            raise WorldsDiverged

    with suppress(WorldsDiverged):
        _observed(table, chance, enough)
    table.entry_writer.flush()
    return world, diary


def _observed(table: ObservedMatch, chance: MatchRandomness, check: Callable[[int, Fact, Any], None]) -> None:
    """Play to the end and call `check` after each fact (its number, itself, the state after it)."""
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
class WorldChanges:
    """Differences of another world: outcomes of chance, choices, and the facts that may look different."""

    says: dict[str, list[Any]]
    choose: Callable[[Spot, Action | None, Sequence[Action]], Action]
    """(spot, choice in the first world or None, menu) -> choice; raises WorldImpossible."""
    shows: Callable[[int, Fact, Fact], bool]
    """(number, fact of the first world, fact of the other) -> True if they may differ, because the secret is shown."""
    seed: bytes | None = None
    """Seed of outcomes that are not given; the worlds may diverge after them. None keeps the first world's seed."""


def compare_worlds(
    world: World,
    diary: Diary,
    other: WorldChanges,
    referee: type[Referee] = Referee,
    reel: type[MatchFrames] = MatchFrames,
) -> tuple[World, int]:
    """Play the other world; return it and its number of common facts; raises Leak or WorldImpossible."""
    viewer = diary.viewer
    twin = World(world.game, world.seats, world.options, world.seed)
    seen = Diary(viewer)

    def choose(ask: QuestionToSeat, began: int) -> int:
        spot = (began, ask.seat)
        return ask.menu.index(other.choose(spot, world.chosen.get(spot), ask.menu))

    def check(number: int, fact: Fact, state: Any) -> None:
        if number >= len(world.facts):
            raise WorldsDiverged
        there = world.facts[number]
        if redact(fact, viewer) != redact(there, viewer):
            if other.shows(number, there, fact) or (other.seed and chance.free):
                raise WorldsDiverged
            raise Leak(f"fact {number} is told as {redact(there, viewer)} and as {redact(fact, viewer)}")
        check_same_view(world, viewer, number, state)

    table = ObservedMatch(twin, seen, choose, referee, reel)
    chance = ReplayedChance(other.seed or world.seed, other.says)
    try:
        _observed(table, chance, check)
    except WorldsDiverged:
        table.entry_writer.flush()
    check_same_observations(diary.seen, seen.seen, seen.facts)
    return twin, seen.facts


def play_to_end(twin: World, says: dict[str, list[Any]]) -> World:
    """Play a diverged world again and on to its end; raises WorldImpossible if a choice is due after the divergence."""
    whole = World(twin.game, twin.seats, twin.options, twin.seed)

    def choose(ask: QuestionToSeat, began: int) -> int:
        if (began, ask.seat) not in twin.chosen:
            raise WorldImpossible("the worlds parted before all was chosen")
        return ask.menu.index(twin.chosen[began, ask.seat])

    table = ObservedMatch(whole, Diary(PUBLIC), choose, Referee, MatchFrames)
    _observed(table, ReplayedChance(twin.seed, says), lambda *_: None)
    table.entry_writer.flush()
    return whole


def check_same_view(world: World, viewer: Viewer, number: int, state: Any) -> None:
    """Raise Leak unless the viewer sees the same after a fact as in the first world."""
    game, before = world.game, world.states[number + 1]
    here, was = game.view(state, viewer), game.view(before, viewer)
    if here != was:
        raise Leak(f"the view after fact {number} ({world.facts[number]}) is not the same:\n{was}\n{here}")
    if game.scene(here) != game.scene(was) or game.turn(state) != game.turn(before):
        raise Leak(f"the picture after fact {number} ({world.facts[number]}) is not the same")
