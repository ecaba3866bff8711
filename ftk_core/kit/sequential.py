"""A test of whether the mean of block values is h0 or h1, which stops as soon as it is known.

Block values are taken for independent and about normal, with a variance that nobody knows. Before any block the
variance is believed to be about that of blocks in which all is luck (`luck`), worth `GUESS` blocks: an inverse gamma
distribution. The likelihood of the values at a mean h is then, with the variance averaged out, proportional to
``(GUESS * luck + sum((x - h) ** 2)) ** -((GUESS + n) / 2)``, and the test is on the ratio of the two: Wald's sequential
probability ratio test (A. Wald, Sequential Tests of Statistical Hypotheses, 1945) with his weight functions for what
is not asked about (Wald, Sequential Analysis, 1947, chapter 4). With many blocks it is the generalised ratio of chess
engines' tests (M. Van den Bergh, A Practical Introduction to the GSPRT, 2017); with few the belief keeps a row of equal
values from deciding. The bounds are 1/alpha and beta, which no ratio of likelihoods crosses more often than that
whenever it is looked at (J. Ville, Étude critique de la notion de collectif, 1939): Wald's own, without what he gains
from knowing the other error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist
from typing import Literal

import msgspec

GUESS = 8
"""So many blocks the belief about the variance is worth (measured in decision 0041)."""
SURE = 0.05
"""How often an estimate's interval may miss the truth, at whichever block it is looked at."""

PATIENCE = 4
"""The default limit of blocks, as a multiple of the expected number where it is largest."""
SLIGHT = 1e-3
"""A drift that changes the chances of both bounds by less than this part is none."""

Conclusion = Literal["better", "not better", "open"]


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be decided, and how often it may be decided wrongly."""

    h0: float
    """No better than this, in share of opponents,"""
    h1: float
    """or better by this, or more."""
    alpha: float
    """How often it may be called better at h0 or below."""
    beta: float
    """How often it may be called not better at h1 or above."""
    luck: float
    """The variance of a block's value where all is luck: what is believed before any block."""
    guess: int = GUESS
    """So many blocks that belief is worth."""

    def __post_init__(self) -> None:
        if not -1 <= self.h0 < self.h1 <= 1:
            raise ValueError(f"h0 {self.h0:g} must lie below h1 {self.h1:g}, both between -1 and 1")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name} {rate:g} must lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which the ratio's logarithm leaves it open."""
        return math.log(self.beta), -math.log(self.alpha)


class Evidence(msgspec.Struct, frozen=True):
    """All that blocks say: how many there are, the sum of their values, and that of the squares."""

    blocks: int = 0
    total: float = 0.0
    squares: float = 0.0


def add(evidence: Evidence, value: float) -> Evidence:
    """Return the evidence with one block more, of a value between -1 and 1."""
    return Evidence(evidence.blocks + 1, evidence.total + value, evidence.squares + value * value)


def evidence_of(values: Iterable[float]) -> Evidence:
    """Return what blocks say.

    >>> evidence_of([0.5, -0.25])
    Evidence(blocks=2, total=0.25, squares=0.3125)
    """
    evidence = Evidence()
    for value in values:
        evidence = add(evidence, value)
    return evidence


def luck_of(seats: int) -> float:
    """Return the variance of a block's value at a table of that size if all places were drawn by lot.

    A share of so many opponents is then uniform on its steps; a block is the difference of two means over the seats.

    >>> luck_of(2)
    0.25
    """
    return (seats + 1) / (6 * seats * (seats - 1))


def share_lead(elo: float) -> float:
    """Return by how much more often one of two bots wins than the other if it is so many Elo points stronger.

    >>> round(share_lead(50), 4)
    0.1429
    """
    return math.tanh(elo * math.log(10) / 800)


def elo_of(lead: float) -> float:
    """Return the Elo points of a lead; infinite where one wins always.

    >>> round(elo_of(share_lead(50)), 6)
    50.0
    """
    return math.copysign(math.inf, lead) if abs(lead) >= 1 else 800 / math.log(10) * math.atanh(lead)


