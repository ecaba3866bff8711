"""Queries of ladders: ratings with intervals, meetings, and surprises.

A ladder is ordered by court rating; bots without one come last, ordered by Elo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject

from bots.outside import is_outside
from bots.queries import select_language
from foundation.paging import Column, read_number, read_text, slice_of
from ftk_core.games import game, shelf
from replays.queries import read_versions
from tournaments.ladder_history import Meetings, Step, read_meetings, read_rivals, read_steps, read_wins
from tournaments.ladder_order import KEPT
from tournaments.models import ALL_TIME, CourtFit, CourtRating, League, Rating
from tournaments.overviews import Ladder, Matrix, Meeting, RatingRow, RoleValue, SeatValue

PAGE = 50
ORDER = (Column("court", read_number, falling=True), Column("bot__slug", read_text))
UNFITTED = -1_000_000_000
"""Below any court rating, whatever Elo is added to it."""
SPARK = 30
"""Number of ratings in a sparkline."""
TOP = 8
"""Number of bots in the matrix of meetings."""
EVEN = 0.45
"""Winners expected to leave this share of opponents behind are no surprise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A bot's rating after one match."""

    match: str
    rating: float
    change: str
    place: int
    seats: int
    version: int | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot on its ladders."""

    row: RatingRow
    """For all time, or, if it was in no league, of its other ladder; so are its points and rivals."""
    points: list[Point]
    """Its last matches, oldest first."""
    rivals: list[Meeting]
    """Most frequent opponents."""
    ladders: list[tuple[str, RatingRow]]
    """Rows by season: all time, then its other seasons, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upset:
    """A match with a surprising winner."""

    game: str
    title: str
    match: str
    name: str
    percent: str
    """Expected share of opponents that the winner leaves behind."""


def list_seasons(name: str) -> list[str]:
    """Return the seasons of a game's leagues, newest first."""
    rows = League.objects.sound().filter(game=name).exclude(season=ALL_TIME).values_list("season")
    return [season for season, _ in rows.annotate(newest=Max("created_at")).order_by("-newest", "season")]


def read_ladder(name: str, season: str = ALL_TIME, author: str = "", language: str = "", cursor: str = "") -> Ladder:
    """Return a page of a game's leaderboard, for all time or a season; raises UnknownGame or BadCursor."""
    title = game(name).title
    rated = _fitted(Rating.objects.filter(game=name)).annotate(language=select_language())
    known = rated.filter(season__in=(ALL_TIME, season)).order_by("bot__owner__username")
    pairs = list(known.values_list("bot__owner__username", "language").distinct())
    rows = rated.filter(season=season).select_related("bot__owner")
    order = list(_ordered(rows).values_list("bot__slug", flat=True))
    if author:
        rows = rows.filter(bot__owner__username=author)
    if language:
        rows = rows.filter(language=language)
    piece = slice_of(rows, ORDER, cursor, PAGE)
    places = {slug: place for place, slug in enumerate(order, 1)}
    steps = read_steps(name, [season], [row.bot.slug for row in piece.rows], SPARK)
    top = order[:TOP]
    authors = list(dict.fromkeys(owner for owner, _ in pairs))
    languages = sorted({word for _, word in pairs if word})
    return Ladder(
        game=name,
        title=title,
        rows=[_row(places[row.bot.slug], row, steps[season, row.bot.slug]) for row in piece.rows],
        seasons=list_seasons(name),
        authors=authors,
        languages=languages,
        matrix=_matrix(top, read_meetings(name, season, top)),
        seats=_seats(name, season),
        width=_learnt(name, season, "width"),
        spread=_learnt(name, season, "spread"),
        after=piece.after,
    )


def list_top(name: str, limit: int = 5) -> list[RatingRow]:
    """Return the top of a game's all-time leaderboard."""
    rated = _fitted(Rating.objects.filter(game=name, season=ALL_TIME).select_related("bot__owner"))
    rows = list(_ordered(rated)[:limit])
    steps = read_steps(name, [ALL_TIME], [row.bot.slug for row in rows], SPARK)
    return [_row(place, row, steps[ALL_TIME, row.bot.slug]) for place, row in enumerate(rows, 1)]


def _fitted(rows: QuerySet[Rating]) -> QuerySet[Rating]:
    """Annotate rows with their court rating and the sort key."""
    court = CourtRating.objects.filter(bot=OuterRef("bot"), season=OuterRef("season"))
    whole = JSONObject(**{field: field for field in ("version", "value", "low", "high", "provisional", "ahead")})
    order = Coalesce(Subquery(court.values("value")), F("value") + UNFITTED)
    return rows.annotate(court=order, fitted=Subquery(court.values(whole=whole)))


