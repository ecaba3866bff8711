"""Queries for leaderboards and pages of bots: ratings, head-to-head records, and surprising results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject

from bots.queries import select_language
from bots.remote_bots import DeclaredLlm, runs_outside_server, select_command
from foundation.keyset_pagination import SortColumn, read_number, read_page, read_text
from ftk_core.games import game, list_games
from replays.queries import read_versions
from tournaments.ladders.match_rating_order import MAX_KEPT_MATCHES, TOTALS
from tournaments.ladders.rating_history import (
    EloRatingChange,
    MeetingsByPair,
    read_meetings,
    read_rivals,
    read_sole_wins,
    read_steps,
)
from tournaments.models import ALL_TIME, CourtRating, CourtRatingFit, League, Rating
from tournaments.summaries.league_and_leaderboard_overviews import (
    HeadToHeadMatrix,
    HeadToHeadRecord,
    LeaderboardRow,
    PaginatedLeaderboard,
    RoleAdvantage,
    SeatAdvantage,
)

PAGE_ROWS = 50
LADDER_ORDER = (SortColumn("court", read_number, descending=True), SortColumn("bot__slug", read_text))
UNFITTED_OFFSET = -1_000_000_000
"""Number added to the Elo rating of bots without a court rating, so that they sort below all other bots."""
SPARKLINE_POINTS = 30
"""Number of a bot's latest Elo ratings in its sparkline."""
MATRIX_BOTS = 8
"""Number of bots in the matrix of head-to-head records, and of opponents on a bot's page."""
MAX_UPSET_SHARE = 0.45
"""A win is an upset only if the sole winner was expected to beat less than this share of the opponents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingHistoryPoint:
    """Elo rating of a bot after one match, with its place in the match."""

    match: str
    rating: float
    change: str
    place: int
    seats: int
    version: int | None


@dataclass(frozen=True, slots=True)
class BotLadderStanding:
    """Ratings of a bot on all its ladders, and its history on one of them, the main ladder."""

    row: LeaderboardRow
    """Row of the bot on its main ladder: the all-time ladder if it has matches there, else the first of `ladders`."""
    points: list[RatingHistoryPoint]
    """Elo ratings after the latest matches on the main ladder, oldest first."""
    rivals: list[HeadToHeadRecord]
    """Results against the most frequent opponents on the main ladder."""
    ladders: list[tuple[str, LeaderboardRow]]
    """(season label, row) for each ladder: all-time, then ladders outside leagues, then the seasons, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpsetMatch:
    """A match whose winner was expected to lose against most opponents."""

    game: str
    title: str
    match: str
    name: str
    percent: str
    """Percentage of opponents that the winner was expected to finish ahead of."""


def list_seasons(name: str) -> list[str]:
    """Return the seasons of a game's leagues, newest first."""
    rows = League.objects.valid().filter(game=name).exclude(season=ALL_TIME).values_list("season")
    return [season for season, _ in rows.annotate(newest=Max("created_at")).order_by("-newest", "season")]


def read_ladder(
    name: str, season: str = ALL_TIME, author: str = "", language: str = "", cursor: str = ""
) -> PaginatedLeaderboard:
    """Return a leaderboard page, filtered by author and language.

    An empty filter selects all bots. Filters do not change the bots' places. Raises UnknownGameError or
    InvalidCursorError.
    """
    title = game(name).title
    rated = select_court_ratings(Rating.objects.filter(game=name)).annotate(language=select_language())
    pairs_query = rated.filter(season__in=(ALL_TIME, season)).order_by("bot__owner__username")
    pairs = list(pairs_query.values_list("bot__owner__username", "language").distinct())
    rows = all_rows = rated.filter(season=season).select_related("bot__owner")
    if author:
        rows = rows.filter(bot__owner__username=author)
    if language:
        rows = rows.filter(language=language)
    page = read_page(rows, LADDER_ORDER, cursor, PAGE_ROWS)
    order = list(_order_ratings(all_rows).values_list("bot_id", "bot__slug"))  # after the page: it has all its bots
    places = {bot: place for place, (bot, _) in enumerate(order, 1)}
    steps = read_steps(name, [season], [row.bot.slug for row in page.rows], SPARKLINE_POINTS)
    top = [slug for _, slug in order[:MATRIX_BOTS]]
    authors = list(dict.fromkeys(owner for owner, _ in pairs))
    languages = sorted({language_name for _, language_name in pairs if language_name})
    return PaginatedLeaderboard(
        game=name,
        title=title,
        rows=[summarise_rating(places[row.bot_id], row, steps[season, row.bot.slug]) for row in page.rows],
        seasons=list_seasons(name),
        authors=authors,
        languages=languages,
        matrix=_make_matrix(top, read_meetings(name, season, top)),
        seats=_list_seat_values(name, season),
        width=_format_fit_field(name, season, "width"),
        spread=_format_fit_field(name, season, "spread"),
        after=page.after,
    )