def log_ratio(claim: Claim, evidence: Evidence) -> float:
    """Return the logarithm of how much likelier the blocks are at h1 than at h0."""
    believed, n = claim.guess * claim.luck, evidence.blocks
    off0, off1 = (_off(evidence, h) for h in (claim.h0, claim.h1))
    return (claim.guess + n) / 2 * math.log((believed + off0) / (believed + off1))


def _off(evidence: Evidence, mean: float) -> float:
    """Return the sum of the squares of what values are off a mean; never below 0, as rounding might have it."""
    return max(0.0, evidence.squares - 2 * mean * evidence.total + evidence.blocks * mean * mean)


def conclude(claim: Claim, evidence: Evidence) -> Conclusion:
    """Return what is known after these blocks."""
    low, high = claim.bounds
    ratio = log_ratio(claim, evidence)
    return "better" if ratio >= high else "not better" if ratio <= low else "open"


class Estimate(msgspec.Struct, frozen=True):
    """What the blocks say of the mean."""

    value: float
    low: float
    """About 95 % sure, at all looks together, to be above this"""
    high: float
    """and below this."""


def estimate(claim: Claim, evidence: Evidence) -> Estimate:
    """Return the mean of one block or more, with an interval that stays true however often somebody looks.

    It is Robbins' mixture of normals with the variance as estimated (H. Robbins, Statistical Methods Related to the Law
    of the Iterated Logarithm, 1970; I. Waudby-Smith and others, Time-Uniform Central Limit Theory and Asymptotic
    Confidence Sequences, 2024), narrowest where the test usually ends. An interval for one look alone would be
    narrower, and untrue, as the test stops where the mean has strayed.
    """
    n, usual = evidence.blocks, max(1.0, fixed_size(claim, claim.luck) / 2)
    mean = evidence.total / n
    tuned = (math.log(1 / SURE**2) + math.log(math.log(1 / SURE**2)) + 1) / usual
    known = n * tuned + 1
    wide = math.sqrt(variance(claim, evidence) * 2 * known / (n * n * tuned) * math.log(math.sqrt(known) / SURE))
    return Estimate(mean, max(-1.0, mean - wide), min(1.0, mean + wide))


def variance(claim: Claim, evidence: Evidence) -> float:
    """Return the variance of block values, as believed and seen."""
    n = evidence.blocks
    off = _off(evidence, evidence.total / n) if n else 0.0
    return (claim.guess * claim.luck + off) / (claim.guess + n)


def expected(claim: Claim, spread: float, mean: float, ratio: float = 0.0) -> float:
    """Return about how many blocks are still needed if blocks have this mean and variance and the log ratio is here.

    The log ratio is taken for a Brownian motion between the bounds (A. Wald, Sequential Analysis, 1947, appendix A.3).

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
    if pull < 0:  # seen from the other side, as the larger power would overflow
        drift, pull, low, high, ratio = -drift, -pull, -high, -low, -ratio
    up = (1 - math.exp(-pull * (ratio - low))) / (1 - math.exp(-pull * (high - low)))
    return (low + up * (high - low) - ratio) / drift


def longest(claim: Claim) -> int:
    """Return the default limit of blocks: four times what is expected midway between h0 and h1 if all is luck.

    A truth midway needs the most blocks, and stays open at this limit about once in a hundred tests.
    """
    return math.ceil(PATIENCE * expected(claim, claim.luck, (claim.h0 + claim.h1) / 2))


def fixed_size(claim: Claim, spread: float) -> int:
    """Return how many blocks of a variance a test of fixed size takes, with the same errors at h0 and h1."""
    sure = NormalDist().inv_cdf(claim.alpha) + NormalDist().inv_cdf(claim.beta)
    return max(1, math.ceil(sure * sure * spread / (claim.h1 - claim.h0) ** 2))
