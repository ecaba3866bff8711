"""Dataclasses for lists of leagues, for leaderboards, and for the influence of chance on results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from bots.remote_bots import DeclaredLlm


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSummary:
    """Summary of one league, for lists."""

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
    """Entry deadline, at which the league begins; None if an organiser begins it."""
    cancelled: str
    """Reason why an organiser cancelled the league; empty if nobody did."""
    logo: str
    """Hash of the league's logo; empty without one."""
    announced_at: datetime
    winners: tuple[str, ...] = ()
    """Names of the entries in first place of a finished league.

    Only summaries in lists of leagues have winners, `begun_at` and `ended_at`.
    """
    begun_at: datetime | None = None
    """Start of the league's first match (in the first round at the first table)."""
    ended_at: datetime | None = None
    """End of the league's last match (in the last round at the last table); None until the league is finished."""

    @property
    def shown_status(self) -> str:
        """Status for display: ``cancelled`` if an organiser cancelled the league, otherwise `status`."""
        return "cancelled" if self.cancelled else self.status

    @property
    def logo_path(self) -> str:
        """Path of the league's logo; empty without one."""
        # It contains a hash: a new picture gets a new path.
        return reverse("league-logo", args=(self.slug, self.logo)) if self.logo else ""


@dataclass(frozen=True, slots=True)
class LeagueList:
    """One page of a list of leagues."""

    cards: list[LeagueSummary]
    after: str
    """Cursor of the next page, with older leagues; empty at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStartAndEnd:
    """Start and end of one round, with its numbers of matches and of ended matches."""

    number: int
    matches: int
    closed: int
    opened_at: datetime
    closed_at: datetime | None
    """End of the last match; None while a match of the round is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLeagueReference:
    """League and round of a match, and the number of its group of bots (table)."""

    # A table is a group of bots that meet in a round.

    league: str
    """Slug of the league; `name` is its display name."""
    name: str
    round: int
    table: int
    has_comments: bool
    """True if the league takes and shows comments."""
    next_match: str | None
    """Id of the league's next match that has ended and is released; None after the last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextMatch:
    """The next match of a bot in a league; its opponents are known already."""

    league: str
    """Slug of the league; `name` is its display name."""
    name: str
    round: int
    table: int
    opponents: list[str]
    match: str
    """Id of the match; empty while the round is a draft."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultVarianceShare:
    """Share of the variance of a game's results that comes from one source, such as the bots."""

    # The sources are bots, seats, random setups (deals) and play.

    source: str
    percent: str
    low: str
    """Lower end of the 95 % interval of `percent`."""
    high: str
    """Upper end of the 95 % interval of `percent`."""
    begin: float
    """Start of the source's section in a bar with a length of 100 units."""
    width: float
    """Width of the source's section in a bar with a length of 100 units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckOverview:
    """Measured influence of chance on a game's results."""

    seats: int
    """Number of seats at the measured tables."""
    matches: int
    deals: int
    """Number of deals that were played more than once."""
    least: int
    """Minimum number of deals played more than once that a measurement needs."""
    parts: list[ResultVarianceShare]
    """Shares by source; empty with too little data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardRow:
    """One bot on a leaderboard."""

    place: int
    name: str
    bot_slug: str
    author: str
    kind: str
    """``remote`` or ``by hand``; empty for an uploaded bot, which runs on the arena's servers."""
    label: DeclaredLlm
    """Language model that plays as a remote bot, as its author declared it."""
    rating: str
    """Court rating of the bot's newest active version with matches. It, `interval` and `ahead` are empty until then."""
    version: int | None
    """Number of the bot's newest version with a court rating; None if no version has one."""
    interval: str
    """95 % interval of the court rating."""
    provisional: bool
    """True if the court rating is still too uncertain, or not computed yet."""
    ahead: str
    """Probability, in per cent, of being stronger than the next bot on the ladder; empty for the last bot."""
    elo: str
    totals: dict[str, int]
    """Totals over the bot's rated matches by column name, such as ``matches`` and ``wins``."""
    change: str
    """Change of the Elo rating by the last match."""
    line: list[float]
    """Latest Elo ratings for a sparkline, oldest first."""


@dataclass(frozen=True, slots=True)
class HeadToHeadRecord:
    """Results of a bot against one opponent in rated matches. `name` is the slug of the opponent."""

    name: str
    won: str
    """Points that the bot won; a shared place counts half."""
    of: int
    """Number of matches against the opponent."""

    @property
    def percent(self) -> str:
        """Percentage of the possible points that the bot won against the opponent."""
        return f"{100 * float(self.won) / self.of:.0f}"


@dataclass(frozen=True, slots=True)
class HeadToHeadMatrix:
    """Head-to-head records between the best bots of a ladder. The record of two bots that never met is None."""

    names: list[str]
    rows: list[list[HeadToHeadRecord | None]]


@dataclass(frozen=True, slots=True)
class SeatAdvantage:
    """Advantage of one seat in rating points, for matches with a given number of seats."""

    points: str
    """Advantage of the seat over the mean of all seats at the table."""
    interval: str
    """95 % interval of `points`."""


@dataclass(frozen=True, slots=True)
class RoleAdvantage:
    """Advantage of one kind of seat (role) in rating points."""

    # A role has powers of its own from the start of a match.

    name: str
    points: str
    """Advantage of the role over the mean of all roles."""
    interval: str
    """95 % interval of `points`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaginatedLeaderboard:
    """One page of a game's leaderboard."""

    game: str
    title: str
    rows: list[LeaderboardRow]
    seasons: list[str]
    """Seasons of the game's leagues, newest first."""
    authors: list[str]
    """Usernames of authors who have bots on the shown ladder or on the all-time ladder."""
    languages: list[str]
    """Programming languages of the newest versions of the bots on the shown ladder or on the all-time ladder."""
    matrix: HeadToHeadMatrix
    seats: list[list[SeatAdvantage]]
    """Advantages of the seats, by table size from the smallest."""
    width: str
    """Standard deviation, in points, that the fit assumes for the strength change between versions of a bot.

    Empty if no bot has two rated versions.
    """
    spread: str
    """Standard deviation, in points, that the fit assumes for the strengths of bots; empty before the first match."""
    after: str
    """Cursor of the next page; empty at the end."""
