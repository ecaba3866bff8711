"""Court ratings (Bayesian estimates of strength) from the matches of a single league or stage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ftk_core.league.court_rating import BotRatingFit


class NumpyMissingError(Exception):
    """Raised if a rating is requested but numpy is not installed."""


class RatableMatch(Protocol):
    """Interface of a finished match from which strengths can be estimated."""

    @property
    def seating(self) -> Sequence[int]:
        """The bots of the match, in the order of their seats."""
        ...

    @property
    def places(self) -> Sequence[int]:
        """Places by seat, from 1; equal places are a tie."""
        ...


def ratings_of(results: Sequence[RatableMatch], entries: Sequence[int], rules: int) -> Mapping[int, int]:
    """Compute each bot's strength from match results, in whole points around a mean of 1500.

    Raises NumpyMissingError without numpy and scipy.
    """
    # In version 0 of the league rules, the standard deviation of strengths is fixed, not learnt. Each rating is proved
    # to be less than a millionth of a point off, so machines round it alike, except one in some millions.
    if not entries:
        return {}
    court = _court(results, entries, learnt=rules >= 1)
    from ftk_core.league.court_rating.rating_fit import MEAN, POINTS_PER_STRENGTH

    strengths = court.x[: len(entries)]
    points = (MEAN + POINTS_PER_STRENGTH * (strengths - strengths.mean())).tolist()
    return {entry: round(rating) for entry, rating in zip(entries, points, strict=True)}


def intervals_of(results: Sequence[RatableMatch], entries: Sequence[int]) -> Mapping[int, tuple[int, int, int]]:
    """Return each bot's rating with the lower and upper end of its 95% interval.

    Raises NumpyMissingError without numpy.
    """
    if not entries:
        return {}
    court = _court(results, entries, learnt=True)
    rated = [court.rated(index) for index in range(len(entries))]
    return {
        entry: (round(one.rating), round(one.low), round(one.high)) for entry, one in zip(entries, rated, strict=True)
    }


def _court(results: Sequence[RatableMatch], entries: Sequence[int], *, learnt: bool) -> BotRatingFit:
    try:  # imported late: a league without this tie-break is verified without numpy
        import numpy as np

        from ftk_core.league.court_rating import MatchArrays, PriorSigmas, fit_ratings
    except ImportError as error:
        raise NumpyMissingError(
            "court ratings are fitted with numpy and scipy, which are not installed here"
        ) from error
    number = {entry: index for index, entry in enumerate(entries)}
    versions, places = defaultdict[int, list[list[int]]](list), defaultdict[int, list[Sequence[int]]](list)
    for result in results:
        versions[len(result.seating)].append([number[entry] for entry in result.seating])
        places[len(result.seating)].append(result.places)
    played = [MatchArrays(np.array(versions[size]), np.array(places[size])) for size in sorted(versions)]
    return fit_ratings(played, np.full(len(entries), -1), None if learnt else PriorSigmas())
