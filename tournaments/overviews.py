"""Plain values for the pages of leagues and ladders."""

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
    """Time of its automatic start."""


@dataclass(frozen=True, slots=True)
class LeagueList:
    """A page of leagues."""

    cards: list[LeagueCard]
    after: str
    """Cursor of the older ones; empty at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTime:
    """Times of a round."""

    number: int
    matches: int
    closed: int
    opened_at: datetime
    closed_at: datetime | None
    """None while a match of it is being played."""


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a match in a league."""

    league: str
    """Its slug."""
    name: str
    round: int
    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckPart:
    """Share of one source in a game's results, in per cent."""

    source: str
    percent: str
    low: str
    """Lower end of the interval of about 95 %."""
    high: str
    """Upper end of that interval."""
    begin: float
    """Start in a bar of 100."""
    width: float
    """Width in that bar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckOverview:
    """Luck measure of a game."""

    seats: int
    matches: int
    deals: int
    """Number of deals played more than once."""
    least: int
    """Number of such deals required."""
    parts: list[LuckPart]
    """Empty with too little data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow:
    """A row of a leaderboard."""

    place: int
    name: str
    bot_slug: str
    author: str
    kind: str
    """``remote`` or ``by hand``; empty for a bot that runs here."""
    rating: str
    """Court rating of its newest rated version; empty, like its related fields, before the first fit."""
    version: int | None
    """That version's number."""
    interval: str
    """Interval of the rating, about 95 %."""
    provisional: bool
    """True if the court rating is too uncertain yet."""
    ahead: str
    """Probability of being stronger than the next one of the whole ladder, in per cent; empty for the last."""
    elo: str
    matches: int
    wins: int
    change: str
    """Change of its Elo by the last match."""
    line: list[float]
    """Its last Elo values, oldest first."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Results of a bot against another one in their rated matches."""

    name: str
    won: str
    """A shared place counts half."""
    of: int

    @property
    def percent(self) -> str:
        """The percentage won."""
        return f"{100 * float(self.won) / self.of:.0f}"


@dataclass(frozen=True, slots=True)
class Matrix:
    """Matrix of results among the top of a ladder."""

    names: list[str]
    rows: list[list[Meeting | None]]


@dataclass(frozen=True, slots=True)
class SeatValue:
    """Value of a seat."""

    points: str
    """Above the mean of the table's seats."""
    interval: str
    """Interval of about 95 %."""


@dataclass(frozen=True, slots=True)
class RoleValue:
    """Value of a role that its seat has from the start."""

    name: str
    points: str
    """Above the mean of the roles."""
    interval: str
    """Interval of about 95 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """A page of a game's leaderboard."""

    game: str
    title: str
    rows: list[RatingRow]
    seasons: list[str]
    """Seasons of the game's leagues, newest first."""
    authors: list[str]
    """Authors of the bots on the ladder of all time."""
    languages: list[str]
    """Programming languages of their newest versions."""
    matrix: Matrix
    seats: list[list[SeatValue]]
    """By table size, from the smallest."""
    width: str
    """Assumed change of a bot from version to version, in points; empty if none has two."""
    spread: str
    """Standard deviation of strengths that the ratings assume, in points; empty before there are matches."""
    after: str
    """Cursor of the next page; empty at the end."""
