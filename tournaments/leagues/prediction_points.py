"""Points for correct predictions of winners."""
# The points are stored when a round ends, or when one of its results is corrected.

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from fractions import Fraction

from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state import LeagueState
from tournaments.models import League
from tournaments.models.predictions import POINT, Prediction

ROWS_PER_STATEMENT = 1000


def settle_predictions(league: League, state: LeagueState, rounds: Collection[int]) -> None:
    """Compute and store the points of all predictions for these closed rounds."""
    # The points are null if no match of the table was played to a valid result.
    predictions = list(Prediction.objects.filter(league=league, round__in=rounds))
    if not predictions:
        return
    results = defaultdict[tuple[int, int], list[ResultRecorded]](list)
    for result in state.results:
        if result.round in rounds and not result.ruled:
            results[result.round, result.table].append(result)
    for prediction in predictions:
        played = results[prediction.round, _find_table(state, prediction)]
        prediction.points = to_units(compute_share(prediction.entry, played)) if played else None
        prediction.chance = to_units(Fraction(1, len(played[0].seating))) if played else None
    Prediction.objects.bulk_update(predictions, ("points", "chance"), batch_size=ROWS_PER_STATEMENT)


def compute_share(entry: int, results: Sequence[ResultRecorded]) -> Fraction:
    """Return the share of first places, from 0 to 1, that an entry won in these matches.

    A shared first place of two entries counts as one half for each.
    """
    return sum((_share_of_win(entry, result) for result in results), Fraction(0)) / len(results)


def to_units(share: Fraction) -> int:
    """Convert points into units, rounded. One point has `POINT` units."""
    return round(share * POINT)


def _share_of_win(entry: int, result: ResultRecorded) -> Fraction:
    is_first = result.places[result.seating.index(entry)] == 1
    return Fraction(is_first, result.places.count(1) or 1)


def _find_table(state: LeagueState, prediction: Prediction) -> int:
    """Return the number of the table (group of bots) that a prediction is about.

    Return 0 if the predicted entry has no match in the round, or if its opponents have changed since the prediction.
    """
    tables = state.rounds[prediction.round - 1].tables
    if prediction.table:
        same = (table for table in tables if table.number == prediction.table)
        return next((table.number for table in same if sorted(table.seating) == prediction.seating), 0)
    return next((table.number for table in tables if prediction.entry in table.seating), 0)
