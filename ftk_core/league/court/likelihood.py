"""The likelihood of places at tables: Plackett and Luce with ties by Davidson and Luce.

A match is a row of choices: of those still to be placed, a group takes the next place. A group of t is chosen with a
weight of exp(tie[t] + the mean strength of its members), tie[1] being 0: with one winner each time that is Plackett
and Luce, with two seats Davidson's model of draws. The logarithm is concave in strengths and ties together, and ties
that happen whoever plays (all but the winner share a place) teach nothing about strengths, as they should.
(D. Firth, I. Kosmidis, H. Turner: Davidson-Luce model for multi-item choice with ties, 2019.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

PORTION = 1 << 14
"""So many matches are weighed at once: what they need fits into a cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The choices of a table's matches in which equally many bots were left and equally many took the next place."""

    rows: Ints | slice
    """Which matches."""
    at: int
    """So many bots have their places already."""
    groups: Floats
    """(alternatives, bots left): each group that could have been chosen, as what each bot adds to its mean."""
    ties: Ints
    """By alternative: the parameter of its size; -1 for one bot."""
    taken: int
    """Which alternative was taken."""
    plain: bool
    """One bot takes each place whoever plays, so that the groups are the bots."""


@dataclass(frozen=True, slots=True)
class Portion:
    """Some matches at tables of one size, each in the order of its places."""

    terms: tuple[Ints, ...]
    """Each (seats, matches): the parameters whose sum is a bot's strength in its seat; first of all its version."""
    choices: tuple[Choices, ...]


def portions_of(places: NDArray[np.int64], terms: Sequence[Ints], first_tie: int) -> Iterator[Portion]:
    """Yield the matches of one table size; that t bots tie has the parameter `first_tie + t - 2`."""
    order = np.argsort(places, axis=1, kind="stable")
    ranks = np.take_along_axis(places, order, axis=1)
    ends = _ends(ranks)
    lengths = ends - np.arange(ranks.shape[1])
    sizes = tuple(sorted({1, *(int(size) for size in np.unique(lengths[lengths > 0]))}))
    groups = {left: _groups(left, sizes, first_tie) for left in range(2, ranks.shape[1] + 1)}
    sorted_terms = [np.take_along_axis(term, order, axis=1) for term in terms]
    for start in range(0, len(ranks), PORTION):
        some = slice(start, start + PORTION)
        yield Portion(tuple(np.ascontiguousarray(term[some].T) for term in sorted_terms), _choices(ends[some], groups))


def _ends(ranks: NDArray[np.int64]) -> Ints:
    """Return for each seat that begins a group of equal places where that group ends, and 0 for the others."""
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
"""What could be chosen, the tie parameter of each, and which alternative the first so many bots are."""


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
                found.append(Choices(rows=every, at=at, groups=weights, ties=ties, taken=alternative, plain=plain))
    return tuple(found)


def slope(portions: Sequence[Portion], x: Floats) -> Floats:
    """Return the gradient of the logarithm of the likelihood at x; sums are taken in the order of the portions."""
    gradient = np.zeros_like(x)
    for portion in portions:
        strengths = _strengths(portion, x)
        change = np.zeros_like(strengths)
        for part in portion.choices:
            chances = _chances(part, strengths, x)
            change[part.at :, part.rows] += part.groups[part.taken][:, None] - _mean(part, chances)
            for alternative, tie in enumerate(part.ties.tolist()):
                if tie >= 0:
                    gradient[tie] += chances.shape[1] * (alternative == part.taken) - chances[alternative].sum()
        for term in portion.terms:
            gradient += np.bincount(term.ravel(), weights=change.ravel(), minlength=len(x))
    return gradient


def _strengths(portion: Portion, x: Floats) -> Floats:
    strengths: Floats = np.take(x, portion.terms[0])
    for term in portion.terms[1:]:
        strengths += np.take(x, term)
    return strengths


def _chances(part: Choices, strengths: Floats, x: Floats) -> Floats:
    """Return (alternatives, matches): each one's chance."""
    scores = strengths[part.at :, part.rows]
    if not part.plain:
        scores = part.groups @ scores + np.where(part.ties < 0, 0, x[part.ties])[:, None]
    chances: Floats = np.exp(scores - scores.max(axis=0))
    chances /= chances.sum(axis=0)
    return chances


def _mean(part: Choices, chances: Floats) -> Floats:
    """Return (bots left, matches): what each bot is expected to add to the mean of the group that is chosen."""
    mean: Floats = chances if part.plain else part.groups.T @ chances
    return mean


def curvature(portions: Sequence[Portion], x: Floats, versions: int, into: Floats) -> None:
    """Add the negative second derivatives at x to a symmetric matrix, of which the first parameters are versions."""
    few = len(x) - versions
    mixed, rest = np.zeros(versions * few), np.zeros(few * few)
    flat = into.reshape(-1)
    for portion in portions:
        spread = _spread(portion, x, into)
        version, *others = portion.terms
        for i in range(len(spread)):
            np.add.at(flat, (version[i] * len(x) + version).ravel(), spread[i].ravel())
            for other in others:
                key = version[i] * few + other - versions
                mixed += np.bincount(key.ravel(), weights=spread[i].ravel(), minlength=len(mixed))
                for third in others:
                    key = (third[i] - versions) * few + other - versions
                    rest += np.bincount(key.ravel(), weights=spread[i].ravel(), minlength=len(rest))
    into[:versions, versions:] += mixed.reshape(versions, few)
    into[versions:, :versions] += mixed.reshape(versions, few).T
    into[versions:, versions:] += rest.reshape(few, few)


def _spread(portion: Portion, x: Floats, into: Floats) -> Floats:
    """Return (seats, seats, matches): the second derivatives by strengths; those by ties are added at once."""
    strengths = _strengths(portion, x)
    spread = np.zeros((len(strengths), *strengths.shape))
    for part in portion.choices:
        chances = _chances(part, strengths, x)
        mean = _mean(part, chances)
        left = len(mean)
        twice = np.einsum("ai,aj->ija", part.groups, part.groups).reshape(left * left, -1)
        second = (twice @ chances).reshape(left, left, -1) - mean[:, None] * mean[None, :]
        spread[part.at :, part.at :, part.rows] += second
        if not part.plain:
            terms = [term[part.at :, part.rows] for term in portion.terms]
            _tie_curvature(part, terms, chances, mean, into)
    return spread


def _tie_curvature(part: Choices, terms: Sequence[Ints], chances: Floats, mean: Floats, into: Floats) -> None:
    sizes = np.unique(part.ties[part.ties >= 0])
    of = (part.ties[None, :] == sizes[:, None]).astype(np.float64)
    share = of @ chances
    into[np.ix_(sizes, sizes)] += np.diag(share.sum(axis=1)) - share @ share.T
    for row, tie in enumerate(sizes.tolist()):
        with_tie = (part.groups * of[row][:, None]).T @ chances - mean * share[row]
        for term in terms:
            added = np.bincount(term.ravel(), weights=with_tie.ravel(), minlength=len(into))
            into[tie] += added
            into[:, tie] += added
