"""A sequential test of whether the mean of block values is h0 or h1.

Block values are assumed to be independent and about normal, with unknown variance. The prior of the variance is an
inverse gamma distribution around the variance of blocks in which all is luck (`luck`), worth `GUESS` blocks. With the
variance integrated out, the likelihood of the values at a mean h is proportional to ``(GUESS * luck + sum((x - h) **
2)) ** -((GUESS + n) / 2)``.

The test uses the ratio of the two likelihoods. It is Wald's sequential probability ratio test (A. Wald, Sequential
Tests of Statistical Hypotheses, 1945) with his weight functions for nuisance parameters (Wald, Sequential Analysis,
1947, chapter 4). With many blocks it equals the generalised ratio of chess engines' tests (M. Van den Bergh, A
Practical Introduction to the GSPRT, 2017); with few, the prior keeps a run of equal values from deciding.

The bounds are 1/alpha and beta. No likelihood ratio crosses them more often than that, however often it is looked at
(J. Ville, Étude critique de la notion de collectif, 1939). They are Wald's own without what he gains from knowing the
other error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist
from typing import Literal

import msgspec

GUESS = 8
"""Number of blocks that the prior of the variance weighs (measured in decision 0041)."""
SURE = 0.05
"""Probability that an estimate's interval misses the truth, over all looks together."""

PATIENCE = 4
"""The default limit of blocks, as a multiple of the expected number where it is largest."""
SLIGHT = 1e-3
"""A drift is treated as zero if it changes the probabilities of both bounds by less than this fraction."""

