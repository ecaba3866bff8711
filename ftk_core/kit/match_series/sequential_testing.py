"""Sequential probability ratio test: decide between two hypotheses while matches are played.

The data are the values of match blocks. A block is all matches with one random seed. Its value is the new version's
share of opponents beaten minus the old version's share.

Sources: A. Wald, Sequential Tests of Statistical Hypotheses, 1945, and Sequential Analysis, 1947, chapter 4; M. Van
den Bergh, A Practical Introduction to the GSPRT, 2017; J. Ville, Étude critique de la notion de collectif, 1939.
"""
# The hypotheses are that the mean block value is h0, or h1. Block values are assumed independent and about normal, with
# unknown variance. The prior of the variance is an inverse gamma distribution around `luck` (the variance of
# blocks that only luck decides), which weighs as much as `guess` blocks. With the variance integrated out, the
# likelihood of the values at a mean h is proportional to `(guess * luck + sum((x - h) ** 2)) ** -((guess + n) / 2)`.
# With few blocks, the prior keeps a run of equal values from ending the test; with many, this is the generalised ratio
# of chess engines' tests (Van den Bergh). The test ends when the likelihood ratio reaches 1/alpha or beta. It reaches
# the wrong bound with a probability of at most alpha or beta, however often it is looked at (Ville). Wald's own bounds
# are slightly narrower: each uses both error rates.

from __future__ import annotations

import math
from gettext import gettext as _
from statistics import NormalDist
from typing import Literal

import msgspec

GUESS = 8
"""Default weight of the prior of the variance, in blocks (measured in decision 0041)."""
INTERVAL_MISS_PROBABILITY = 0.05
"""Maximum probability that the interval of `estimate` ever misses the true mean, if computed after every block."""

PATIENCE = 4
"""Default limit of blocks in a test, as a multiple of the number that the test needs on average in the worst case."""
NEGLIGIBLE_DRIFT = 1e-3
"""Threshold for `expected_blocks`: a drift (mean change per block) of the log ratio counts as zero if it changes the
probability of reaching a bound by less."""

Conclusion = Literal["better", "not better", "open"]


