"""A league as a fold over its facts; nothing here knows a database or a clock."""

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
"""The points of a match in which all opponents were left behind; a tie with one counts half of them."""
Key = tuple[int, int, int]
"""(round, table, game): a match of a league, whichever match of the arena it is played as."""
Result = ResultRecorded | acts.ResultOverruled | acts.MatchVoided
Noted = Act | BotEntered | ResultRecorded
"""What a league's page tells of: acts, entries that came late, and results that its own rule gave."""


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a league."""

    entry: int
    version: int
    name: str
    author: str = ""
    since: int = 1
    """The first round that it plays."""
    points: str = "0"
    """What it was given for the rounds before, an exact fraction."""
    withdrawn: bool = False
    gone_after: int = 0
    """The number of rounds that were closed when it withdrew."""
    disqualified: bool = False
    excused: frozenset[int] = frozenset()
    """The rounds that it asked to be left out of."""
    newest: bool = False
    """Whether it is renewed until its first round is paired."""


class Begun(msgspec.Struct, frozen=True, kw_only=True):
    """A stage that has begun."""

    number: int
    """From 1."""
    first: int
    """Its first round; a league's rounds are counted through its stages."""
    entries: tuple[Qualified, ...] = ()
    """By seed; empty for whoever entered the league."""
    ended: bool = False
    extended: int = 0
    """How many rounds it was given by its organiser; 0 where nobody changed that."""
    cut: bool = False
    """True if its organiser ended it."""
    ratings: Mapping[int, int] = {}
    """By entry, the court ratings that it is seeded by."""


class LeagueState(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Everything that is known of a league."""

    opened: LeagueOpened | None = None
    entrants: tuple[Entrant, ...] = ()
    begun: tuple[Begun, ...] = ()
    rounds: tuple[RoundPaired, ...] = ()
    draft: RoundDrafted | None = None
    """The next round, where it waits for its organiser."""
    corrected: bool = False
    """True if a result was overruled or voided since the round was drafted."""
    drafts: int = 0
    """The number of drafts of the next round; 0 by league rules 0, where each draft took another link."""
    changed: frozenset[int] = frozenset()
    """Rounds that an organiser changed before they began."""
    history: Mapping[Key, tuple[Result, ...]] = {}
    """What was ever said of a match, the newest last; in the order in which matches were first heard of."""
    recorded: frozenset[Key] = frozenset()
    """The matches of rounds that are not closed which have a result or are not waited for."""
    voids: Mapping[Key, int] = {}
    """How often a match was replaced."""
    forbidden: frozenset[frozenset[int]] = frozenset()
    invited: frozenset[str] = frozenset()
    """Authors, by name."""
    released: frozenset[int] = frozenset()
    """Rounds whose replays an organiser released; 0 stands for all."""
    closed_rounds: int = 0
    paused: bool = False
    ended: bool = False
    """True if its organiser ended it: no further match is played, and it is closed next."""
    closed: bool = False
    links: tuple[str, ...] = ()
    """The links of the chain of luck that were revealed, the newest last."""
    signed: tuple[RoundSigned | LeagueSigned, ...] = ()
    noted: tuple[Noted, ...] = ()
    """What was done to it, in order."""

    @property
    def header(self) -> LeagueOpened:
        """How it was announced; raises ValueError for a stream that does not begin with that."""
        if self.opened is None:
            raise ValueError("the stream does not begin with an opened league")
        return self.opened

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Its stages in order, at least one."""
        head = self.header
        alone = {name: getattr(head, name) for name in ("format", "seats", "least", "rounds", "games", "worth")}
        return head.stages or (Stage(**alone),)

    @cached_property
    def results(self) -> tuple[ResultRecorded, ...]:
        """The results that count, in the order in which their matches were first heard of."""
        return tuple(result for past in self.history.values() if (result := standing(past)))

    @property
    def playing(self) -> int:
        """The number of the round that is played, or of the last one where none is; 0 before the first.

        The one after it may have been paired ahead: its matches may be played, and are recorded when it is its turn.
        """
        return min(len(self.rounds), self.closed_rounds + 1)

    @property
    def between(self) -> bool:
        """Whether no round is being played, drafted or not, in a league that is not over."""
        return not self.closed and self.closed_rounds == len(self.rounds)

    @property
    def due(self) -> bool:
        """Whether something is to happen by itself between two rounds: the next one, the next stage, or the end."""
        if self.ended:
            return self.between
        return bool(self.rounds) and self.between and self.draft is None and not self.paused

    def is_released(self, round_: int) -> bool:
        """Tell whether everybody may see what happens within the matches of a round."""
        if self.closed or self.released & {0, round_}:
            return True
        release = self.header.release
        return release == "at_once" or (release == "after_round" and round_ <= self.closed_rounds)

    @property
    def open_matches(self) -> list[Key]:
        """The matches of rounds that are not closed which have no result and are waited for."""
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
        """Return the table of a match; raises NotNow where no such match was drawn."""
        round_, table, game = key
        tables = self.rounds[round_ - 1].tables if 1 <= round_ <= len(self.rounds) else ()
        if not (1 <= table <= len(tables) and 0 <= game < self.terms_of(round_).games):
            raise NotNow(f"{self.header.name} has no match {game + 1} at table {table} of round {round_}")
        return tables[table - 1]

    def stage_of(self, round_: int) -> Begun:
        """Return the stage that a round belongs to, begun or the next to begin."""
        old = Begun(number=1, first=1)  # streams from before there were stages do not say that theirs began
        return next((begun for begun in reversed(self.begun) if begun.first <= round_), old)

    def terms_of(self, round_: int) -> Stage:
        """Return the terms of the stage that a round belongs to."""
        return self.stages[self.stage_of(round_).number - 1]


NOTHING = LeagueState()
"""A league before its first fact."""


class NotNow(Exception):
    """Raised for a command that does not fit the state of the league; the message says why."""


def standing(past: Sequence[Result]) -> ResultRecorded | None:
    """Return the result that counts, of all that was said of a match; None where none does."""
    if len(past) == 1 and isinstance(past[0], ResultRecorded):  # as of nearly all
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