def list_top(name: str, limit: int = 5) -> list[LeaderboardRow]:
    """Return the best bots of a game's all-time leaderboard, best first."""
    rated = select_court_ratings(Rating.objects.filter(game=name, season=ALL_TIME).select_related("bot__owner"))
    ratings = list(_order_ratings(rated)[:limit])
    steps = read_steps(name, [ALL_TIME], [row.bot.slug for row in ratings], SPARKLINE_POINTS)
    return [summarise_rating(place, row, steps[ALL_TIME, row.bot.slug]) for place, row in enumerate(ratings, 1)]


def select_court_ratings(rows: QuerySet[Rating]) -> QuerySet[Rating]:
    """Annotate a query of Elo ratings with the bots' court ratings and the commands of the rated versions."""
    court = CourtRating.objects.filter(bot=OuterRef("bot"), season=OuterRef("season"))
    court_fields = JSONObject(**{field: field for field in ("version", "value", "low", "high", "provisional", "ahead")})
    order = Coalesce(Subquery(court.values("value")), F("value") + UNFITTED_OFFSET)
    rows = rows.annotate(court=order, fitted=Subquery(court.values(whole=court_fields)))
    return rows.annotate(rated=Subquery(court.values("version")), command=select_command("bot", "rated"))


def _order_ratings(rows: QuerySet[Rating]) -> QuerySet[Rating]:
    return rows.order_by(*(column.order for column in LADDER_ORDER))


def summarise_rating(place: int, rating: Rating, steps: Sequence[EloRatingChange] = ()) -> LeaderboardRow:
    """Return a bot's row on a leaderboard. `select_court_ratings` must have annotated `rating`."""
    court_fields = vars(rating)["fitted"]
    court = CourtRating(**court_fields) if court_fields else None
    newest = steps[-SPARKLINE_POINTS:]
    sparkline = [step.before / 1000 for step in newest[:1]] + [step.after / 1000 for step in newest]
    return LeaderboardRow(
        place=place,
        name=rating.bot.slug,
        bot_slug=rating.bot.slug,
        author=rating.bot.owner.get_username(),
        kind=rating.bot.get_kind_display() if runs_outside_server(rating.bot) else "",
        label=DeclaredLlm.from_command(vars(rating)["command"]),
        rating=f"{court.value / 100:.0f}" if court else "",
        version=court.version if court else None,
        interval=f"{court.low / 100:.0f} to {court.high / 100:.0f}" if court else "",
        provisional=court is None or court.provisional,
        ahead=f"{100 * court.ahead:.0f}" if court and court.ahead is not None else "",
        elo=f"{rating.value / 1000:.0f}",
        totals={name: getattr(rating, name) for name in TOTALS},
        change=f"{rating.last_delta / 1000:+.1f}",
        line=sparkline,
    )


def _list_seat_values(name: str, season: str) -> list[list[SeatAdvantage]]:
    tables = CourtRatingFit.objects.filter(game=name, season=season).values_list("seats", flat=True).first() or []
    return [
        [SeatAdvantage(f"{value:+.0f}", f"{low:+.0f} to {high:+.0f}") for value, low, high in seats] for seats in tables
    ]