class ComparedHypotheses(msgspec.Struct, frozen=True, kw_only=True):
    """Hypotheses and error rates of a sequential test."""

    h0: float
    """Null hypothesis: the new version's share of opponents beaten is at most this much above the old version's."""
    h1: float
    """Alternative hypothesis: the new version's share of opponents beaten is at least this much higher."""
    alpha: float
    """Maximum probability of the conclusion "better" if the truth is h0 or below."""
    beta: float
    """Maximum probability of the conclusion "not better" if the truth is h1 or above."""
    luck: float
    """Variance of a block's value if chance decides everything; the prior of the variance is centred on it."""
    guess: int = GUESS
    """Weight of the prior of the variance, in blocks."""

    def __post_init__(self) -> None:
        if not -1 <= self.h0 < self.h1 <= 1:
            raise ValueError(
                _("h0 {h0} must lie below h1 {h1}, both between -1 and 1").format(
                    h0=format(self.h0, "g"), h1=format(self.h1, "g")
                )
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(
                    _("{name} {rate} must lie between 0 and 0.5").format(name=name, rate=format(rate, "g"))
                )

    @property
    def bounds(self) -> tuple[float, float]:
        """Lower and upper bound of the log-likelihood ratio. Between them, the test is undecided."""
        return math.log(self.beta), -math.log(self.alpha)


class SameSeedBlockStatistics(msgspec.Struct, frozen=True):
    """Statistics of match blocks: their number, the sum of their values, and the sum of the squares.

    A block is all matches with one random seed. Its value is the new version's share of opponents beaten minus the old
    version's share.
    """

    blocks: int = 0
    total: float = 0.0
    squares: float = 0.0


def add_block(evidence: SameSeedBlockStatistics, value: float) -> SameSeedBlockStatistics:
    """Add a block of matches with this value (-1 to 1) to the statistics."""
    return SameSeedBlockStatistics(evidence.blocks + 1, evidence.total + value, evidence.squares + value * value)


def chance_variance(seats: int) -> float:
    """Return the variance of block values if luck alone decides the matches.

    `seats` is the number of players. A block's value is the new version's share of opponents beaten minus the old
    version's share.

    >>> chance_variance(2)
    0.25
    """
    # In each match, luck makes all shares of beaten opponents equally probable. A version's share in a block is the
    # mean over one match from each seat.
    return (seats + 1) / (6 * seats * (seats - 1))


def elo_to_win_difference(elo: float) -> float:
    """Convert an Elo difference to a difference of win probabilities.

    >>> round(elo_to_win_difference(50), 4)
    0.1429
    """
    return math.tanh(elo * math.log(10) / 800)


def elo_of(lead: float) -> float:
    """Convert a difference of win probabilities to Elo points (infinite if one bot always wins).

    >>> round(elo_of(elo_to_win_difference(50)), 6)
    50.0
    """
    return math.copysign(math.inf, lead) if abs(lead) >= 1 else 800 / math.log(10) * math.atanh(lead)


def log_ratio(claim: ComparedHypotheses, evidence: SameSeedBlockStatistics) -> float:
    """Return the log-likelihood ratio of h1 (the new version is better) to h0 (it is not), given the blocks so far."""
    believed, n = claim.guess * claim.luck, evidence.blocks
    off0, off1 = (_squared_deviations(evidence, h) for h in (claim.h0, claim.h1))
    return (claim.guess + n) / 2 * math.log((believed + off0) / (believed + off1))


def _squared_deviations(evidence: SameSeedBlockStatistics, mean: float) -> float:
    """Return the sum of squared deviations from a mean."""
    # Rounding could make it negative.
    return max(0.0, evidence.squares - 2 * mean * evidence.total + evidence.blocks * mean * mean)


def conclude(claim: ComparedHypotheses, evidence: SameSeedBlockStatistics) -> Conclusion:
    """Return the conclusion from the matches so far: "better", "not better" or "open" (more matches are needed)."""
    low, high = claim.bounds
    ratio = log_ratio(claim, evidence)
    return "better" if ratio >= high else "not better" if ratio <= low else "open"


class MeanEstimate(msgspec.Struct, frozen=True):
    """Estimate of the new version's share of opponents beaten minus the old version's share, with an interval."""

    value: float
    low: float
    """Lower bound of an interval with about 95 % confidence, which stays valid if it is computed after every block."""
    high: float
    """Upper bound of the interval."""


def estimate(claim: ComparedHypotheses, evidence: SameSeedBlockStatistics) -> MeanEstimate:
    """Estimate the new version's share of opponents beaten minus the old version's share, with an interval.

    The estimate is the mean of the block values. The interval stays valid if it is computed after every block.

    Sources: H. Robbins, Statistical Methods Related to the Law of the Iterated Logarithm, 1970; I. Waudby-Smith and
    others, Time-Uniform Central Limit Theory and Asymptotic Confidence Sequences, 2024.
    """
    # Robbins' mixture of normals with the estimated variance, tuned to the number of blocks at which the test usually
    # ends. An interval for a fixed number of blocks would be narrower, but wrong: the test stops just when the values
    # happen to favour one version.
    n, usual = evidence.blocks, max(1.0, fixed_test_blocks(claim, claim.luck) / 2)
    mean = evidence.total / n
    tuned = (
        math.log(1 / INTERVAL_MISS_PROBABILITY**2) + math.log(math.log(1 / INTERVAL_MISS_PROBABILITY**2)) + 1
    ) / usual
    known = n * tuned + 1
    wide = math.sqrt(
        variance(claim, evidence) * 2 * known / (n * n * tuned) * math.log(math.sqrt(known) / INTERVAL_MISS_PROBABILITY)
    )
    return MeanEstimate(mean, max(-1.0, mean - wide), min(1.0, mean + wide))


def variance(claim: ComparedHypotheses, evidence: SameSeedBlockStatistics) -> float:
    """Estimate the variance of the results of match blocks.

    It is a weighted mean of the sample variance and the variance expected beforehand, `claim.luck`.
    """
    n = evidence.blocks
    off = _squared_deviations(evidence, evidence.total / n) if n else 0.0
    return (claim.guess * claim.luck + off) / (claim.guess + n)


def expected_blocks(claim: ComparedHypotheses, block_variance: float, mean: float, ratio: float = 0.0) -> float:
    """Estimate how many more blocks of matches the test needs.

    `block_variance` and `mean` are those of the block values. `ratio` is the present log-likelihood ratio. It is
    modelled as a Brownian motion (A. Wald, Sequential Analysis, 1947, appendix A.3). The test takes longest if the mean
    is halfway between h0 and h1:

    >>> claim = ComparedHypotheses(h0=0, h1=0.1, alpha=0.05, beta=0.05, luck=0.5)
    >>> [round(expected_blocks(claim, 0.5, mean)) for mean in (0, 0.05, 0.1)]
    [271, 449, 271]
    """
    (low, high), step = claim.bounds, claim.h1 - claim.h0
    if not low < ratio < high:
        return 0.0
    drift, steep = step * (mean - (claim.h0 + claim.h1) / 2) / block_variance, step * step / block_variance
    pull = 2 * drift / steep
    if abs(pull) * (high - low) < NEGLIGIBLE_DRIFT:
        return (high - ratio) * (ratio - low) / steep
    if pull < 0:  # mirrored, because the larger power would overflow
        drift, pull, low, high, ratio = -drift, -pull, -high, -low, -ratio
    up = (1 - math.exp(-pull * (ratio - low))) / (1 - math.exp(-pull * (high - low)))
    return (low + up * (high - low) - ratio) / drift


def default_block_limit(claim: ComparedHypotheses) -> int:
    """Return the default maximum number of match blocks in a test."""
    # `PATIENCE` times the mean number in the worst case, a true mean halfway between h0 and h1. Even then, only about
    # one test in a hundred is undecided at the limit.
    return math.ceil(PATIENCE * expected_blocks(claim, claim.luck, (claim.h0 + claim.h1) / 2))


def fixed_test_blocks(claim: ComparedHypotheses, block_variance: float) -> int:
    """Return how many match blocks a test with the error rates of `claim` needs without early stopping."""
    sure = NormalDist().inv_cdf(claim.alpha) + NormalDist().inv_cdf(claim.beta)
    return max(1, math.ceil(sure * sure * block_variance / (claim.h1 - claim.h0) ** 2))
