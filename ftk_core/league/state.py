"""State of a league: a fold over its facts, without database or clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import msgspec

from ftk_core.league import acts
from ftk_core.league.acts import Act
from ftk_core.league.facts import BotEntered, LeagueOpened, ResultRecorded, RoundDrafted, RoundPaired
from ftk_core.league.plans import Qualified, Stage, TablePlan
from ftk_core.league.signatures import LeagueSigned, RoundSigned

WIN = Fraction(1)
"""Points of a match in which all opponents were left behind. A tie with one opponent counts half."""
Key = tuple[int, int, int]
"""(round, table, game): a match of a league, independent of the match ids that it is played under."""
Result = ResultRecorded | acts.ResultOverruled | acts.MatchVoided
Noted = Act | BotEntered | ResultRecorded
"""Events shown on a league's page: acts, late entries, and results by ruling."""


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """Entry of a league."""

    entry: int
    version: int
    name: str
    author: str = ""
    since: int = 1
    """First round that it plays."""
    points: str = "0"
    """Points granted for the rounds before, an exact fraction."""
    withdrawn: bool = False
    gone_after: int = 0
    """Number of closed rounds when it withdrew."""
    disqualified: bool = False
    excused: frozenset[int] = frozenset()
    """Rounds for which it asked to be absent."""
    newest: bool = False
    """True if it changes to newer versions until its first round is paired."""


class Begun(msgspec.Struct, frozen=True, kw_only=True):
    """Stage that has begun."""

    number: int
    """Number of the stage, from 1."""
    first: int
    """Its first round; rounds are numbered over the whole league."""
    entries: tuple[Qualified, ...] = ()
    """Entries by seed; empty if all entries of the league play."""
    ended: bool = False
    extended: int = 0
    """Number of rounds set by its organiser; 0 if unchanged."""
    cut: bool = False
    """True if its organiser ended it."""
    ratings: Mapping[int, int] = {}
    """By entry: court ratings that it is seeded by."""


class LeagueState(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Complete state of a league."""

    opened: LeagueOpened | None = None
    entrants: tuple[Entrant, ...] = ()
    begun: tuple[Begun, ...] = ()
    rounds: tuple[RoundPaired, ...] = ()
    draft: RoundDrafted | None = None
    """Next round, if it awaits its organiser."""
    corrected: bool = False
    """True if a result was overruled or voided since the round was drafted."""
    drafts: int = 0
    """Number of drafts of the next round; 0 under league rules 0, where each draft took another link."""
    changed: frozenset[int] = frozenset()
    """Rounds that an organiser changed before they began."""
    history: Mapping[Key, tuple[Result, ...]] = {}
    """All results and acts of each match, the newest last; matches in the order of their first mention."""
    recorded: frozenset[Key] = frozenset()
    """Matches of open rounds that have a result or are no longer waited for."""
    voids: Mapping[Key, int] = {}
    """Number of replacements of a match."""
    forbidden: frozenset[frozenset[int]] = frozenset()
    invited: frozenset[str] = frozenset()
    """Invited authors, by name."""
    released: frozenset[int] = frozenset()
    """Rounds whose replays an organiser released; 0 stands for all."""
    closed_rounds: int = 0
    paused: bool = False
    ended: bool = False
    """True if its organiser ended it: no further match is played, and it closes next."""
    closed: bool = False
    links: tuple[str, ...] = ()
    """Revealed links of the hash chain, the newest last."""
    signed: tuple[RoundSigned | LeagueSigned, ...] = ()
    noted: tuple[Noted, ...] = ()
    """Events on it, in order."""

    @property
    def header(self) -> LeagueOpened:
        """Opening fact; raises ValueError for a stream that does not begin with one."""
        if self.opened is None:
            raise ValueError("the stream does not begin with an opened league")
        return self.opened

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Stages in order, at least one."""
        head = self.header
        alone = {name: getattr(head, name) for name in ("format", "seats", "least", "rounds", "games", "worth")}
        return head.stages or (Stage(**alone),)

    @cached_property
    def results(self) -> tuple[ResultRecorded, ...]:
        """Results that count, in the order in which their matches were first mentioned."""
        return tuple(result for past in self.history.values() if (result := standing(past)))

    @property
    def playing(self) -> int:
        """Number of the current round, or of the last one between rounds; 0 before the first.

        The next round may have been paired ahead. Its matches may be played already; they are recorded in its turn.
        """
        return min(len(self.rounds), self.closed_rounds + 1)

    @property
    def between(self) -> bool:
        """True if no round is being played and the league is not over; a draft may exist."""
        return not self.closed and self.closed_rounds == len(self.rounds)

    @property
    def due(self) -> bool:
        """True if a step is due between two rounds: the next round, the next stage, or the end."""
        if self.ended:
            return self.between
        return bool(self.rounds) and self.between and self.draft is None and not self.paused

    def is_released(self, round_: int) -> bool:
        """Return whether the replays of a round are public."""
        if self.closed or self.released & {0, round_}:
            return True
        release = self.header.release
        return release == "at_once" or (release == "after_round" and round_ <= self.closed_rounds)

    @property
    def open_matches(self) -> list[Key]:
        """Matches of open rounds that have no result and are waited for."""
        return [
            (paired.round, table.number, game)
            for paired in self.rounds[self.closed_rounds :]
            for table in paired.tables
            for game in range(self.terms_of(paired.round).games)
            if (paired.round, table.number, game) not in self.recorded
        ]

    def entrant(self, entry: int) -> Entrant:
        """Return one entry."""
        return self.entrants[entry - 1]

    def table_of(self, key: Key) -> TablePlan:
        """Return the table of a match; raise NotNow if no such match was drawn."""
        round_, table, game = key
        tables = self.rounds[round_ - 1].tables if 1 <= round_ <= len(self.rounds) else ()
        if not (1 <= table <= len(tables) and 0 <= game < self.terms_of(round_).games):
            raise NotNow(f"{self.header.name} has no match {game + 1} at table {table} of round {round_}")
        return tables[table - 1]

    def stage_of(self, round_: int) -> Begun:
        """Return the stage of a round, begun or the next to begin."""
        old = Begun(number=1, first=1)  # old streams without stages have no fact that the first one began
        return next((begun for begun in reversed(self.begun) if begun.first <= round_), old)

    def terms_of(self, round_: int) -> Stage:
        """Return the terms of the stage of a round."""
        return self.stages[self.stage_of(round_).number - 1]


NOTHING = LeagueState()
"""State before the first fact."""


class NotNow(Exception):
    """Raised for a command that does not fit the state of the league. The message gives the reason."""


def standing(past: Sequence[Result]) -> ResultRecorded | None:
    """Return the result that counts among all results and acts of a match; None if none does."""
    if len(past) == 1 and isinstance(past[0], ResultRecorded):  # the usual case
        return past[0]
    recorded: ResultRecorded | None = None
    for said in past:
        match said:
            case ResultRecorded():
                recorded = said
            case acts.ResultOverruled() if recorded:
                recorded = msgspec.structs.replace(recorded, places=said.places)
            case _:
                recorded = None
    return recorded
