"""State of a league for its verification, independent of the code that runs leagues."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import cast

from msgspec.structs import replace

from ftk_core.league import intervention_facts
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.intervention_facts import LeagueCancelled, LeagueEndedEarly, LeagueExtended, StageEndedEarly
from ftk_core.league.league_facts import (
    BotEntered,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundClosed,
    RoundDrafted,
    RoundPaired,
    StageBegun,
)

Pair = frozenset[int]
Seating = tuple[int, ...]
Key = tuple[int, int, int]
"""Match: (round, table, number at the table)."""
MAX_TABLE_SIZE = 64  # maximum size of a table, even if a forged stream says more


@dataclass(slots=True, kw_only=True)
class LeagueHistory:
    """History of a league and of its current stage, updated by each event in turn."""

    opened: LeagueOpened
    number: int = 1
    """Number of the current stage, from 1."""
    entered: dict[int, BotEntered] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    """Bots that withdrew or were disqualified."""
    excused: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Round -> bots that are excused from it."""
    forbidden: set[Pair] = field(default_factory=set)
    link: str = ""
    """Last revealed link of the hash chain that makes the draws random."""
    draft: RoundDrafted | None = None
    barred_at_draft: set[Pair] | None = None
    """Pairs that were forbidden when the next round was drafted; None if no round is drafted."""
    by_hand: set[int] = field(default_factory=set)
    """Rounds whose drafts an organiser changed."""
    chosen: tuple[int, ...] | None = None
    """Bots qualified for the stage, by seed; None if all bots play."""
    length: int = 0
    """Number of rounds set by an organiser; 0 for the announced number."""
    cut: bool = False
    """True if an organiser ended the stage or the league, or cancelled the league."""
    points: Counter[int] = field(default_factory=Counter)
    """Bot -> points in units (see `unit`), a fraction only if points were granted as a mean."""
    counted: dict[Key, ResultRecorded] = field(default_factory=dict)
    """(round, table, game) -> result that counts, for the matches of the stage."""
    met: Counter[Pair] = field(default_factory=Counter)
    """Pair of bots -> number of tables of the stage that they shared."""
    sat: Counter[tuple[int, int]] = field(default_factory=Counter)
    """(bot, seat) -> number of matches of the stage in which the bot sat there."""
    rested: Counter[int] = field(default_factory=Counter)
    drawn: list[RoundPaired] = field(default_factory=list)
    rounds: int = 0
    """Number of rounds that have begun in the league."""
    closed: int = 0

    @property
    def unit(self) -> int:
        """Number of units in a win. If several bots share a win equally, each gets a whole number of units."""
        return 24 * lcm(*range(1, min(self.stage.seats, MAX_TABLE_SIZE) + 1))

    @property
    def stage(self) -> StageSettings:
        """Terms (settings) of the league's current stage."""
        head = self.opened
        alone = {name: getattr(head, name) for name in ("format", "seats", "least", "rounds", "games", "worth")}
        return (head.stages or (StageSettings(**alone),))[self.number - 1]

    @property
    def seeds(self) -> tuple[int, ...]:
        """Bots of the league's current stage, the best seed first."""
        return tuple(self.entered) if self.chosen is None else self.chosen

    @property
    def playing(self) -> set[int]:
        """Bots that can be paired in the next round: entered, not excused, not withdrawn and not disqualified."""
        number = self.rounds + 1
        present = {entry for entry in self.seeds if entry in self.entered and self.entered[entry].round <= number}
        return present - self.gone - self.excused[number]

    @property
    def barred(self) -> set[Pair]:
        """Pairs of bots that must not meet in the next round."""
        # Bans made after the round was paired do not count.
        return self.forbidden if self.barred_at_draft is None else self.barred_at_draft

    @property
    def authors(self) -> dict[int, str]:
        """Name of each bot's author, empty if unknown."""
        return {entry: fact.author for entry, fact in self.entered.items()}

    def units(self, points: str) -> int:
        """Convert points such as "1/2" to units; malformed points count as 0."""
        try:
            value = Fraction(points) * self.unit
        except (ValueError, ZeroDivisionError):
            return 0
        return int(value) if value.denominator == 1 else cast("int", value)

    def count(self, fact: LeagueFact) -> None:
        """Update the history with the next event of the league."""
        match fact:
            case BotEntered():
                self.entered[fact.entry] = fact
                self.points[fact.entry] += self.units(fact.points)
            case StageBegun():
                self._begin(fact)
            case RoundDrafted():
                self.link, self.draft, self.barred_at_draft = fact.link or self.link, fact, set(self.forbidden)
            case RoundPaired():
                self._apply_paired_round(fact)
            case RoundClosed():
                self._close(fact)
            case ResultRecorded():
                self._score((fact.round, fact.table, fact.game), fact)
            case intervention_facts.MatchVoided() | intervention_facts.ResultOverruled():
                self._correct(fact)
            case _:
                self._count_act(fact)

    def _correct(self, fact: intervention_facts.MatchVoided | intervention_facts.ResultOverruled) -> None:
        key = fact.round, fact.table, fact.game
        if isinstance(fact, intervention_facts.MatchVoided):
            self._score(key, None)
        elif key in self.counted:
            self._score(key, replace(self.counted[key], places=fact.places))

    def _count_act(self, fact: LeagueFact) -> None:
        match fact:
            case intervention_facts.BotWithdrew() | intervention_facts.BotDisqualified():
                self.gone.add(fact.entry)
            case intervention_facts.WithdrawnBotReturned():
                self.gone.discard(fact.entry)
            case intervention_facts.BotAbsenceGranted():
                for number in fact.rounds:
                    self.excused[number].add(fact.entry)
            case intervention_facts.PairingForbidden():
                self.forbidden.add(frozenset((fact.one, fact.other)))
            case intervention_facts.DraftedRoundChanged():
                self.by_hand.add(fact.round)
            case LeagueExtended() | StageEndedEarly() | LeagueEndedEarly() | LeagueCancelled():
                self._apply_early_end(fact)

    def _apply_early_end(self, fact: LeagueExtended | StageEndedEarly | LeagueEndedEarly | LeagueCancelled) -> None:
        if isinstance(fact, LeagueExtended):
            self.length = fact.rounds
        else:
            self.cut, self.draft, self.barred_at_draft = True, None, None

    def _begin(self, fact: StageBegun) -> None:
        self.number, self.length, self.cut = fact.stage, 0, False
        if not fact.entries:
            return
        self.chosen = tuple(one.entry for one in fact.entries)
        self.points = Counter({one.entry: self.units(one.points) for one in fact.entries})
        self.counted, self.rested, self.met, self.sat, self.drawn = {}, Counter(), Counter(), Counter(), []

    def _apply_paired_round(self, drawn: RoundPaired) -> None:
        self.link, self.draft, self.barred_at_draft = drawn.link or self.link, None, None
        self.rounds += 1
        self.drawn.append(drawn)
        self.rested.update(resting_entries(drawn))
        for table in drawn.tables:
            self.met.update(frozenset(pair) for pair in combinations(table.seating, 2))
            for game in range(self.stage.games):
                self.sat.update(entry_seats(table.seating, game))

    def _close(self, fact: RoundClosed) -> None:
        self.closed = fact.round
        for drawn in self.drawn:
            if drawn.round == fact.round:
                self.points.update(dict.fromkeys(drawn.byes, self.unit * self.stage.games))
                self.points.update({rest.entry: self.units(rest.points) for rest in drawn.rests})

    def _score(self, key: Key, result: ResultRecorded | None) -> None:
        """Replace the result of a match, or remove it if `result` is None, and update the bots' points."""
        self._add_match_points(key, -1)
        self.counted.pop(key, None)
        if result is not None:
            self.counted[key] = result
        self._add_match_points(key, 1)

    def _add_match_points(self, key: Key, sign: int) -> None:
        """Give the bots of a match their points for it, or take these points back if `sign` is -1."""
        # In stages that score in blocks, all matches of a table in a round count as a single one: the block is added as
        # a whole.
        games = range(self.stage.games) if self.stage.scored == "blocks" else (key[2],)
        block = [self.counted[one] for game in games if (one := (*key[:2], game)) in self.counted]
        sums = Counter[int]()
        for match in block:
            for entry, worth in zip(
                match.seating, self.worth(match.places, shared=self._is_shared(match)), strict=False
            ):
                sums[entry] += worth
        if self.stage.scored == "blocks":
            places = [1 + sum(other > mine for other in sums.values()) for mine in sums.values()]
            block_worth = self.worth(places, shared=all(map(self._is_shared, block)))
            sums = Counter({entry: len(block) * worth for entry, worth in zip(sums, block_worth, strict=True)})
        for entry, worth in sums.items():
            self.points[entry] += sign * worth

    def _is_shared(self, match: ResultRecorded) -> bool:
        """Return True if all bots of a match together get the points of one win, divided equally."""
        # They do if the match failed too often to be played again, and the league's rule gave all of them first place.
        return self.opened.rules >= 2 and match.ruled == "share" and max(match.places) == 1

    def worth(self, places: Sequence[int], *, shared: bool = False) -> list[int]:
        """Return the points for the finishing places in a match, by seat, in units (see `unit`)."""
        if self.stage.worth == "places":
            behind = [2 * sum(p > place for p in places) + places.count(place) - 1 for place in places]
            return [self.unit * twice // max(1, 2 * (len(places) - 1)) for twice in behind]
        winners = places.count(1) if shared or self.stage.worth == "shared" else 1
        return [self.unit // max(1, winners) if place == 1 else 0 for place in places]


def resting_entries(drawn: RoundPaired) -> Seating:
    """Return the bots that have a bye in a drawn round."""
    return (*drawn.byes, *(rest.entry for rest in drawn.rests))


def odd_entries(drawn: RoundPaired) -> Seating:
    """Return the bots with a bye because no table has a seat for them."""
    return (*drawn.byes, *(rest.entry for rest in drawn.rests if rest.why == "odd"))


def entry_seats(seating: Seating, game: int) -> list[tuple[int, int]]:
    """Return (bot, seat) pairs for match `game` (from 0) of a table. Each match moves all bots one seat down."""
    return [(entry, (seat - game) % len(seating)) for seat, entry in enumerate(seating)]
