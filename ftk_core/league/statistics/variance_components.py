"""Variance of match results, split into the shares of bot, seat, deal (random start) and play (all the rest).

Method of moments (Searle, Casella and McCulloch, Variance Components, 1992, chapters 5 and 11). It needs deals that
were played more than once.
"""
# A seat's result is the share of opponents that it finished ahead of. The model adds independent effects of bot, seat,
# hand (the seat's part of the deal) and play; as results of a match have a fixed sum, the mean over the table is
# subtracted from each. Four sums of squares are set equal to their expectations, so the estimates are unbiased for any
# distribution. Products of results from different deals keep bots and seats; matches on the same deal separate hands
# from play.

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import scipy
from numpy.typing import NDArray

Figures = NDArray[np.float64]
Numbers = NDArray[np.int64]
MIN_REPEATED_DEALS = 100
"""Minimum number of deals played more than once; with fewer deals no shares are reported."""
RESAMPLES = 200
"""Number of bootstrap resamples of the deals, for the intervals."""
INTERVAL_PERCENTILES = (2.5, 97.5)
"""Percentiles of the resamples at the ends of the intervals."""
SOURCES = ("bot", "seat", "deal", "play")
"""Sources of variance. "play" is the residual."""


class VarianceShare(msgspec.Struct, frozen=True):
    """Share of the variance of match results that one source, such as the seat, explains."""

    # The estimate is unbiased, so a small share can be negative.

    value: float
    low: float
    """Lower end of the 95% interval."""
    high: float
    """Upper end of the 95% interval."""


class MatchResultArrays(msgspec.Struct, frozen=True, kw_only=True):
    """Deals, bots and results of matches at tables of one size, as arrays."""

    deals: Numbers
    """Array of shape (matches,): identifying number of the deal."""
    bots: Numbers
    """Array of shape (matches, seats): identifying number of the bot, at most once per match."""
    results: Figures
    """Array of shape (matches, seats): share of its opponents, 0 to 1, that the seat finished ahead of."""


def result_arrays_of(deals: Numbers, bots: Numbers, places: Numbers) -> MatchResultArrays:
    """Build the arrays of match results from deals, bots and final places.

    A result is the share of opponents that the bot finished ahead of; a tie counts half.

    >>> result_arrays_of(np.array([1]), np.array([[7, 8, 9]]), np.array([[1, 2, 2]])).results.tolist()
    [[1.0, 0.25, 0.25]]
    """
    mine, theirs = places[:, :, None], places[:, None, :]
    halves = 2 * (mine < theirs).sum(axis=2) + (mine == theirs).sum(axis=2) - 1  # a seat equals itself
    return MatchResultArrays(deals=deals, bots=bots, results=halves / (2 * (places.shape[1] - 1)))


def count_repeated_deals(deals: Numbers) -> int:
    """Count the random starts of matches (deals) that were played more than once."""
    return int((np.unique(deals, return_counts=True)[1] > 1).sum())


def variance_shares(arrays: MatchResultArrays) -> dict[str, VarianceShare] | None:
    """Return the share of each source (bot, seat, deal, play) in the variance of results.

    Return None if too few deals were repeated, or if the matches do not determine the shares.
    """
    # The intervals come from random resamples of the deals with a fixed seed, so that the same matches in the same
    # order give the same digits.
    if count_repeated_deals(arrays.deals) < MIN_REPEATED_DEALS:
        return None
    sums = _Sums(arrays)
    estimate = sums.solve_shares(np.ones(sums.deals))
    draw = np.random.Generator(np.random.PCG64(1))
    drawn = [
        sums.solve_shares(
            np.bincount(draw.integers(0, sums.deals, sums.deals), minlength=sums.deals).astype(np.float64)
        )
        for _ in range(RESAMPLES)
    ]
    if not np.isfinite(estimate).all() or not np.isfinite(drawn).all():
        return None  # no bot played on a second deal, or nobody ever won
    low, high = np.percentile(drawn, INTERVAL_PERCENTILES, axis=0)
    return {
        name: VarianceShare(float(estimate[at]), float(low[at]), float(high[at])) for at, name in enumerate(SOURCES)
    }


