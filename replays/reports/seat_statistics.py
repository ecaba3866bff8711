"""What a seat or a role is worth: how its holders did in all matches that were played to the end."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Avg, Count, OuterRef, Q, Subquery, Sum

from replays.models import Match, MatchSeat


@dataclass(frozen=True, slots=True, kw_only=True)
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
    return ValueRow(name=name, games=games, won=won, percent=f"{100 * won / games:.1f}", place=f"{place:.2f}")


@dataclass(frozen=True, slots=True)
class SeatTable:
    """How a bot did at tables of one size, seat by seat."""

    seats: int
    games: int
    won: int
    cells: list[ValueRow | None]
    """By seat; None where it never sat."""


@dataclass(slots=True)
class _Tally:
    """What is summed up over some seats."""

    games: int = 0
    won: int = 0
    places: int = 0

    def add(self, games: int, won: int, places: int) -> None:
        """Count more of them."""
        self.games, self.won, self.places = self.games + games, self.won + won, self.places + places

    def row(self, name: str) -> ValueRow:
        """Return the line of a table."""
        return _row(name, self.games, self.won, self.places / self.games)


def record_of(bot_slug: str) -> tuple[list[SeatTable], ValueTable]:
    """Return how a bot did by the size of the table and its seat there, and by its role if it had any: one query."""
    others = MatchSeat.objects.filter(match=OuterRef("match")).order_by().values("match").annotate(n=Count("pk"))
    grouped = (
        MatchSeat.objects.filter(match__status=Match.Status.CLOSED, version__bot__slug=bot_slug)
        .annotate(size=Subquery(others.values("n")))
        .values_list("size", "seat", "role")
        .annotate(games=Count("pk"), won=Count("pk", filter=Q(place=1)), places=Sum("place"))
        .order_by("size", "seat")
    )
    tables: dict[int, dict[int, _Tally]] = defaultdict(lambda: defaultdict(_Tally))
    roles: dict[str, _Tally] = defaultdict(_Tally)
    for size, seat, role, *counts in grouped:
        tables[size][seat].add(*counts)
        if role:
            roles[role].add(*counts)
    by_role = sorted((tally.row(role) for role, tally in roles.items()), key=lambda row: -row.won / row.games)
    return [_seat_table(size, tallies) for size, tallies in tables.items()], ValueTable("Role", by_role)


def _seat_table(size: int, tallies: dict[int, _Tally]) -> SeatTable:
    cells = [tallies[seat].row(str(seat + 1)) if seat in tallies else None for seat in range(size)]
    return SeatTable(size, sum(t.games for t in tallies.values()), sum(t.won for t in tallies.values()), cells)
