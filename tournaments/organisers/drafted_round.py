"""A paired round that has not begun, as organisers see it."""
# It lists conflicts for each group of bots that would meet, such as a repeated meeting.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.utils.translation import gettext as _, ngettext

from ftk_core.league.event_fields import TableSeating
from ftk_core.league.formats.pairing_history import PairingHistory, history_of
from ftk_core.league.league_state import LeagueState
from ftk_core.league.stage_progress import StageProgress, progress_of
from tournaments.organisers.organiser_action_definition import entry_name

MAX_TABLES = 60
"""Maximum number of tables in a `DraftedRound`."""
MAX_SEAT_GAP = 1
"""Maximum gap between an entry's seats that is not listed as a conflict.

The gap is how often the entry has had its drafted seat, the drafted round included, minus how often it has had its
rarest seat.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedRoundEntry:
    """An entry in a drafted round (paired, but not begun)."""

    entry: int
    name: str
    points: str
    """Points before the drafted round, with at most two decimals."""
    seat_counts: tuple[int, ...]
    """Number of the stage's matches that the entry has played or is playing in each seat, by seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedRoundTable:
    """A group of bots that meet in a drafted round (paired, but not begun)."""

    number: int
    seats: list[DraftedRoundEntry]
    conflicts: list[str]
    """Reasons against the table as sentences: forbidden or repeated meetings, same author, uneven seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedRound:
    """A drafted round (paired, but not begun): at most `MAX_TABLES` tables, those with conflicts first.

    A conflict is a reason against a table, such as a repeated meeting of two bots.
    """

    round: int
    tables: list[DraftedRoundTable]
    of: int
    """Number of all tables that match the search, including tables that are not listed."""
    resting: list[DraftedRoundEntry]
    """Entries without a table in this round that match the search, at most `MAX_TABLES`."""


def build_draft_board(state: LeagueState, name: str = "") -> DraftedRound | None:
    """Return a league's drafted round (paired, but not begun); None if no round is drafted.

    Each table has a list of conflicts, such as a repeated meeting of two bots. With `name`, keep only tables with an
    entry whose name contains it, and entries with a bye whose own name contains it.
    """
    draft = state.draft
    if draft is None:
        return None
    progress = progress_of(state)
    history = history_of(progress)
    tables = [
        DraftedRoundTable(
            number=table.number,
            seats=[_make_seat(state, progress, history, entry, len(table.seating)) for entry in table.seating],
            conflicts=list(_list_conflicts(state, progress, history, table)),
        )
        for table in draft.tables
    ]
    found = [table for table in tables if any(name in seat.name for seat in table.seats)]
    found.sort(key=lambda table: (not table.conflicts, table.number))
    resting = [_make_seat(state, progress, history, rest.entry, progress.terms.seats) for rest in draft.rests]
    return DraftedRound(
        round=draft.round,
        tables=found[:MAX_TABLES],
        of=len(found),
        resting=[seat for seat in resting if name in seat.name][:MAX_TABLES],
    )


def _make_seat(
    state: LeagueState, progress: StageProgress, history: PairingHistory, entry: int, seats: int
) -> DraftedRoundEntry:
    return DraftedRoundEntry(
        entry=entry,
        name=entry_name(state, entry),
        points=f"{float(progress.points.get(entry, 0)):.2f}".rstrip("0").rstrip("."),
        seat_counts=tuple(history.seats[entry, seat] for seat in range(seats)),
    )


def _list_conflicts(
    state: LeagueState, progress: StageProgress, history: PairingHistory, table: TableSeating
) -> Iterator[str]:
    for one, other in combinations(table.seating, 2):
        names = {"one": entry_name(state, one), "other": entry_name(state, other)}
        if frozenset((one, other)) in progress.forbidden:
            yield _("%(one)s and %(other)s must not meet") % names
        if progress.authors.get(one) and progress.authors.get(one) == progress.authors.get(other):
            yield _("%(one)s and %(other)s have the same author") % names
        if times := history.met(one, other):
            yield ngettext(
                "%(one)s and %(other)s have met %(times)s time", "%(one)s and %(other)s have met %(times)s times", times
            ) % (names | {"times": times})
    if progress.terms.games % len(table.seating):  # otherwise each entry plays in each seat
        yield from _list_seat_gaps(state, history, table.seating)


def _list_seat_gaps(state: LeagueState, history: PairingHistory, seating: Sequence[int]) -> Iterator[str]:
    for seat, entry in enumerate(seating):
        times = [history.seats[entry, each] for each in range(len(seating))]
        if times[seat] + 1 - min(times) > MAX_SEAT_GAP:
            values = {"name": entry_name(state, entry), "seat": seat + 1, "times": times[seat], "least": min(times)}
            yield _("%(name)s has had seat %(seat)s %(times)s times, another seat %(least)s times") % values