class _Sums:
    """Sums of match results, one for each deal (random start)."""

    # The bootstrap draws deals at random. It needs only these sums, not the single matches.

    def __init__(self, arrays: MatchResultArrays) -> None:
        which, deal = np.unique(arrays.deals, return_inverse=True)
        bot_ids, bot = np.unique(arrays.bots, return_inverse=True)
        bot = bot.reshape(arrays.bots.shape)
        matches, seats = len(bot), arrays.bots.shape[1]
        z = arrays.results - arrays.results.mean(axis=1, keepdims=True)
        seat = np.broadcast_to(np.arange(seats), bot.shape)
        centred = np.broadcast_to(np.eye(seats) - 1 / seats, (matches, seats, seats))
        self.deals, self.free = len(which), seats - 1
        self.games = np.bincount(deal).astype(np.float64)
        self.squares = np.bincount(deal, (z**2).sum(axis=1))
        self.by_bot, self.by_seat = _DealMatrix(deal, bot, z), _DealMatrix(deal, seat, z)
        self.bot_bot = _DealMatrix(deal, bot[:, :, None] * len(bot_ids) + bot[:, None, :], centred)
        self.bot_seat = _DealMatrix(deal, bot[:, :, None] * seats + seat[:, None, :], centred)

    def solve_shares(self, weights: Figures) -> Figures:
        """Return the share of each source in the variance, in the order of `SOURCES`.

        The shares are nan if the matches do not determine them. `weights` holds the number of times that each deal
        counts.
        """
        w, free = weights, self.free
        games, twice = w @ self.games, w @ self.games**2
        total = (w @ self.squares) / (free * games)
        between = self.bot_seat.across(w)
        left = np.array([[self.bot_bot.across(w), between], [between, free * (games**2 - w**2 @ self.games**2)]])
        right = np.array([self.by_bot.across(w), self.by_seat.across(w)])
        if total <= 0 or abs(np.linalg.det(left)) <= 1e-9 * abs(left[0, 0] * left[1, 1]) or twice <= games:
            return np.full(len(SOURCES), np.nan)
        bot, seat = np.linalg.solve(left, right)
        within = self.by_seat.within(w) - bot * self.bot_seat.within(w) - seat * free * twice
        deal = (within / free - games * (total - bot - seat)) / (twice - games)
        share_of_variance: Figures = np.array([bot, seat, deal, total - bot - seat - deal]) / total
        return share_of_variance


class _DealMatrix:
    """Sparse matrix with one row per deal (random start): sums of values over the matches with this deal."""

    # A column stands for a bot, a seat, a pair of bots, or a pair of a bot and a seat.

    def __init__(self, deal: Numbers, codes: Any, values: Any) -> None:
        _, columns = np.unique(np.broadcast_to(codes, values.shape).reshape(-1), return_inverse=True)
        deal_rows = np.repeat(deal, values[0].size)
        self.sums: scipy.sparse.csr_array = scipy.sparse.coo_array((np.ravel(values), (deal_rows, columns))).tocsr()
        self.norms: Figures = np.asarray(self.sums.multiply(self.sums).sum(axis=1), dtype=np.float64).ravel()
        """By deal: sum of squares of its row."""

    def across(self, weights: Figures) -> float:
        """Sum the dot products of all pairs of different rows, each multiplied by the weights of both rows.

        `weights` holds one weight for each row (deal).
        """
        # Each pair of deals counts twice, in both orders.
        totals = weights @ self.sums
        return float(totals @ totals - weights**2 @ self.norms)

    def within(self, weights: Figures) -> float:
        """Sum the squared lengths of the rows, each multiplied by the weight of its row (deal)."""
        return float(weights @ self.norms)
