"""Likelihood of the places at tables: the Plackett-Luce model with Davidson-Luce ties.

A match is a sequence of choices: of the bots not yet placed, a group takes the next place. A group of t has the weight
exp(tie[t] + the mean strength of its members), with tie[1] = 0. With one winner each time this is Plackett-Luce, with
two seats Davidson's model of draws. The logarithm is concave in strengths and ties jointly. Ties that do not depend on
the players (all but the winner share a place) have no effect on strengths, as intended. (D. Firth, I. Kosmidis, H.
Turner: Davidson-Luce model for multi-item choice with ties, 2019.)
"""

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

PORTION = 1 << 15
"""Number of matches processed at once, such that the data fit into the CPU cache."""
CORES = 2
"""Number of threads that process portions: numpy releases the GIL while it computes."""
SMALLEST = 1e-300
"""Lower limit of probabilities, so that their logarithm is finite."""
AHEAD = 2 * CORES
"""Number of portions computed ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Choices in matches of one table size with equally many bots left and equally many taking the next place."""

    rows: Ints | slice
    """Rows of the matches."""
    at: int
    """Number of bots already placed."""
    groups: Floats
    """(alternatives, bots left): each possible group, as the weight of each bot in its mean."""
    ties: Ints
    """By alternative: the parameter of its size; -1 for one bot."""
    taken: int
    """Index of the chosen alternative."""
    size: int
    """Number of bots that share the place."""
    plain: bool
    """True if exactly one bot takes each place, so that the groups are single bots."""


@dataclass(frozen=True, slots=True)
class Portion:
    """Matches at tables of one size, each sorted by place."""

    terms: tuple[Ints, ...]
    """Each (seats, matches): parameters whose sum is a bot's strength in its seat, its version first."""
    choices: tuple[Choices, ...]

    @property
    def plain(self) -> bool:
        """Return whether one bot takes each place in all of them."""
        return all(part.plain and isinstance(part.rows, slice) for part in self.choices)


def portions_of(places: NDArray[np.int64], terms: Sequence[Ints], first_tie: int) -> Iterator[Portion]:
    """Yield portions of the matches of one table size; a tie of t bots has the parameter `first_tie + t - 2`."""
    order = np.argsort(places, axis=1, kind="stable")
    ranks = np.take_along_axis(places, order, axis=1)
    ends = _ends(ranks)
    lengths = np.bincount(np.maximum(0, ends - np.arange(ranks.shape[1])).ravel())
    sizes = tuple(sorted({1, *(1 + np.flatnonzero(lengths[1:])).tolist()}))
    groups = {left: _groups(left, sizes, first_tie) for left in range(2, ranks.shape[1] + 1)}
    sorted_terms = [np.take_along_axis(term, order, axis=1) for term in terms]
    for start in range(0, len(ranks), PORTION):
        some = slice(start, start + PORTION)
        yield Portion(tuple(np.ascontiguousarray(term[some].T) for term in sorted_terms), _choices(ends[some], groups))


def _ends(ranks: NDArray[np.int64]) -> Ints:
    """Return for each seat that begins a group of equal places the end of the group, and 0 for the others."""
    rows, bots = ranks.shape
    starts = np.ones((rows, bots), dtype=bool)
    starts[:, 1:] = ranks[:, 1:] != ranks[:, :-1]
    ends = np.zeros((rows, bots), dtype=np.intp)
    following = np.full(rows, bots)
    for at in range(bots - 1, -1, -1):
        ends[:, at] = np.where(starts[:, at], following, 0)
        following = np.where(starts[:, at], at, following)
    return ends


Groups = tuple[Floats, Ints, Mapping[int, int]]
"""Possible groups, the tie parameter of each, and the alternative for the first bots by their number."""


def _groups(left: int, sizes: Sequence[int], first_tie: int) -> Groups:
    members = [group for size in sizes for group in combinations(range(left), size)]
    weights = np.zeros((len(members), left))
    for row, group in enumerate(members):
        weights[row, list(group)] = 1 / len(group)
    ties = np.array([first_tie + len(group) - 2 if len(group) > 1 else -1 for group in members], dtype=np.intp)
    return weights, ties, {size: members.index(tuple(range(size))) for size in sizes if size <= left}


