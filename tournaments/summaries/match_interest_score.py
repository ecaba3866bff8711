"""Interest score of a match for spectators, computed from public information."""

from __future__ import annotations

from dataclasses import dataclass

EVEN_RATING_DIFFERENCE = 200_000
"""Rating difference at a table, in thousandths of a point, that halves the score for evenness."""
STRENGTH_UNIT = 1_500_000
"""Rating that counts as a strength of 1, in thousandths of a point: the rating of a new bot."""
CONTENDER_PLACES = 3
"""Number of top places in a league's standings whose entries are contenders for the win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterestScoreInputs:
    """Public information about a match, from which its interest score is computed."""

    ratings: tuple[int, ...]
    """Elo ratings of the bots at the table, in thousandths of a point."""
    places: tuple[int, ...] = ()
    """Places of the bots in the league's standings; empty outside leagues and before the first results."""
    rounds_left: int | None = None
    """Number of rounds of the league after this match; None outside leagues."""
    points: tuple[int, ...] = ()
    """Current public points in the match, by seat; empty if the game shows none."""


def compute_interest(match: InterestScoreInputs) -> float:
    """Return the interest score of a match for spectators, at least 0.

    It is the sum of four values: how evenly matched the bots are, how strong they are, how much the match decides in
    its league, and how surprising its present leader is. Ratings are in thousandths of a point. In the examples, the
    mean rating of 1500 points gives 1 for strength. Equal ratings give 1 for evenness, and a difference of 400 points
    gives a third.

    >>> even = InterestScoreInputs(ratings=(1_500_000, 1_500_000))
    >>> uneven = InterestScoreInputs(ratings=(1_300_000, 1_700_000))
    >>> compute_interest(even), round(compute_interest(uneven), 2)
    (2.0, 1.33)
    """
    mean = sum(match.ratings) / len(match.ratings) if match.ratings else STRENGTH_UNIT
    difference = max(match.ratings, default=0) - min(match.ratings, default=0)
    evenness = EVEN_RATING_DIFFERENCE / (EVEN_RATING_DIFFERENCE + difference)
    return evenness + mean / STRENGTH_UNIT + compute_importance(match) + compute_upset(match)


def compute_importance(match: InterestScoreInputs) -> float:
    """Return how much a match decides in its league: 2 in the last round, less in earlier rounds.

    At least two of the bots must have a place from 1 to `CONTENDER_PLACES`. Otherwise, and outside leagues, return 0.
    """
    if match.rounds_left is None or not match.places:
        return 0.0
    contenders = sum(place <= CONTENDER_PLACES for place in match.places)
    return 2 / (1 + match.rounds_left) if contenders > 1 else 0.0


def compute_upset(match: InterestScoreInputs) -> float:
    """Return how surprising the leading bot of a match is, from 0 to 1; 0 if no bot leads alone.

    In the example, the leader's rating is 100 points below the best one. A difference of 200 points or more gives 1.

    >>> compute_upset(InterestScoreInputs(ratings=(1_600_000, 1_500_000), points=(3, 8)))
    0.5
    """
    if len(match.points) != len(match.ratings) or match.points.count(max(match.points, default=0)) != 1:
        return 0.0
    leader_rating = match.ratings[match.points.index(max(match.points))]
    return min(1.0, (max(match.ratings) - leader_rating) / EVEN_RATING_DIFFERENCE)


def find_overtaker(before: tuple[int, ...], now: tuple[int, ...]) -> int | None:
    """Return the seat that did not lead before and leads alone now; None without such a seat.

    `before` and `now` are points by seat.

    >>> find_overtaker((7, 5, 0), (7, 9, 0)), find_overtaker((7, 5, 0), (8, 5, 0)), find_overtaker((7, 5, 0), (7, 7, 0))
    (1, None, None)
    """
    if len(before) != len(now) or now.count(max(now, default=0)) != 1:
        return None
    leader = now.index(max(now))
    return leader if before[leader] < max(before) else None
