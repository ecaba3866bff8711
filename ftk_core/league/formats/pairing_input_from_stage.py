"""Conversion of a stage's progress into the input of the pairing algorithm (`ftk_core.league.pairing`)."""

from __future__ import annotations

from collections import defaultdict
from math import lcm

from ftk_core.league.formats.pairing_history import history_of
from ftk_core.league.league_state import WIN
from ftk_core.league.pairing.pairing_input_and_output import DEFAULT_BUDGET, PairingCandidate, PairingInput
from ftk_core.league.stage_progress import StageProgress


def pairing_input_of(progress: StageProgress) -> PairingInput:
    """Collect the data that the pairing of the next round needs, such as points and past meetings."""
    unit = lcm(*(value.denominator for value in progress.points.values()))
    history = history_of(progress)
    met, seats, left = defaultdict[int, dict[int, int]](dict), defaultdict[int, dict[int, int]](dict), history.left
    for pair, times in history.meetings.items():
        one, other = sorted(pair)
        met[one][other] = met[other][one] = times
    for (entry, seat), times in history.seats.items():
        seats[entry][seat] = times
    candidates = tuple(
        PairingCandidate(
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
    return PairingInput(
        candidates=candidates,
        full=terms.seats,
        least=terms.least,
        games=terms.games,
        win=int(WIN * terms.games * unit),
        forbidden=progress.forbidden,
        can_rest_early=progress.rules >= 2,
        budget=progress.budget or DEFAULT_BUDGET,
    )
