"""What the pages show of leagues and ladders: plain values, ready to be laid out."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from replays.queries import PlayerRow


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueCard:
    """A league in a list."""

    id: int
    slug: str
    name: str
    game: str
    game_title: str
    season: str
    status: str
    round: int
    rounds: int
    entries: int
    entries_until: datetime | None
    """When it begins by itself."""


@dataclass(frozen=True, slots=True)
class LeagueList:
    """Some leagues of many."""

    cards: list[LeagueCard]
    after: str
    """The cursor of the older ones; empty at the end."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One match of a round."""

    number: int
    game: int
    match_id: str
    status: str
    seats: list[PlayerRow]


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One round."""

    number: int
    tables: list[TableRow]
    byes: list[str] = field(default_factory=list)
    certificate: str = ""
    """What its pairing weighed, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTime:
    """When a round was played."""

    number: int
    matches: int
    closed: int
    opened_at: datetime
    closed_at: datetime | None
    """None while a match of it is being played."""


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Who made what of whom."""

    names: list[str]
    cells: list[list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Under what a league is played."""

    format: str
    seats: int
    games: int
    """Matches of each table, the seats turning."""
    move_s: float
    bank_s: float
    worth: str
    options: list[tuple[str, str]]
    """What is not as the rule book has it."""
    pace_s: float


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a league a match is played."""

    league: str
    """Its slug."""
    name: str
    round: int
    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueOverview:
    """A league's page."""

    id: int
    slug: str
    name: str
    game: str
    game_title: str
    season: str
    status: str
    round: int
    rounds: int
    entries_until: datetime | None
    seal: str
    conditions: Conditions
    standings: list[StandingRow]
    tiebreak_names: list[tuple[str, str]]
    rounds_played: list[RoundRow]
    cross: CrossTable


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow:
    """One line of a leaderboard."""

    place: int
    name: str
    bot_slug: str
    author: str
    rating: str
    """The court rating of its newest rated version; empty, like all that goes with it, before the first fit."""
    version: int | None
    """That version's number."""
    interval: str
    """What the rating lies in, about 95 % sure."""
    provisional: bool
    """Whether the court rating is too uncertain yet to say much."""
    ahead: str
    """How likely it is stronger than the next one of the whole ladder, in percent; empty for the last."""
    elo: str
    matches: int
    wins: int
    change: str
    """What the last match did to its Elo."""
    line: list[float]
    """Its last Elo, the oldest first."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What a bot made of another one in their rated matches."""

    name: str
    won: str
    """A match in which both shared a place counts half."""
    of: int

    @property
    def percent(self) -> str:
        """The share won."""
        return f"{100 * float(self.won) / self.of:.0f}"


@dataclass(frozen=True, slots=True)
class Matrix:
    """Who beat whom, among the first of a ladder."""

    names: list[str]
    rows: list[list[Meeting | None]]


@dataclass(frozen=True, slots=True)
class SeatValue:
    """What a seat is worth."""

    points: str
    """Above the mean of the table's seats."""
    interval: str
    """What it lies in, about 95 % sure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """A part of a game's leaderboard."""

    game: str
    title: str
    rows: list[RatingRow]
    seasons: list[str]
    """In which its game was played, the newest first."""
    authors: list[str]
    """Whose bots are on the ladder of all time."""
    languages: list[str]
    """What their newest versions are written in."""
    matrix: Matrix
    seats: list[list[SeatValue]]
    """By table size, from the smallest."""
    after: str
    """The cursor of what follows; empty at the end."""
