"""Plain values for the pages of one league."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_noop

from ftk_core.league.facts import LeagueOpened
from replays.queries import PlayerRow
from tournaments.overviews import LeagueCard

Terms = list[tuple[str, str]]
"""Labels of terms with their values as text."""


@dataclass(frozen=True, slots=True)
class EntrantList:
    """A truncated list of bots."""

    shown: list[str]
    more: int
    """Number of bots not shown."""


DECIDED = {
    "": "–",
    "disqualified": gettext_noop("Disqualified"),
    "stage": gettext_noop("Earlier stage"),
    "level": gettext_noop("Format"),
    "points": gettext_noop("Points"),
    "equal": gettext_noop("Nothing: equal"),
}
"""Reason for the order of two rows, in words, if it is no tie-break."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """A row of the standings."""

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
    """Reason, in words, for being below the previous row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """A page of the standings."""

    rows: list[StandingRow]
    tiebreaks: list[tuple[str, str]]
    """Name and explanation of each."""
    of: int
    """Total number of rows."""
    at: str
    """Cursor of this page."""
    after: str
    """Cursor of the next page; empty at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A match of a round."""

    number: int
    group: int
    """From 1 if its stage has groups."""
    game: int
    match_id: str
    status: str
    seats: list[PlayerRow]
    released: bool


@dataclass(frozen=True, slots=True)
class DraftTable:
    """A table of a round that has not begun."""

    number: int
    names: list[str]
    """By seat."""


@dataclass(frozen=True, slots=True)
class RestRow:
    """Entries that rest for one reason, with the points they get."""

    why: str
    points: str
    names: EntrantList


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """A round with a page of its tables."""

    number: int
    stage: str
    """Format of its stage; empty if the league has only one."""
    tables: list[TableRow]
    draft: list[DraftTable]
    """Tables of a round that waits for its organiser."""
    rests: list[RestRow]
    certificate: str
    """Certificate of its pairing, in words."""
    link: str
    """Hash-chain link of its random choices; empty in older leagues without a chain."""
    live: bool
    """True if something in it can still change."""
    at: str
    """Cursor of this page."""
    after: str
    """Cursor of the next page of tables; empty at the end."""
    drafted: bool = False
    last: int = 0
    """The league's last round, drafted or begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    """A stage of a league."""

    number: int
    format: str
    status: str
    """``to come``, ``running`` or ``ended``."""
    rounds: str
    """Progress in rounds."""
    terms: Terms
    """Main terms of the stage."""
    more: Terms
    """Further terms."""
    worth: str
    entries: EntrantList | None
    """Entries of the stage, first seed first; None for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTable:
    """Section of the cross table."""

    names: list[tuple[int, int, str]]
    """Position from 1, number of the entry, and name."""
    cells: list[list[str]]
    of: int
    """Total number of rows."""
    before: str
    """Cursor of the section above; empty for the first, and at the top."""
    after: str
    """Cursor of the section below; empty at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActRow:
    """An act on a league, or a ruling by its own terms."""

    what: str
    by: str
    """Empty if the arena acted by the league's terms."""
    at: datetime | None
    """None if unknown."""
    why: str
    match: str = ""
    """The match concerned."""
    before: str = ""
    """State before."""
    after: str = ""
    """State after."""


@dataclass(frozen=True, slots=True)
class Acts:
    """A page of the acts on a league, newest first."""

    rows: list[ActRow]
    after: str
    """Cursor of the older ones; empty at the end."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement of an organiser."""

    text: str
    by: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueOverview(LeagueCard):
    """A league's page."""

    in_pairs: bool
    """True if each table is one match of two, as chess programs support."""
    paused: bool
    waits: str
    """Reason why nothing can be paired."""
    seal: str
    anchor: str
    """Anchor of its hash chain; empty in older leagues without one."""
    header: LeagueOpened
    """Fact with which it was announced."""
    conditions: Terms
    """Terms common to all stages, in words."""
    more: Terms
    """Further common terms."""
    stages: list[StageRow]
    standings: Standings
    newest: RoundRow | None
    """The drafted round, else the last one."""
    older: list[int]
    """Earlier rounds, newest first."""
    oldest: int
    """First of the rounds that are not listed; 0 if all are."""
    acts: int
    """Number of acts."""
    announcements: list[Announcement]
    """Latest announcements, newest first."""

    @property
    def stage(self) -> StageRow:
        """The current stage, else the last one, else the first."""
        begun = [stage for stage in self.stages if stage.status != "to come"]
        return begun[-1] if begun else self.stages[0]
