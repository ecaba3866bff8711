"""Statistics of results by seat and by role, over all public matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from replays import result_totals_by_seat
from replays.models.seat_result_sums import SeatResultSum


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOrRoleResults:
    """Results of one seat or role, as a line of a table."""

    name: str
    matches: int
    won: int
    """Number of first places, shared ones included."""
    percent: str
    """Share of first places in per cent, as text with one decimal."""
    place: str
    """Mean final place, as text with two decimals."""


@dataclass(frozen=True, slots=True)
class SeatStatistics:
    """Results of all seats or all roles of a game, as a table."""

    by: str
    """Heading of the first column: ``Role`` if players of the game have different roles, otherwise ``Seat``."""
    rows: list[SeatOrRoleResults]


def read_seat_statistics(game: str) -> SeatStatistics:
    """Return a table of the results of all bots in a game."""
    # The table has a row for each role if players of the game have different roles, otherwise for each seat.
    rows = SeatResultSum.objects.filter(bot=None, game=game)
    seats, roles = defaultdict[int, _Tally](_Tally), defaultdict[str, _Tally](_Tally)
    for seat, role, *counts in result_totals_by_seat.read_current_sums(
        rows, "seat", "role", "matches", "won", "places"
    ):
        seats[seat].add(*counts)
        if role:
            roles[role].add(*counts)
    if roles:
        return _by_role(roles)
    return SeatStatistics("Seat", [tally.row(str(seat + 1)) for seat, tally in sorted(seats.items())])


def _by_role(roles: Mapping[str, _Tally]) -> SeatStatistics:
    rows = (tally.row(role) for role, tally in sorted(roles.items()))
    return SeatStatistics("Role", sorted(rows, key=lambda row: -row.won / row.matches))


@dataclass(frozen=True, slots=True)
class ResultsBySeat:
    """Results of a bot by seat, in matches with the same number of seats."""

    seats: int
    """Number of seats in each of the matches."""
    matches: int
    won: int
    cells: list[SeatOrRoleResults | None]
    """Results by seat; None for a seat that the bot never had."""


@dataclass(slots=True)
class _Tally:
    """Sums over matches: number of matches, number of first places, and sum of the places."""

    matches: int = 0
    won: int = 0
    places: int = 0

    def add(self, matches: int, won: int, places: int) -> None:
        """Add the summed results of further matches."""
        self.matches, self.won, self.places = self.matches + matches, self.won + won, self.places + places

    def row(self, name: str) -> SeatOrRoleResults:
        """Return the sums as a line of a table; `name` is the seat or role."""
        percent, place = f"{100 * self.won / self.matches:.1f}", f"{self.places / self.matches:.2f}"
        return SeatOrRoleResults(name=name, matches=self.matches, won=self.won, percent=percent, place=place)


def read_bot_statistics(bot_slug: str) -> tuple[list[ResultsBySeat], SeatStatistics]:
    """Return a bot's results by number of players and seat, and its results by role."""
    # The results by role are empty if the game has no roles.
    fields = ("size", "seat", "role", "matches", "won", "places")
    sums = SeatResultSum.objects.filter(bot__slug=bot_slug).order_by("size", "seat")
    grouped = result_totals_by_seat.read_current_sums(sums, *fields)
    tables: dict[int, dict[int, _Tally]] = defaultdict(lambda: defaultdict(_Tally))
    roles: dict[str, _Tally] = defaultdict(_Tally)
    for size, seat, role, *counts in grouped:
        tables[size][seat].add(*counts)
        if role:
            roles[role].add(*counts)
    return [_seat_table(size, tallies) for size, tallies in tables.items()], _by_role(roles)


def _seat_table(size: int, tallies: dict[int, _Tally]) -> ResultsBySeat:
    cells = [tallies[seat].row(str(seat + 1)) if seat in tallies else None for seat in range(size)]
    return ResultsBySeat(size, sum(t.matches for t in tallies.values()), sum(t.won for t in tallies.values()), cells)
