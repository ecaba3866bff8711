"""Standings of a league: by the stage reached, then by the criteria of its format and terms."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import msgspec

from ftk_core.game import places_by
from ftk_core.league.formats import formats
from ftk_core.league.ledger import Exact, Ledger, whole
from ftk_core.league.progress import Progress, progress_of
from ftk_core.league.state import Begun, LeagueState
from ftk_core.league.tiebreaks import TieBreak, tiebreaks_of


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Standing of one entry."""

    entry: int
    stage: int
    """Number of the last stage that it plays or played, from 1."""
    place: int = 0
    """Place; 0 as long as it is unknown."""
    level: int
    """Criterion before points, in formats that have one."""
    points: Fraction
    tiebreaks: tuple[Exact, ...]
    """Value of each tie-break, in the order in which they are applied."""
    played: int
    byes: int
    disqualified: bool
    decided: str = ""
    """Criterion that puts it behind the row above: the slug of a tie-break, or one of `OTHERWISE`."""

    @property
    def key(self) -> tuple[Exact, ...]:
        """Sort key within a stage: greater is better."""
        return (self.level, self.points, *self.tiebreaks)


OTHERWISE = ("", "disqualified", "stage", "level", "points", "equal")
"""Criteria other than tie-breaks: none for the first row, an earlier stage, a level before points, and so on."""


def standings(league: LeagueState) -> list[Row]:
    """Return the rows from first to last; entries equal in everything share a place, the earlier entry first."""
    rows: dict[int, Row] = {}
    for begun in league.begun or (league.stage_of(1),):
        rows.update({row.entry: row for row in _rows(league, begun)})
    placed: list[Row] = []
    reached = sorted({(not row.disqualified, row.stage) for row in rows.values()}, reverse=True)
    for sound, stage in reached:
        alike = [row for row in rows.values() if (not row.disqualified, row.stage) == (sound, stage)]
        placed += [msgspec.structs.replace(row, place=row.place + len(placed)) for row in _placed(alike)]
    return _explained(league, placed)


def _explained(league: LeagueState, rows: Sequence[Row]) -> list[Row]:
    """Return rows with the criterion that puts each behind the one above."""
    slugs = [[one.slug for one in tiebreaks_of(stage)] for stage in league.stages]
    decided = ["", *(_between(slugs[row.stage - 1], above, row) for above, row in itertools.pairwise(rows))]
    return [msgspec.structs.replace(row, decided=what) for row, what in zip(rows, decided, strict=False)]


def _between(slugs: Sequence[str], above: Row, row: Row) -> str:
    if above.disqualified != row.disqualified:
        return "disqualified"
    if above.stage != row.stage:
        return "stage"
    what = zip(("level", "points", *slugs), above.key, row.key, strict=True)
    return next((name for name, better, worse in what if better != worse), "equal")


def _rows(league: LeagueState, begun: Begun) -> list[Row]:
    """Return the rows of a stage, unordered."""
    ledger = Ledger(league, begun)
    levels = _levels(league, begun)
    out = {entry: league.entrant(entry).disqualified for entry in ledger.tallies}
    equals = defaultdict[tuple[bool, int, Fraction], list[int]](list)
    for entry, tally in ledger.tallies.items():
        equals[out[entry], levels.get(entry, 0), tally.points].append(entry)
    values = _told_apart(ledger, list(equals.values()), tiebreaks_of(league.stages[begun.number - 1]))
    return [
        Row(
            entry=entry,
            stage=begun.number,
            level=levels.get(entry, 0),
            points=tally.points,
            tiebreaks=tuple(values[entry]),
            played=tally.played,
            byes=tally.byes,
            disqualified=out[entry],
        )
        for entry, tally in ledger.tallies.items()
    ]


def _told_apart(
    ledger: Ledger, equals: Sequence[Sequence[int]], tiebreaks: Sequence[TieBreak]
) -> Mapping[int, Sequence[Exact]]:
    """Return the tie-break values of each entry. Each tie-break only sees the entries still equal."""
    values: dict[int, list[Exact]] = {entry: [] for entry in ledger.tallies}
    for tiebreak in tiebreaks:
        apart = list[Sequence[int]]()
        for group in equals:
            value, parts = tiebreak.values(ledger, group), defaultdict[Exact, list[int]](list)
            for entry in group:
                values[entry].append(value[entry])
                parts[value[entry]].append(entry)
            apart += parts.values()
        equals = apart
    return values


def _levels(league: LeagueState, begun: Begun) -> Mapping[int, int]:
    module = formats().get(league.stages[begun.number - 1].format)
    levels: Callable[[Progress], Mapping[int, int]] | None = getattr(module, "levels", None)
    return levels(progress_of(league, begun)) if levels else {}


def _placed(rows: Sequence[Row]) -> list[Row]:
    """Return rows of one stage with their places."""
    # whole numbers of a common unit compare faster than fractions
    columns = [whole(column)[0] for column in zip(*(row.key for row in rows), strict=True)]
    places = places_by(list(zip(*columns, strict=True)))
    placed = [msgspec.structs.replace(row, place=place) for row, place in zip(rows, places, strict=True)]
    return sorted(placed, key=lambda row: (row.place, row.entry))
