"""What a seat or a role is worth: how its holders did in all matches that were played to the end."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Avg, Count, Q

from replays.models import Match, MatchSeat


@dataclass(frozen=True, slots=True)
class ValueRow:
    """How one seat or role did."""

    name: str
    games: int
    won: int
    """First places, shared ones included."""
    percent: str
    place: str
    """The mean place."""


@dataclass(frozen=True, slots=True)
class ValueTable:
    """All seats or all roles of a game."""

    by: str
    """``Role`` where the game deals different ones, else ``Seat``."""
    rows: list[ValueRow]


def value_table(game: str, bot_slug: str | None = None) -> ValueTable:
    """Return how the roles of a game did, or its seats where all roles are alike; for one bot or for everybody."""
    seats = MatchSeat.objects.filter(match__game=game, match__status=Match.Status.CLOSED)
    if bot_slug is not None:
        seats = seats.filter(version__bot__slug=bot_slug)
    field = "role" if seats.exclude(role="").exists() else "seat"
    grouped = (
        seats.values_list(field)
        .annotate(games=Count("pk"), won=Count("pk", filter=Q(place=1)), mean=Avg("place"))
        .order_by()
    )
    if field == "role":
        found = sorted(grouped.exclude(role=""), key=lambda row: -row[2] / row[1])
        return ValueTable("Role", [_row(role, *rest) for role, *rest in found])
    return ValueTable("Seat", [_row(str(seat + 1), *rest) for seat, *rest in sorted(grouped)])


def _row(name: str, games: int, won: int, place: float) -> ValueRow:
    return ValueRow(name, games, won, f"{100 * won / games:.1f}", f"{place:.2f}")
