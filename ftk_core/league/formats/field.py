"""Conversion of a stage before its next round into a field for `ftk_core.league.pairing`."""

from __future__ import annotations

from collections import defaultdict
from math import lcm

from ftk_core.league.formats.history import history_of
from ftk_core.league.pairing.field import BUDGET, Candidate, Field
from ftk_core.league.progress import Progress
from ftk_core.league.state import WIN


def field_of(progress: Progress) -> Field:
    """Return the entries to pair next, with their past."""
    unit = lcm(*(value.denominator for value in progress.points.values()))
    history = history_of(progress)
    met, seats, left = defaultdict[int, dict[int, int]](dict), defaultdict[int, dict[int, int]](dict), history.left
    for pair, times in history.meetings.items():
        one, other = sorted(pair)
        met[one][other] = met[other][one] = times
    for (entry, seat), times in history.seats.items():
        seats[entry][seat] = times
    candidates = tuple(
        Candidate(
            entry=entry,
            author=progress.authors[entry],
            points=int(progress.points[entry] * unit),
            met=met[entry],
            seats=seats[entry],
            left={other: left[entry, other] for other in met[entry]},
            short=history.short[entry],
            rests=history.byes[entry],
        )
        for entry in progress.seeds
        if entry in progress.present
    )
    terms = progress.terms
    return Field(
        candidates=candidates,
        full=terms.seats,
        least=terms.least,
        games=terms.games,
        win=int(WIN * terms.games * unit),
        forbidden=progress.forbidden,
        budget=progress.budget or BUDGET,
    )
