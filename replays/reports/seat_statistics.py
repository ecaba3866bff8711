"""What a seat or a role is worth: how its holders did in all matches played to the end and released."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Avg, Count, OuterRef, Q, Subquery, Sum

from replays.models import Match, MatchSeat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRecord:
    """How one seat or role did."""

    name: str
    matches: int
    won: int
    """First places, shared ones included."""
    percent: str
    place: str
    """The mean place."""


@dataclass(frozen=True, slots=True)
class SeatStatistics:
    """All seats or all roles of a game."""

    by: str
    """``Role`` where the game deals different ones, else ``Seat``."""
    rows: list[SeatRecord]


def read_seat_statistics(game: str, bot_slug: str | None = None) -> SeatStatistics:
    """Return how the roles of a game did, or its seats where all roles are alike; for one bot or for everybody."""
    seats = MatchSeat.objects.filter(match__game=game, match__status=Match.Status.CLOSED, match__released=True)
    if bot_slug is not None:
        seats = seats.filter(version__bot__slug=bot_slug)
    field = "role" if seats.exclude(role="").exists() else "seat"
    grouped = (
        seats.values_list(field)
        .annotate(matches=Count("pk"), won=Count("pk", filter=Q(place=1)), mean=Avg("place"))
        .order_by()
    )
    if field == "role":
        found = sorted(grouped.exclude(role=""), key=lambda row: -row[2] / row[1])
        return SeatStatistics("Role", [_row(role, *rest) for role, *rest in found])
    return SeatStatistics("Seat", [_row(str(seat + 1), *rest) for seat, *rest in sorted(grouped)])


def _row(name: str, matches: int, won: int, place: float) -> SeatRecord:
    return SeatRecord(name=name, matches=matches, won=won, percent=f"{100 * won / matches:.1f}", place=f"{place:.2f}")


@dataclass(frozen=True, slots=True)
class SeatTable:
    """How a bot did at tables of one size, seat by seat."""

    seats: int
    matches: int
    won: int
    cells: list[SeatRecord | None]
    """By seat; None where it never sat."""


@dataclass(slots=True)
class _Tally:
    """What is summed up over some seats."""

    matches: int = 0
    won: int = 0
    places: int = 0

    def add(self, matches: int, won: int, places: int) -> None:
        """Count more of them."""
        self.matches, self.won, self.places = self.matches + matches, self.won + won, self.places + places

    def row(self, name: str) -> SeatRecord:
        """Return the line of a table."""
        return _row(name, self.matches, self.won, self.places / self.matches)


def read_bot_statistics(bot_slug: str) -> tuple[list[SeatTable], SeatStatistics]:
    """Return how a bot did by the size of the table and its seat there, and by its role if it had any: one query."""
    others = MatchSeat.objects.filter(match=OuterRef("match")).order_by().values("match").annotate(n=Count("pk"))
    grouped = (
        MatchSeat.objects.filter(match__status=Match.Status.CLOSED, match__released=True, version__bot__slug=bot_slug)
        .annotate(size=Subquery(others.values("n")))
        .values_list("size", "seat", "role")
        .annotate(matches=Count("pk"), won=Count("pk", filter=Q(place=1)), places=Sum("place"))
        .order_by("size", "seat")
    )
    tables: dict[int, dict[int, _Tally]] = defaultdict(lambda: defaultdict(_Tally))
    roles: dict[str, _Tally] = defaultdict(_Tally)
    for size, seat, role, *counts in grouped:
        tables[size][seat].add(*counts)
        if role:
            roles[role].add(*counts)
    by_role = sorted((tally.row(role) for role, tally in roles.items()), key=lambda row: -row.won / row.matches)
    return [_seat_table(size, tallies) for size, tallies in tables.items()], SeatStatistics("Role", by_role)


def _seat_table(size: int, tallies: dict[int, _Tally]) -> SeatTable:
    cells = [tallies[seat].row(str(seat + 1)) if seat in tallies else None for seat in range(size)]
    return SeatTable(size, sum(t.matches for t in tallies.values()), sum(t.won for t in tallies.values()), cells)
