"""Second derivatives of the log likelihood, with respect to the fitted parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

from ftk_core.league.court_rating.likelihood import (
    Floats,
    Ints,
    MatchArrayBatch,
    PlackettLuceChoiceSet,
    chances_of,
    compute_in_order,
    expected_membership,
    strengths_of,
    weights_of,
)


def add_curvature(portions: Sequence[MatchArrayBatch], x: Floats, versions: int, into: NDArray[np.floating]) -> None:
    """Add the log likelihood's negative second derivatives to the lower half of a matrix.

    The first `versions` parameters are the strengths of bot versions.
    """
    few = len(x) - versions
    mixed, other_block, own = np.zeros(few * versions), np.zeros(few * few), np.zeros(versions)
    for portion, (spread, by_ties) in zip(
        portions, compute_in_order(lambda portion: _second_derivatives(portion, x), portions), strict=True
    ):
        version, *others = portion.terms
        for i, j in product(range(len(spread)), repeat=2):
            second = spread[max(i, j), min(i, j)]
            if i > j:
                _add_pairs(version[i], version[j], second, own, into)
            for other in others:
                mixed += np.bincount((other[i] - versions) * versions + version[j], second, len(mixed))
                for third in others:
                    other_block += np.bincount(
                        (other[i] - versions) * few + third[j] - versions, second, len(other_block)
                    )
        for i, seconds in enumerate(version):
            own += np.bincount(seconds, spread[i, i], versions)
        for tie, added in by_ties:
            into[tie] += added
    into[np.arange(versions), np.arange(versions)] += own
    into[versions:, :versions] += mixed.reshape(few, versions)
    into[versions:, versions:] += other_block.reshape(few, few)


def _add_pairs(one: Ints, other: Ints, second: Floats, own: Floats, into: NDArray[np.floating]) -> None:
    """Add the second derivatives with respect to the strengths in two seats to the lower half of the matrix `into`.

    The arrays have one element per match: `one` and `other` hold the bot versions in the two seats, and `second` the
    derivatives.
    """
    # A version that sits in both seats counts twice on the diagonal: once in `into`, once in `own`.
    at = np.maximum(one, other) * len(into) + np.minimum(one, other)
    np.add.at(into.reshape(-1), at, second.astype(into.dtype, copy=False))  # equal types: ten times faster
    if (same := one == other).any():
        own += np.bincount(one[same], second[same], len(own))


def _second_derivatives(portion: MatchArrayBatch, x: Floats) -> tuple[Floats, list[tuple[int, Floats]]]:
    """Return the negative second derivatives of a batch's log likelihood, in two parts.

    The first part is an array of shape (seats, seats, matches), with respect to the strengths in two seats. Only its
    lower half is filled. The second part is a list of pairs, with respect to tie parameters: (index of the tie
    parameter, row to add to the matrix).
    """
    strengths = strengths_of(portion, x)
    weights, spread = weights_of(strengths), np.zeros((len(strengths), *strengths.shape))
    by_ties: list[tuple[int, Floats]] = []
    for part in portion.choices:
        chances = chances_of(part, strengths, weights, x)
        mean = expected_membership(part, chances)
        for i, j in combinations_with_replacement(range(len(mean)), 2):
            if part.plain:
                second = mean[j] * ((i == j) - mean[i])
            else:
                second = (part.groups[:, i] * part.groups[:, j]) @ chances - mean[i] * mean[j]
            spread[part.at + j, part.at + i, part.rows] += second
        if not part.plain:
            terms = [term[part.at :, part.rows] for term in portion.terms]
            by_ties += _tie_curvature(part, terms, chances, mean, len(x))
    return spread, by_ties


def _tie_curvature(
    part: PlackettLuceChoiceSet, terms: Sequence[Ints], chances: Floats, mean: Floats, size: int
) -> Iterator[tuple[int, Floats]]:
    ties = np.unique(part.ties[part.ties >= 0])
    of = (part.ties[None, :] == ties[:, None]).astype(np.float64)
    share = of @ chances
    among = np.diag(share.sum(axis=1)) - share @ share.T
    for index, tie in enumerate(ties.tolist()):
        with_tie = (part.groups * of[index][:, None]).T @ chances - mean * share[index]
        added: Floats = np.zeros(size)
        for term in terms:
            added += np.bincount(term.ravel(), with_tie.ravel(), size)
        added[ties] += among[index]
        yield tie, added
