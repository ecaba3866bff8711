"""Likelihood of match results for given strengths, by the Plackett-Luce model.

Ties follow D. Firth, I. Kosmidis, H. Turner: Davidson-Luce model for multi-item choice with ties, 2019.
"""
# Places are taken one after the other, each by a group of t bots without a place. Its probability is proportional to
# exp(tie[t] + the mean strength of its members), with tie[1] = 0. With two seats this is Davidson's model of draws. The
# logarithm is concave in strengths and ties jointly. Ties that do not depend on the players (all but the winner share a
# place) have no effect on strengths, as intended.

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

T = TypeVar("T")

PORTION_MATCHES = 1 << 15
"""Number of matches processed at once (a portion), few enough for the CPU cache."""
THREADS = 2
"""Number of threads that process portions of the matches; numpy releases the GIL while it computes."""
MIN_PROBABILITY = 1e-300
"""Lower limit of probabilities, so that their logarithm is finite."""
PORTIONS_AHEAD = 2 * THREADS
"""Number of portions of the matches that are submitted to the threads at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlackettLuceChoiceSet:
    """One place, such as the first, in several matches: the groups of bots that could take it, and the one that did."""

    # The alternatives are all groups of bots (or single bots) that could take the place. In all matches of the set,
    # equally many bots have better places, and equally many bots share this place.

    rows: Ints | slice
    """Indices, within the portion, of the matches to which these choices belong."""
    at: int
    """Number of bots already placed."""
    groups: Floats
    """Weight of each bot in the mean strength of each group, as an array of shape (alternatives, unplaced bots)."""
    ties: Ints
    """Index of the tie parameter of each alternative (it depends on the size of the group); -1 for a single bot."""
    taken: int
    """Index of the alternative that took the place. It is the same in all matches, because bots are sorted by place."""
    size: int
    """Number of bots that share the place."""
    plain: bool
    """True if exactly one bot takes each place, so that the groups are single bots."""


@dataclass(frozen=True, slots=True)
class MatchArrayBatch:
    """Batch of matches with equally many players, as arrays of bots sorted by place."""

    # A batch is small enough for the cache of the CPU.

    terms: tuple[Ints, ...]
    """Arrays of parameter indices, each of shape (bots by place, matches).

    The first array holds the parameters of the bot versions, the others those of the seats and roles. The strength of a
    bot in a match is the sum of its parameters in all arrays.
    """
    choices: tuple[PlackettLuceChoiceSet, ...]

    @property
    def plain(self) -> bool:
        """True if there were no ties in the matches from which `portions_of` made this batch."""
        return all(part.plain and isinstance(part.rows, slice) for part in self.choices)


def portions_of(places: NDArray[np.int64], terms: Sequence[Ints], first_tie: int) -> Iterator[MatchArrayBatch]:
    """Yield batches of the given matches, which all have the same number of players.

    `places` and each array in `terms` have the shape (matches, seats). Each array in `terms` holds parameter indices.
    The strength of a bot in a seat is the sum of the parameters that all arrays name for this seat. Ties of t bots have
    the parameter with the index `first_tie + t - 2`.
    """
    order = np.argsort(places, axis=1, kind="stable")
    ranks = np.take_along_axis(places, order, axis=1)
    ends = _ends_of_ties(ranks)
    lengths = np.bincount(np.maximum(0, ends - np.arange(ranks.shape[1])).ravel())
    sizes = tuple(sorted({1, *(1 + np.flatnonzero(lengths[1:])).tolist()}))
    groups = {left: _groups(left, sizes, first_tie) for left in range(2, ranks.shape[1] + 1)}
    sorted_terms = [np.take_along_axis(term, order, axis=1) for term in terms]
    for start in range(0, len(ranks), PORTION_MATCHES):
        some = slice(start, start + PORTION_MATCHES)
        yield MatchArrayBatch(
            tuple(np.ascontiguousarray(term[some].T) for term in sorted_terms), _choices(ends[some], groups)
        )


def _ends_of_ties(ranks: NDArray[np.int64]) -> Ints:
    """Find the groups of bots that share a place.

    `ranks` holds the places of each match in ascending order, with the shape (matches, seats). So does the result: it
    holds the index after the group's last bot in the position of its first bot, and 0 in all other positions. A bot
    with a place of its own is a group.
    """
    match_count, bots = ranks.shape
    starts = np.ones((match_count, bots), dtype=bool)
    starts[:, 1:] = ranks[:, 1:] != ranks[:, :-1]
    ends = np.zeros((match_count, bots), dtype=np.intp)
    following = np.full(match_count, bots)
    for at in range(bots - 1, -1, -1):
        ends[:, at] = np.where(starts[:, at], following, 0)
        following = np.where(starts[:, at], at, following)
    return ends


Groups = tuple[Floats, Ints, Mapping[int, int]]
"""Groups of bots that can take the next place, as a tuple (weights, ties, first groups).

