"""What the pages ask of the ladders: ratings with their errors, who beat whom, and the last surprise."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from django.db.models import Count, OuterRef, QuerySet, Subquery

from bots.paging import Column, read_number, read_text, slice_of
from ftk_core.games import game, shelf
from replays.models import MatchSeat
from tournaments.course import Course, courses
from tournaments.models import Rating
from tournaments.pages import Ladder, Matrix, Meeting, RatingRow

PAGE = 50
ORDER = (Column("value", read_number, falling=True), Column("bot__slug", read_text))
PROVISIONAL = 20
"""With fewer matches a rating is provisional."""
SPARK = 30
"""So many of the last ratings make the little line."""
TOP = 8
"""So many bots make the table of who beat whom."""


@dataclass(frozen=True, slots=True)
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
    """A bot on its ladder."""

    row: RatingRow
    points: list[Point]
    """Its last matches, the oldest first."""
    rivals: list[Meeting]
    """Whom it met most."""


@dataclass(frozen=True, slots=True)
class Upset:
    """A match that was won by a bot nobody would have bet on."""

    game: str
    title: str
    match: str
    name: str
    percent: str
    """The share of its opponents that the winner was expected to leave behind."""


def ladder(name: str, author: str = "", cursor: str = "") -> Ladder:
    """Return a part of a game's leaderboard; raises UnknownGame or BadCursor."""
    title = game(name).title
    rated = Rating.objects.filter(game=name)
    authors = list(rated.order_by("bot__owner__username").values_list("bot__owner__username", flat=True).distinct())
    order = list(_ordered(rated).values_list("bot__slug", flat=True))
    rows = rated.select_related("bot__owner")
    if author:
        rows = rows.filter(bot__owner__username=author)
    piece = slice_of(rows, ORDER, cursor, PAGE)
    places = {slug: place for place, slug in enumerate(order, 1)}
    with courses([name]) as found:
        lines = [_row(places[row.bot.slug], row, found[name]) for row in piece.rows]
        matrix = _matrix(order[:TOP], found[name])
    return Ladder(name, title, lines, authors, matrix, piece.after)


def top(name: str, limit: int = 5) -> list[RatingRow]:
    """Return the first of a game's leaderboard."""
    rows = list(_ordered(Rating.objects.filter(game=name).select_related("bot__owner"))[:limit])
    with courses([name]) as found:
        return [_row(place, row, found[name]) for place, row in enumerate(rows, 1)]


def _ordered(rows: QuerySet[Rating]) -> QuerySet[Rating]:
    return rows.order_by(*(column.order for column in ORDER))


def _row(place: int, row: Rating, course: Course) -> RatingRow:
    past = course.pasts.get(row.bot.slug)
    steps = list(past.steps)[-SPARK:] if past else []
    line = [step.before / 1000 for step in steps[:1]] + [step.after / 1000 for step in steps]
    return RatingRow(
        place,
        row.bot.slug,
        row.bot.slug,
        row.bot.owner.get_username(),
        f"{row.value / 1000:.0f}",
        f"{past.error:.0f}" if past and past.information else "",
        row.games,
        row.wins,
        f"{row.last_delta / 1000:+.1f}",
        row.games < PROVISIONAL,
        line,
    )


def _matrix(names: list[str], course: Course) -> Matrix:
    cells = {(one, other): _meeting(course, one, other) for one, other in product(names, names)}
    return Matrix(names, [[cells[one, other] for other in names] for one in names])


def _meeting(course: Course, one: str, other: str) -> Meeting | None:
    halves, of = course.met.get((one, other), (0, 0))
    return Meeting(other, f"{halves / 2:g}", of) if of else None


def standing(slug: str, name: str) -> Standing | None:
    """Return how a bot stands on its game's ladder, and how it came there; None before its first rated match."""
    better = Rating.objects.filter(game=name, value__gt=OuterRef("value")).order_by().values("game")
    rows = Rating.objects.filter(bot__slug=slug).select_related("bot__owner")
    row = rows.annotate(better=Subquery(better.annotate(n=Count("pk")).values("n"))).first()
    if row is None:
        return None
    with courses([name]) as found:
        course = found[name]
        line = _row((row.better or 0) + 1, row, course)
        steps = list(course.pasts[slug].steps) if slug in course.pasts else []
        met = sorted(((of, other) for (one, other), (_, of) in course.met.items() if one == slug), reverse=True)
        rivals = [meeting for _, other in met[:TOP] if (meeting := _meeting(course, slug, other))]
    seats = MatchSeat.objects.filter(match__in=[step.match for step in steps], version__bot__slug=slug)
    versions = dict(seats.values_list("match_id", "version__number"))
    points = [
        Point(s.match, s.after / 1000, f"{(s.after - s.before) / 1000:+.1f}", s.place, s.seats, versions.get(s.match))
        for s in steps
    ]
    return Standing(line, points, rivals)


def last_upset(among: int = 40) -> Upset | None:
    """Return the least expected winner of each ladder's last matches; None while nothing is rated."""
    with courses(list(shelf())) as found:
        wins = [(win.share, name, win) for name, course in found.items() for win in list(course.wins)[-among:]]
    if not wins:
        return None
    share, name, win = min(wins, key=lambda row: row[0])
    return Upset(name, game(name).title, win.match, win.name, f"{100 * share:.0f}")
