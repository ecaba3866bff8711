"""What the pages show of leagues and ladders: plain values, ready to be laid out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


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
class RoundTime:
    """When a round was played."""

    number: int
    matches: int
    closed: int
    opened_at: datetime
    closed_at: datetime | None
    """None while a match of it is being played."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a league a match is played."""

    league: str
    """Its slug."""
    name: str
    round: int
    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckPart:
    """What part of a game's results comes from one source, in percent."""

    source: str
    percent: str
    low: str
    """About 95 % sure, it is at least this"""
    high: str
    """and at most this."""
    begin: float
    """Where it begins in a bar of 100;"""
    width: float
    """and how long it is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckOverview:
    """How much of a game is luck."""

    seats: int
    matches: int
    deals: int
    """How many were played more than once;"""
    least: int
    """and how many there must be."""
    parts: list[LuckPart]
    """Empty where there was too little to tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow:
    """One line of a leaderboard."""

    place: int
    name: str
    bot_slug: str
    author: str
    kind: str
    """``remote`` or ``by hand``; empty for a bot that plays here."""
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


@dataclass(frozen=True, slots=True)
class RoleValue:
    """What a role is worth that its seat has from the start."""

    name: str
    points: str
    """Above the mean of the roles."""
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
    width: str
    """By how many points a bot is taken to change from version to version; empty where none has two."""
    spread: str
    """The standard deviation of strengths that the ratings assume, in points; empty before there are matches."""
    after: str
    """The cursor of what follows; empty at the end."""