def _format_fit_field(name: str, season: str, field: str) -> str:
    points = CourtRatingFit.objects.filter(game=name, season=season).values_list(field, flat=True).first()
    return "" if points is None else f"{points:.0f}"


def list_roles(name: str) -> list[RoleAdvantage]:
    """Return the advantage of each kind of seat (role) in rating points, highest first."""
    roles = CourtRatingFit.objects.filter(game=name, season=ALL_TIME).values_list("roles", flat=True).first() or []
    order = sorted(roles, key=lambda role: -role[1])
    return [RoleAdvantage(role, f"{value:+.0f}", f"{low:+.0f} to {high:+.0f}") for role, value, low, high in order]


def _make_matrix(names: list[str], results: MeetingsByPair) -> HeadToHeadMatrix:
    cells = {pair: HeadToHeadRecord(pair[1], f"{halves / 2:g}", of) for pair, (halves, of) in results.items()}
    return HeadToHeadMatrix(names, [[cells.get((bot, opponent)) for opponent in names] for bot in names])


def read_standing(slug: str, name: str) -> BotLadderStanding | None:
    """Return the ratings and the rating history of a bot; None if it has no rated match."""
    others = select_court_ratings(Rating.objects.filter(game=name, season=OuterRef("season")))
    tied_before = Q(court=OuterRef("court"), bot__slug__lt=OuterRef("bot__slug"))  # as in `LADDER_ORDER`
    better = others.filter(Q(court__gt=OuterRef("court")) | tied_before)
    better_count = better.order_by().values("game").annotate(n=Count("pk")).values("n")
    leagues = League.objects.valid().filter(game=name, season=OuterRef("season")).order_by("-created_at")
    own = select_court_ratings(Rating.objects.filter(bot__slug=slug).select_related("bot__owner"))
    rated = own.annotate(better=Subquery(better_count))
    newest = Subquery(leagues.values("created_at")[:1]).desc(nulls_first=True)  # all time, without leagues, comes first
    rows = {row.season: row for row in rated.order_by(newest, "season")}
    if not rows:
        return None
    main = ALL_TIME if ALL_TIME in rows else next(iter(rows))
    steps = read_steps(name, list(rows), [slug], MAX_KEPT_MATCHES)
    ladders = [
        (season, summarise_rating((row.better or 0) + 1, row, steps[season, slug])) for season, row in rows.items()
    ]
    rival_results = read_rivals(name, main, slug, MATRIX_BOTS)
    rivals = [HeadToHeadRecord(other, f"{halves / 2:g}", of) for other, (halves, of) in rival_results.items()]
    return BotLadderStanding(dict(ladders)[main], _list_points(slug, steps[main, slug]), rivals, ladders)


def _list_points(slug: str, steps: list[EloRatingChange]) -> list[RatingHistoryPoint]:
    """Return the Elo rating of a bot after each match, with the version that played the match."""
    versions = read_versions([step.match for step in steps], slug)
    return [
        RatingHistoryPoint(
            match=s.match,
            rating=s.after / 1000,
            change=f"{(s.after - s.before) / 1000:+.1f}",
            place=s.place,
            seats=s.seats,
            version=versions.get(s.match),
        )
        for s in steps
    ]


def find_biggest_upset(limit: int = 40) -> UpsetMatch | None:
    """Return the most surprising win among the latest wins of all games; None if no win was surprising."""
    # The latest `limit` wins of each game are compared.
    wins = [
        (win.share, name, win)
        for name, sole_wins in read_sole_wins(list(list_games()), limit).items()
        for win in sole_wins
    ]
    share, name, win = min(wins, key=lambda row: row[0], default=(1.0, "", None))
    if win is None or share >= MAX_UPSET_SHARE:
        return None
    return UpsetMatch(game=name, title=game(name).title, match=win.match, name=win.name, percent=f"{100 * share:.0f}")
