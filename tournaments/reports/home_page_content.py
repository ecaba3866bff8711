"""Content of the home page: live matches, leagues that begin soon, and the best bots of each game."""
# The number of database queries does not grow with the number of games or matches.

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber

from ftk_core.games import list_games
from replays.match_search import MatchWithWinnerNames, find_last_wins
from replays.queries import PLAYING, MatchOverview
from tournaments.ladders.queries import UpsetMatch, find_biggest_upset, select_court_ratings, summarise_rating
from tournaments.ladders.rating_history import BotRivalry, read_rivalry
from tournaments.models import ALL_TIME, Rating
from tournaments.reports.featured_matches_page_content import read_programme
from tournaments.reports.league_lists import list_current
from tournaments.summaries.league_and_leaderboard_overviews import LeaderboardRow, LeagueSummary

MAX_LEAGUES, MAX_LIVE, MAX_RECENT, LEADERS_PER_GAME = 6, 5, 8, 3
SOON = timedelta(hours=24)
"""Maximum time until the start of a league for which the league is listed first, with a countdown."""
RIVALRY_PERIOD, RIVALRY_SEATS, MIN_MEETINGS = timedelta(days=7), 400, 3
"""Limits of the query for the rivalry of the week: period, rated seats per game, and meetings of the two bots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePageGame:
    """A game with the best bots of its all-time ladder and its last match."""

    name: str
    title: str
    seats: tuple[int, int]
    """Minimum and maximum number of seats."""
    bots: int
    """Number of rated bots."""
    top: list[LeaderboardRow]
    last: MatchWithWinnerNames | None
    """The latest released match with a result; None before the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePageContent:
    """Content of the home page."""

    live: list[tuple[MatchOverview, str]]
    """(live match, name of its leader), most interesting first; the name is empty if nobody leads alone."""
    recent: list[MatchOverview]
    """Finished matches, first the wanted one or the most interesting one."""
    soon: list[LeagueSummary]
    """Leagues that begin within `SOON`, the next first."""
    open: list[LeagueSummary]
    """Other leagues that are open for entries."""
    leagues: list[LeagueSummary]
    """Running leagues, then the newest finished ones."""
    upset: UpsetMatch | None
    rivalry: BotRivalry | None
    games: list[HomePageGame]

    @property
    def is_empty(self) -> bool:
        """True if no league was announced and no match was played."""
        return not (self.live or self.recent or self.soon or self.open or self.leagues)


def read_front_page(now: datetime, wanted_match: str = "") -> HomePageContent:
    """Return the content of the home page, which is the same for all users.

    `wanted_match` is the id of a match to show first among the live matches, or among the finished ones if it is over.
    """
    try:
        programme = read_programme(wanted_match)
    except ObjectDoesNotExist:
        programme = read_programme()
    shown = [programme.shown] if programme.shown else []
    live = [match for match in [*shown, *programme.live] if match.status == PLAYING]
    recent = [match for match in [*shown, *programme.recent] if match.status != PLAYING]
    current = list_current(limit=MAX_LEAGUES)
    is_soon = {one.id: bool(one.entries_until and now < one.entries_until <= now + SOON) for one in current}
    entries = [one for one in current if one.status == "open"]
    return HomePageContent(
        live=[(match, programme.ahead.get(match.id, "")) for match in live[:MAX_LIVE]],
        recent=recent[:MAX_RECENT],
        soon=[one for one in entries if is_soon[one.id]],
        open=[one for one in entries if not is_soon[one.id]],
        leagues=[one for one in current if one.status != "open"],
        upset=find_biggest_upset(),
        rivalry=read_rivalry(list(list_games()), now - RIVALRY_PERIOD, RIVALRY_SEATS, MIN_MEETINGS),
        games=list_game_cards(),
    )


def list_game_cards() -> list[HomePageGame]:
    """Return a card for every game, with its best bots and its last match."""
    tops, last = _read_tops(), find_last_wins(list(list_games()))
    return [
        HomePageGame(
            name=name,
            title=rules.title,
            seats=(rules.seats.start, rules.seats.stop - 1),
            bots=vars(tops[name][0])["bots"] if name in tops else 0,
            top=[summarise_rating(place, row) for place, row in enumerate(tops.get(name, ()), 1)],
            last=last.get(name),
        )
        for name, rules in list_games().items()
    ]


def _read_tops() -> dict[str, list[Rating]]:
    """Return the ratings of each game's best bots of all time, by game."""
    # Each rating has the additional attribute `bots`, the number of rated bots of the game.
    rated = select_court_ratings(Rating.objects.filter(season=ALL_TIME, game__in=list_games()))
    ranked = rated.annotate(
        rank=Window(RowNumber(), partition_by=F("game"), order_by=(F("court").desc(), F("bot__slug").asc())),
        bots=Window(Count("pk"), partition_by=F("game")),
    )
    tops: dict[str, list[Rating]] = {}
    for row in ranked.filter(rank__lte=LEADERS_PER_GAME).select_related("bot__owner").order_by("game", "rank"):
        tops.setdefault(row.game, []).append(row)
    return tops