def _choices(ends: Ints, groups: Mapping[int, Groups]) -> tuple[Choices, ...]:
    found = []
    for at in range(ends.shape[1] - 1):
        weights, ties, taken = groups[ends.shape[1] - at]
        for size, alternative in taken.items():
            rows = np.flatnonzero(ends[:, at] == at + size)
            if len(rows):
                every = slice(None) if len(rows) == len(ends) else rows
                plain = bool((ties < 0).all())
                found.append(
                    Choices(rows=every, at=at, groups=weights, ties=ties, taken=alternative, size=size, plain=plain)
                )
    return tuple(found)


def log_likelihood(portions: Sequence[Portion], x: Floats) -> float:
    """Return the log likelihood at x, summed in the order of the portions."""
    return sum(in_turn(lambda portion: _log_likelihood(portion, x), portions), 0.0)


def _log_likelihood(portion: Portion, x: Floats) -> float:
    strengths = strengths_of(portion, x)
    weights = weights_of(strengths)
    chosen = (chances_of(part, strengths, weights, x)[part.taken] for part in portion.choices)
    return sum(float(np.log(np.maximum(chances, SMALLEST)).sum()) for chances in chosen)


def slope(portions: Sequence[Portion], x: Floats) -> Floats:
    """Return the gradient of the log likelihood at x, summed in the order of the portions."""
    gradient = np.zeros_like(x)
    for some in in_turn(lambda portion: _slope(portion, x), portions):
        gradient += some
    return gradient


def _slope(portion: Portion, x: Floats) -> Floats:
    strengths, gradient = strengths_of(portion, x), np.zeros_like(x)
    weights, change = weights_of(strengths), np.zeros_like(strengths)
    if portion.plain:
        change = _plain_change(weights)
    for part in () if portion.plain else portion.choices:
        chances = chances_of(part, strengths, weights, x)
        change[part.at :, part.rows] -= mean_of(part, chances)
        change[part.at : part.at + part.size, part.rows] += 1 / part.size
        for alternative, tie in enumerate(part.ties.tolist()):
            if tie >= 0:
                gradient[tie] += chances.shape[1] * (alternative == part.taken) - chances[alternative].sum()
    for term in portion.terms:
        gradient += np.bincount(term.ravel(), weights=change.ravel(), minlength=len(x))
    return gradient


def _plain_change(weights: Floats) -> Floats:
    """Return the terms of the gradient without ties, computed by suffix sums."""
    left, hoped, change = weights[-1].copy(), np.zeros(weights.shape[1]), np.empty_like(weights)
    for bot in range(len(weights) - 2, -1, -1):
        left += weights[bot]
        change[bot] = left
    for bot in range(len(weights) - 1):
        hoped += 1 / change[bot]
        change[bot] = 1 - weights[bot] * hoped
    change[-1] = -weights[-1] * hoped
    return change


def in_turn(work: Callable[[Portion], T], portions: Sequence[Portion]) -> Iterator[T]:
    """Yield the result for each portion, in order, while threads compute the next ones."""
    with ThreadPoolExecutor(CORES) as pool:
        for start in range(0, len(portions), AHEAD):
            yield from pool.map(work, portions[start : start + AHEAD])


def strengths_of(portion: Portion, x: Floats) -> Floats:
    """Return the strength of each bot in its seat, (seats, matches)."""
    strengths: Floats = np.take(x, portion.terms[0])
    for term in portion.terms[1:]:
        strengths += np.take(x, term)
    return strengths


def weights_of(strengths: Floats) -> Floats:
    """Return the probability of each bot to be chosen, up to a factor for each match."""
    weights: Floats = np.exp(strengths - strengths.max(axis=0))
    return weights


def chances_of(part: Choices, strengths: Floats, weights: Floats, x: Floats) -> Floats:
    """Return the probability of each alternative, (alternatives, matches)."""
    if part.plain:
        left = weights[part.at :, part.rows]
    else:
        left = weights_of(
            part.groups @ strengths[part.at :, part.rows] + np.where(part.ties < 0, 0, x[part.ties])[:, None]
        )
    chances: Floats = left / left.sum(axis=0)
    return chances


def mean_of(part: Choices, chances: Floats) -> Floats:
    """Return (bots left, matches): each bot's expected weight in the mean of the chosen group."""
    mean: Floats = chances if part.plain else part.groups.T @ chances
    return mean
