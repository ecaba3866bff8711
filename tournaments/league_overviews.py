"""What the pages of one league show, each of them a part: plain values, ready to be laid out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_noop

from ftk_core.league.facts import LeagueOpened
from replays.queries import PlayerRow
from tournaments.overviews import LeagueCard

Terms = list[tuple[str, str]]
"""What is agreed upon, and how it reads."""


@dataclass(frozen=True, slots=True)
class EntrantList:
    """Some bots of many."""

    shown: list[str]
    more: int
    """How many are not."""


DECIDED = {
    "": "–",
    "disqualified": gettext_noop("Disqualified"),
    "stage": gettext_noop("Earlier stage"),
    "level": gettext_noop("Format"),
    "points": gettext_noop("Points"),
    "equal": gettext_noop("Nothing: equal"),
}
"""What puts a row behind the one above, in words, where it is no tie-break."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """One line of the standings."""

    place: int
    entry_id: int
    name: str
    bot_slug: str
    version: int
    points: str
    played: int
    byes: int
    tiebreaks: list[str]
    decided: str
    """In words, what puts it behind the row above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """Some lines of the standings."""

    rows: list[StandingRow]
    tiebreaks: list[tuple[str, str]]
    """The name of each, and what it is."""
    of: int
    """How many lines there are."""
    at: str
    """The cursor that it was asked for with."""
    after: str
    """The cursor of those below; empty at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One match of a round."""

    number: int
    group: int
    """From 1 where its stage has groups."""
    game: int
    match_id: str
    status: str
    seats: list[PlayerRow]
    released: bool


@dataclass(frozen=True, slots=True)
class DraftTable:
    """One table of a round that has not begun."""

    number: int
    names: list[str]
    """By seat."""


@dataclass(frozen=True, slots=True)
class RestRow:
    """Who rests for one reason, and what they are given for it."""

    why: str
    points: str
    names: EntrantList


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """One round, with some of its tables."""

    number: int
    stage: str
    """The format of its stage; empty where the league has only one."""
    tables: list[TableRow]
    draft: list[DraftTable]
    """Its tables instead, where it waits for its organiser."""
    rests: list[RestRow]
    certificate: str
    """What its pairing weighed, in words."""
    link: str
    """What its luck came from; empty in a league from before there was a chain."""
    live: bool
    """Whether something of it can still change."""
    at: str
    """The cursor that it was asked for with."""
    after: str
    """The cursor of its further tables; empty at the end."""
    drafted: bool = False
    last: int = 0
    """The league's last round, drafted or begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    """One stage of a league."""

    number: int
    format: str
    status: str
    """``to come``, ``running`` or ``ended``."""
    rounds: str
    """How far it has come."""
    terms: Terms
    """What is told of every stage;"""
    more: Terms
    """and what few ask for."""
    worth: str
    entries: EntrantList | None
    """Who plays it, the first seed first; None for all that entered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTable:
    """Who made what of whom, among some that stand side by side."""

    names: list[tuple[int, int, str]]
    """How many stand before and the one itself, its entry, its name."""
    cells: list[list[str]]
    of: int
    """How many lines there are in all."""
    before: str
    """The cursor of those above; empty for the first, and at the top."""
    after: str
    """The cursor of those below; empty at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActRow:
    """What somebody did to a league, or what its own rule did."""

    what: str
    by: str
    """Empty where the arena did it by the league's terms."""
    at: datetime | None
    """None where it is not known."""
    why: str
    match: str = ""
    """The match that it was done to."""
    before: str = ""
    """How that had ended;"""
    after: str = ""
    """and how it counts now."""


@dataclass(frozen=True, slots=True)
class Acts:
    """Some of what was done to a league, the newest first."""

    rows: list[ActRow]
    after: str
    """The cursor of the older ones; empty at the end."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """What an organiser told everybody."""

    text: str
    by: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueOverview(LeagueCard):
    """A league's page."""

    in_pairs: bool
    """Whether each table is one match of two, as chess players' programs know it."""
    paused: bool
    waits: str
    """Why nothing can be paired."""
    seal: str
    anchor: str
    """What the chain of its luck begins with; empty in a league from before there was one."""
    header: LeagueOpened
    """What it was announced with;"""
    conditions: Terms
    """what holds in all stages of that, in words,"""
    more: Terms
    """and what few ask for."""
    stages: list[StageRow]
    standings: Standings
    newest: RoundRow | None
    """The round that is drafted, else the last one."""
    older: list[int]
    """Rounds before it, the newest first."""
    oldest: int
    """The first of those that are not even named here; 0 where all are."""
    acts: int
    """How much was done to it."""
    announcements: list[Announcement]
    """The last ones, the newest first."""

    @property
    def stage(self) -> StageRow:
        """The stage that is played, or was last, or comes first."""
        begun = [stage for stage in self.stages if stage.status != "to come"]
        return begun[-1] if begun else self.stages[0]