def _ordered(rows: QuerySet[Rating]) -> QuerySet[Rating]:
    return rows.order_by(*(column.order for column in ORDER))


def _row(place: int, row: Rating, steps: Sequence[Step]) -> RatingRow:
    fitted = vars(row)["fitted"]
    court = CourtRating(**fitted) if fitted else None
    line = [step.before / 1000 for step in steps[-SPARK:][:1]] + [step.after / 1000 for step in steps[-SPARK:]]
    return RatingRow(
        place=place,
        name=row.bot.slug,
        bot_slug=row.bot.slug,
        author=row.bot.owner.get_username(),
        kind=row.bot.get_kind_display() if is_outside(row.bot) else "",
        rating=f"{court.value / 100:.0f}" if court else "",
        version=court.version if court else None,
        interval=f"{court.low / 100:.0f} to {court.high / 100:.0f}" if court else "",
        provisional=court is None or court.provisional,
        ahead=f"{100 * court.ahead:.0f}" if court and court.ahead is not None else "",
        elo=f"{row.value / 1000:.0f}",
        matches=row.matches,
        wins=row.wins,
        change=f"{row.last_delta / 1000:+.1f}",
        line=line,
    )


def _seats(name: str, season: str) -> list[list[SeatValue]]:
    tables = CourtFit.objects.filter(game=name, season=season).values_list("seats", flat=True).first() or []
    return [
        [SeatValue(f"{value:+.0f}", f"{low:+.0f} to {high:+.0f}") for value, low, high in seats] for seats in tables
    ]


def _learnt(name: str, season: str, field: str) -> str:
    points = CourtFit.objects.filter(game=name, season=season).values_list(field, flat=True).first()
    return "" if points is None else f"{points:.0f}"


def list_roles(name: str) -> list[RoleValue]:
    """Return the value of each role of a game, best first; empty if all seats are alike from the start."""
    roles = CourtFit.objects.filter(game=name, season=ALL_TIME).values_list("roles", flat=True).first() or []
    order = sorted(roles, key=lambda role: -role[1])
    return [RoleValue(role, f"{value:+.0f}", f"{low:+.0f} to {high:+.0f}") for role, value, low, high in order]


def _matrix(names: list[str], met: Meetings) -> Matrix:
    cells = {pair: Meeting(pair[1], f"{halves / 2:g}", of) for pair, (halves, of) in met.items()}
    return Matrix(names, [[cells.get((one, other)) for other in names] for one in names])


def read_standing(slug: str, name: str) -> Standing | None:
    """Return a bot's standing on its game's ladders, with its history; None before its first rated match."""
    others = _fitted(Rating.objects.filter(game=name, season=OuterRef("season")))
    better = others.filter(Q(court__gt=OuterRef("court")))
    count = better.order_by().values("game").annotate(n=Count("pk")).values("n")
    leagues = League.objects.sound().filter(game=name, season=OuterRef("season")).order_by("-created_at")
    own = _fitted(Rating.objects.filter(bot__slug=slug).select_related("bot__owner"))
    rated = own.annotate(better=Subquery(count))
    newest = Subquery(leagues.values("created_at")[:1]).desc(nulls_first=True)  # no league belongs to all time
    rows = {row.season: row for row in rated.order_by(newest, "season")}
    if not rows:
        return None
    main = ALL_TIME if ALL_TIME in rows else next(iter(rows))
    steps = read_steps(name, list(rows), [slug], KEPT)
    ladders = [(season, _row((row.better or 0) + 1, row, steps[season, slug])) for season, row in rows.items()]
    met = read_rivals(name, main, slug, TOP)
    rivals = [Meeting(other, f"{halves / 2:g}", of) for other, (halves, of) in met.items()]
    return Standing(dict(ladders)[main], _points(slug, steps[main, slug]), rivals, ladders)


def _points(slug: str, steps: list[Step]) -> list[Point]:
    """Return the effect of a bot's matches on its rating, with the version that played each."""
    versions = read_versions([step.match for step in steps], slug)
    return [
        Point(
            match=s.match,
            rating=s.after / 1000,
            change=f"{(s.after - s.before) / 1000:+.1f}",
            place=s.place,
            seats=s.seats,
            version=versions.get(s.match),
        )
        for s in steps
    ]


def find_last_upset(among: int = 40) -> Upset | None:
    """Return the least expected winner among each ladder's last matches; None without a surprise."""
    wins = [(win.share, name, win) for name, found in read_wins(list(shelf()), among).items() for win in found]
    share, name, win = min(wins, key=lambda row: row[0], default=(1.0, "", None))
    if win is None or share >= EVEN:
        return None
    return Upset(game=name, title=game(name).title, match=win.match, name=win.name, percent=f"{100 * share:.0f}")