`weights` has the shape (groups, bots): weight of each bot in a group's mean strength. `ties` holds the index of each
group's tie parameter, -1 for a single bot. `first groups` maps a size t to the index of the group of the first t bots.
"""


def _groups(left: int, sizes: Sequence[int], first_tie: int) -> Groups:
    members = [group for size in sizes for group in combinations(range(left), size)]
    weights = np.zeros((len(members), left))
    for row, group in enumerate(members):
        weights[row, list(group)] = 1 / len(group)
    ties = np.array([first_tie + len(group) - 2 if len(group) > 1 else -1 for group in members], dtype=np.intp)
    return weights, ties, {size: members.index(tuple(range(size))) for size in sizes if size <= left}


def _choices(ends: Ints, groups: Mapping[int, Groups]) -> tuple[PlackettLuceChoiceSet, ...]:
    choices = []
    for at in range(ends.shape[1] - 1):
        weights, ties, alternatives_by_size = groups[ends.shape[1] - at]
        for size, alternative in alternatives_by_size.items():
            matches = np.flatnonzero(ends[:, at] == at + size)
            if len(matches):
                every = slice(None) if len(matches) == len(ends) else matches
                plain = bool((ties < 0).all())
                choices.append(
                    PlackettLuceChoiceSet(
                        rows=every, at=at, groups=weights, ties=ties, taken=alternative, size=size, plain=plain
                    )
                )
    return tuple(choices)


def log_likelihood(portions: Sequence[MatchArrayBatch], x: Floats) -> float:
    """Return the log likelihood of the parameters."""
    # It is summed in a fixed order, to give the same digits always.
    return sum(compute_in_order(lambda portion: _log_likelihood(portion, x), portions), 0.0)


def _log_likelihood(portion: MatchArrayBatch, x: Floats) -> float:
    strengths = strengths_of(portion, x)
    weights = weights_of(strengths)
    chosen = (chances_of(part, strengths, weights, x)[part.taken] for part in portion.choices)
    return sum(float(np.log(np.maximum(chances, MIN_PROBABILITY)).sum()) for chances in chosen)


def log_likelihood_gradient(portions: Sequence[MatchArrayBatch], x: Floats) -> Floats:
    """Return the gradient of the log likelihood, with one value per parameter."""
    gradient = np.zeros_like(x)
    for some in compute_in_order(lambda portion: _portion_gradient(portion, x), portions):
        gradient += some
    return gradient


def _portion_gradient(portion: MatchArrayBatch, x: Floats) -> Floats:
    strengths, gradient = strengths_of(portion, x), np.zeros_like(x)
    weights, change = weights_of(strengths), np.zeros_like(strengths)
    if portion.plain:
        change = _gradient_without_ties(weights)
    for part in () if portion.plain else portion.choices:
        chances = chances_of(part, strengths, weights, x)
        change[part.at :, part.rows] -= expected_membership(part, chances)
        change[part.at : part.at + part.size, part.rows] += 1 / part.size
        for alternative, tie in enumerate(part.ties.tolist()):
            if tie >= 0:
                gradient[tie] += chances.shape[1] * (alternative == part.taken) - chances[alternative].sum()
    for term in portion.terms:
        gradient += np.bincount(term.ravel(), weights=change.ravel(), minlength=len(x))
    return gradient


def _gradient_without_ties(weights: Floats) -> Floats:
    """Return the derivatives of the log likelihood by strength, of shape (bots, matches), for matches without ties."""
    left, hoped, change = weights[-1].copy(), np.zeros(weights.shape[1]), np.empty_like(weights)
    for bot in range(len(weights) - 2, -1, -1):
        left += weights[bot]
        change[bot] = left
    for bot in range(len(weights) - 1):
        hoped += 1 / change[bot]
        change[bot] = 1 - weights[bot] * hoped
    change[-1] = -weights[-1] * hoped
    return change


def compute_in_order(work: Callable[[MatchArrayBatch], T], portions: Sequence[MatchArrayBatch]) -> Iterator[T]:
    """Call `work` with each batch of matches in several threads; yield results in order."""
    with ThreadPoolExecutor(THREADS) as pool:
        for start in range(0, len(portions), PORTIONS_AHEAD):
            yield from pool.map(work, portions[start : start + PORTIONS_AHEAD])


def strengths_of(portion: MatchArrayBatch, x: Floats) -> Floats:
    """Return each bot's strength with the effects of its seat and role.

    The shape is (bots by place, matches).
    """
    strengths: Floats = np.take(x, portion.terms[0])
    for term in portion.terms[1:]:
        strengths += np.take(x, term)
    return strengths


def weights_of(strengths: Floats) -> Floats:
    """Return exp(strength) of each bot, divided by the largest exp(strength) in its match."""
    weights: Floats = np.exp(strengths - strengths.max(axis=0))
    return weights


def chances_of(part: PlackettLuceChoiceSet, strengths: Floats, weights: Floats, x: Floats) -> Floats:
    """Return the probability that each group in `part.groups` takes the place, by group and match."""
    if part.plain:
        left = weights[part.at :, part.rows]
    else:
        left = weights_of(
            part.groups @ strengths[part.at :, part.rows] + np.where(part.ties < 0, 0, x[part.ties])[:, None]
        )
    chances: Floats = left / left.sum(axis=0)
    return chances


def expected_membership(part: PlackettLuceChoiceSet, chances: Floats) -> Floats:
    """Return each bot's expected share of the next place, as an array of shape (bots not yet placed, matches).

    If t bots take the place together, each has the share 1/t.
    """
    # The result averages over the possible groups.
    mean: Floats = chances if part.plain else part.groups.T @ chances
    return mean