Conclusion = Literal["better", "not better", "open"]


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """Hypotheses and error rates of a test."""

    h0: float
    """Null hypothesis: better by this share of opponents or less."""
    h1: float
    """Alternative: better by this share or more."""
    alpha: float
    """Maximum probability of "better" at h0 or below."""
    beta: float
    """Maximum probability of "not better" at h1 or above."""
    luck: float
    """The variance of a block's value where all is luck; the prior's centre."""
    guess: int = GUESS
    """Number of blocks that the prior weighs."""

    def __post_init__(self) -> None:
        if not -1 <= self.h0 < self.h1 <= 1:
            raise ValueError(f"h0 {self.h0:g} must lie below h1 {self.h1:g}, both between -1 and 1")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name} {rate:g} must lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the log ratio between which the test stays open."""
        return math.log(self.beta), -math.log(self.alpha)


class Evidence(msgspec.Struct, frozen=True):
    """Sufficient statistics of the blocks: their number, sum and sum of squares."""

    blocks: int = 0
    total: float = 0.0
    squares: float = 0.0


def add(evidence: Evidence, value: float) -> Evidence:
    """Return the evidence with one more block, of a value between -1 and 1."""
    return Evidence(evidence.blocks + 1, evidence.total + value, evidence.squares + value * value)


def evidence_of(values: Iterable[float]) -> Evidence:
    """Return the evidence of block values.

    >>> evidence_of([0.5, -0.25])
    Evidence(blocks=2, total=0.25, squares=0.3125)
    """
    evidence = Evidence()
    for value in values:
        evidence = add(evidence, value)
    return evidence


def luck_of(seats: int) -> float:
    """Return the variance of a block's value at a table of that size if all places are drawn by lot.

    The share of opponents is then uniform on its steps; a block is the difference of two means over the seats.

    >>> luck_of(2)
    0.25
    """
    return (seats + 1) / (6 * seats * (seats - 1))


def share_lead(elo: float) -> float:
    """Convert an Elo difference between two bots to the difference of their win probabilities.

    >>> round(share_lead(50), 4)
    0.1429
    """
    return math.tanh(elo * math.log(10) / 800)


def elo_of(lead: float) -> float:
    """Convert a difference of win probabilities to Elo points; infinite if one bot always wins.

    >>> round(elo_of(share_lead(50)), 6)
    50.0
    """
    return math.copysign(math.inf, lead) if abs(lead) >= 1 else 800 / math.log(10) * math.atanh(lead)


def log_ratio(claim: Claim, evidence: Evidence) -> float:
    """Return the logarithm of the likelihood ratio of h1 to h0."""
    believed, n = claim.guess * claim.luck, evidence.blocks
    off0, off1 = (_off(evidence, h) for h in (claim.h0, claim.h1))
    return (claim.guess + n) / 2 * math.log((believed + off0) / (believed + off1))


def _off(evidence: Evidence, mean: float) -> float:
    """Return the sum of squared deviations from a mean; never below 0, which rounding could cause."""
    return max(0.0, evidence.squares - 2 * mean * evidence.total + evidence.blocks * mean * mean)


def conclude(claim: Claim, evidence: Evidence) -> Conclusion:
    """Return the conclusion after these blocks."""
    low, high = claim.bounds
    ratio = log_ratio(claim, evidence)
    return "better" if ratio >= high else "not better" if ratio <= low else "open"


class Estimate(msgspec.Struct, frozen=True):
    """Estimate of the mean of block values."""

    value: float
    low: float
    """Lower bound of an interval that holds with about 95 % confidence at all looks together."""
    high: float
    """Upper bound of the interval."""


def estimate(claim: Claim, evidence: Evidence) -> Estimate:
    """Estimate the mean from at least one block, with an interval that is valid at any number of looks.

    It is Robbins' mixture of normals with the variance as estimated (H. Robbins, Statistical Methods Related to the
    Law of the Iterated Logarithm, 1970; I. Waudby-Smith and others, Time-Uniform Central Limit Theory and Asymptotic
    Confidence Sequences, 2024), narrowest where the test usually ends. An interval for one look alone would be
    narrower, and wrong, because the test stops where the mean has strayed.
    """
    n, usual = evidence.blocks, max(1.0, fixed_size(claim, claim.luck) / 2)
    mean = evidence.total / n
    tuned = (math.log(1 / SURE**2) + math.log(math.log(1 / SURE**2)) + 1) / usual
    known = n * tuned + 1
    wide = math.sqrt(variance(claim, evidence) * 2 * known / (n * n * tuned) * math.log(math.sqrt(known) / SURE))
    return Estimate(mean, max(-1.0, mean - wide), min(1.0, mean + wide))


def variance(claim: Claim, evidence: Evidence) -> float:
    """Return the posterior estimate of the variance of block values."""
    n = evidence.blocks
    off = _off(evidence, evidence.total / n) if n else 0.0
    return (claim.guess * claim.luck + off) / (claim.guess + n)


def expected(claim: Claim, spread: float, mean: float, ratio: float = 0.0) -> float:
    """Estimate the number of blocks still needed, given their mean and variance and the current log ratio.

    The log ratio is modelled as a Brownian motion between the bounds (A. Wald, Sequential Analysis, 1947, appendix
    A.3).

    >>> claim = Claim(h0=0, h1=0.1, alpha=0.05, beta=0.05, luck=0.5)
    >>> [round(expected(claim, 0.5, mean)) for mean in (0, 0.05, 0.1)]
    [271, 449, 271]
    """
    (low, high), step = claim.bounds, claim.h1 - claim.h0
    if not low < ratio < high:
        return 0.0
    drift, steep = step * (mean - (claim.h0 + claim.h1) / 2) / spread, step * step / spread
    pull = 2 * drift / steep
    if abs(pull) * (high - low) < SLIGHT:
        return (high - ratio) * (ratio - low) / steep
    if pull < 0:  # mirrored, because the larger power would overflow
        drift, pull, low, high, ratio = -drift, -pull, -high, -low, -ratio
    up = (1 - math.exp(-pull * (ratio - low))) / (1 - math.exp(-pull * (high - low)))
    return (low + up * (high - low) - ratio) / drift


def longest(claim: Claim) -> int:
    """Return the default limit of blocks: four times the expected number midway between h0 and h1 if all is luck.

    A truth midway needs the most blocks, and stays open at this limit about once in a hundred tests.
    """
    return math.ceil(PATIENCE * expected(claim, claim.luck, (claim.h0 + claim.h1) / 2))


def fixed_size(claim: Claim, spread: float) -> int:
    """Return the number of blocks that a test of fixed size needs, with the same errors at h0 and h1."""
    sure = NormalDist().inv_cdf(claim.alpha) + NormalDist().inv_cdf(claim.beta)
    return max(1, math.ceil(sure * sure * spread / (claim.h1 - claim.h0) ** 2))
