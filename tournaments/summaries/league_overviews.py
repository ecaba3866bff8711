"""Dataclasses for the pages of one league."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_noop

from ftk_core.league.league_facts import LeagueOpened
from replays.queries import SeatWithBotAndResult
from tournaments.summaries.league_and_leaderboard_overviews import LeagueSummary

TermList = list[tuple[str, str]]
"""Terms (settings) as pairs (label, value in words)."""


@dataclass(frozen=True, slots=True)
class EntrantList:
    """Names of entries, limited to a maximum number."""

    shown: list[str]
    more: int
    """Number of entries not shown."""


DECISION_NAMES = {
    "": "–",
    "disqualified": gettext_noop("Disqualified"),
    "stage": gettext_noop("Earlier stage"),
    "level": gettext_noop("Format"),
    "points": gettext_noop("Points"),
    "equal": gettext_noop("Nothing: still tied"),
}
"""Reasons, other than tie-breaks, why an entry is placed below the entry before it: texts by code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """One line of a league's standings: a bot version that takes part in the league."""

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
    """Reason why the entry is placed below the previous entry, as text, such as the name of a tie-break."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaginatedStandings:
    """One page of the standings of a league."""

    rows: list[StandingRow]
    tiebreaks: list[tuple[str, str]]
    """(name, explanation) of each tie-break, in the order in which they are applied."""
    of: int
    """Number of entries in the whole standings."""
    at: str
    """Cursor of this page."""
    after: str
    """Cursor of the next page; empty at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundMatch:
    """One match of a league round."""

    number: int
    group: int
    """Number of the table's group, from 1; 0 if the stage has no groups."""
    game: int
    match_id: str
    status: str
    seats: list[SeatWithBotAndResult]
    released: bool
    opened_at: datetime | None
    """Start of the match; None before the match begins."""


@dataclass(frozen=True, slots=True)
class DraftedRoundSeating:
    """Bots that meet at one table in a drafted round (paired, but not begun)."""

    number: int
    names: list[str]
    """Names of the entries, by seat."""


@dataclass(frozen=True, slots=True)
class EntriesWithoutMatch:
    """Entries without a match in a round for the same reason, with the points that each gets."""

    why: str
    points: str
    names: EntrantList


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDetails:
    """One round of a league, with one page of its matches."""

    number: int
    stage: str
    """Format of the round's stage; empty if the league has only one stage."""
    tables: list[RoundMatch]
    """Matches on this page; empty for a drafted round."""
    draft: list[DraftedRoundSeating]
    """Tables on this page if the round is drafted and waits until an organiser begins it; otherwise empty."""
    rests: list[EntriesWithoutMatch]
    certificate: str
    """Sentences of the pairing certificate: how far the pairing avoids repeated meetings."""
    link: str
    """Element of the league's hash chain that seeded the random choices of the pairing; empty in old leagues."""
    live: bool
    """True until the round or the league is closed."""
    at: str
    """Cursor of this page."""
    after: str
    """Cursor of the next page; empty at the end."""
    drafted: bool = False
    last: int = 0
    """Number of the league's last round that is drafted or has begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOverview:
    """One stage of a league: its terms (settings) and its progress."""

    number: int
    format: str
    status: str
    """``to come``, ``running`` or ``ended``."""
    rounds: str
    """Progress in words, such as "round 2 of 5"."""
    terms: TermList
    """Most important terms of the stage."""
    more: TermList
    """Other terms of the stage."""
    worth: str
    entries: EntrantList | None
    """Entries of the stage, best seed first. None for the first stage (all entries), and before the stage begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTableSection:
    """A section of the cross table: the results of some consecutive entries against each other."""

    names: list[tuple[int, int, str]]
    """(place in the cross table from 1, entry number, name) of each shown entry."""
    cells: list[list[str]]
    of: int
    """Number of entries in the whole table."""
    before: str
    """Cursor of the previous section; empty if the previous section is the first one or does not exist."""
    after: str
    """Cursor of the section after this section; empty at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganiserActionSummary:
    """Description of an organiser's action on a league, or of an automatic change, such as a new bot version."""

    what: str
    """The act as a sentence."""
    by: str
    """Name of the actor; empty for an automatic ruling."""
    at: datetime | None
    """Time of the act; None if unknown."""
    why: str
    match: str = ""
    """Id of the match that the act is about; empty for other acts."""
    before: str = ""
    """State before the act, as text."""
    after: str = ""
    """State after the act, as text."""


@dataclass(frozen=True, slots=True)
class OrganiserActionList:
    """One page of the organisers' actions on a league, newest first."""

    rows: list[OrganiserActionSummary]
    after: str
    """Cursor of the next page, with older acts; empty at the end."""


@dataclass(frozen=True, slots=True)
class OrganiserAnnouncement:
    """A message of an organiser on the league's page."""

    text: str
    by: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueOverview(LeagueSummary):
    """Content of the main page of a league."""

    in_pairs: bool
    """True if each table plays one match of two entries. Such leagues can be exported to chess programs."""
    paused: bool
    predictions: bool
    """False if an organiser turned predictions off."""
    has_comments: bool
    """True if the league takes and shows comments."""
    waits: str
    """Reason why the next round cannot be paired; empty otherwise."""
    seal: str
    """Hash of the secret from which all deals (random setups) of the league are derived."""
    anchor: str
    """First published value of the hash chain that seeds the league's random choices; empty in old leagues."""
    header: LeagueOpened
    """First fact of the league's stream, with the league's terms."""
    conditions: TermList
    """Most important terms that apply to all stages, in words."""
    more: TermList
    """Other terms that apply to all stages, in words."""
    stages: list[StageOverview]
    standings: PaginatedStandings
    newest: RoundDetails | None
    """The drafted round if there is one, otherwise the current round; None before the first."""
    older: list[int]
    """Numbers of earlier rounds, newest first."""
    oldest: int
    """Number of the round before those in `older`; 0 if `older` lists all earlier rounds."""
    acts: int
    """Number of organisers' acts and automatic rulings."""
    announcements: list[OrganiserAnnouncement]
    """Latest announcements, newest first."""
    preview: list[str]
    """Sentences about the league before it begins; empty once the first round is paired."""

    @property
    def stage(self) -> StageOverview:
        """Latest stage that has begun, or the first stage if none has begun."""
        begun = [stage for stage in self.stages if stage.status != "to come"]
        return begun[-1] if begun else self.stages[0]
