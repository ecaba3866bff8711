"""Court rating from one stage alone, as a tie-break: all its matches fitted jointly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ftk_core.league.court import Court


class NoNumbers(Exception):
    """Raised if a rating is requested but numpy is not installed."""


class Ended(Protocol):
    """Finished match, independent of how it is stored."""

    @property
    def seating(self) -> Sequence[int]:
        """Entry in each seat."""
        ...

    @property
    def places(self) -> Sequence[int]:
        """Place of each seat, from 1; equal places are a tie."""
        ...


def ratings_of(results: Sequence[Ended], entries: Sequence[int], rules: int) -> Mapping[int, int]:
    """Compute the rating of each entry in whole points, mean 1500; raise NoNumbers without numpy and scipy.

    The spread of the field is learnt; under league rules 0 it is the fixed default.

    Each rating is proved to less than a millionth of a point. Two machines can only differ if the exact rating is that
    close to a half: once in some millions of ratings.
    """
    if not entries:
        return {}
    court = _court(results, entries, learnt=rules >= 1)
    from ftk_core.league.court.fitting import MEAN, POINT

    found = court.x[: len(entries)]
    points = (MEAN + POINT * (found - found.mean())).tolist()
    return {entry: round(rating) for entry, rating in zip(entries, points, strict=True)}


def intervals_of(results: Sequence[Ended], entries: Sequence[int]) -> Mapping[int, tuple[int, int, int]]:
    """Return rating and ends of the 95% interval of each entry; raise NoNumbers without numpy."""
    if not entries:
        return {}
    court = _court(results, entries, learnt=True)
    rated = [court.rated(index) for index in range(len(entries))]
    return {
        entry: (round(one.rating), round(one.low), round(one.high)) for entry, one in zip(entries, rated, strict=True)
    }


def _court(results: Sequence[Ended], entries: Sequence[int], *, learnt: bool) -> Court:
    try:  # imported here: verifying a league that does not use it needs no numpy
        import numpy as np

        from ftk_core.league.court import Played, Prior, fit
    except ImportError as error:
        raise NoNumbers("court ratings are fitted with numpy and scipy, which are not installed here") from error
    number = {entry: index for index, entry in enumerate(entries)}
    versions, places = defaultdict[int, list[list[int]]](list), defaultdict[int, list[Sequence[int]]](list)
    for result in results:
        versions[len(result.seating)].append([number[entry] for entry in result.seating])
        places[len(result.seating)].append(result.places)
    played = [Played(np.array(versions[size]), np.array(places[size])) for size in sorted(versions)]
    return fit(played, np.full(len(entries), -1), None if learnt else Prior())
