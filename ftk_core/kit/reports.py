"""Results of `ftk play`, `gauntlet` and `compare` as JSON documents; docs/local-arena.md describes every field.

A schema's number rises if a field is removed or changes its meaning, but not if a field is added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from ftk_core.kit.arena import PlayedMatch, names_of
from ftk_core.kit.blocks import CANDIDATE, FIRST, REFERENCE, Comparison
from ftk_core.kit.scores import Line, line_of
from ftk_core.kit.sequential import Conclusion, Evidence, conclude, elo_of, estimate, expected, log_ratio, variance


class PlayReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a series of matches between bots."""

    schema: str = "ftk.play/1"
    game: str
    seed: str
    matches: int
    duplicate: bool
    """True if each deal was played once for each rotation of the seats."""
    bots: tuple[Line, ...]
    """The best first."""


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a bot at tables against one opponent."""

    opponent: str
    games: int
    points: float
    """The bot's mean share of opponents beaten, a tie counting half: 0 to 1."""
    points_error: float
    """Its standard error, over deals."""
    wins: int
    faults: int
    """The bot's faults."""


class GauntletReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a bot against each of several opponents."""

    schema: str = "ftk.gauntlet/1"
    game: str
    seed: str
    bot: str
    seats: int
    deals: int
    """Number of deals against each opponent."""
    points: float
    """Mean over all meetings."""
    points_error: float
    faults: int
    meetings: tuple[Meeting, ...]


class CompareReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a comparison of two versions of a bot."""

    schema: str = "ftk.compare/1"
    game: str
    seed: str
    seats: int
    reference: str
    candidate: str
    against: tuple[str, ...]
    """Names of the opponents; empty head to head."""
    head_to_head: bool
    """True if the two versions played each other, each deal twice with the seats swapped."""
    h0: float
    h1: float
    alpha: float
    beta: float
    conclusion: Conclusion
    """The decision about the candidate."""
    blocks: int
    matches: int
    estimate: float
    """Difference in the share of opponents left behind, candidate minus reference."""
    low: float
    """Lower bound of an interval that holds with about 95 % confidence at all looks together."""
    high: float
    """Upper bound of the interval."""
    log_ratio: float
    """Logarithm of the likelihood ratio of h1 to h0."""
    lower: float
    """At this log ratio or below, the conclusion is "not better"."""
    upper: float
    """At this log ratio or above, the conclusion is "better"."""
    more_matches: int
    """Expected number of further matches if the estimate is true; 0 if the comparison is decided."""
    elo: float | None
    """Head to head, the estimate in Elo points; None against a field, or if one version won everything."""
    reference_faults: int
    candidate_faults: int


def meeting_of(opponent: str, matches: Sequence[PlayedMatch], seats: int) -> Meeting:
    """Return the result of the series' first bot in matches on deals that were each played once from every seat."""
    line = line_of(opponent, 0, matches, seats)
    return Meeting(
        opponent=opponent,
        games=line.games,
        points=line.points,
        points_error=line.points_error,
        wins=line.wins,
        faults=line.faults,
    )


def compared(comparison: Comparison, evidence: Evidence, matches: Sequence[PlayedMatch]) -> CompareReport:
    """Return the result after at least one block; only the matches of complete blocks, the first ones, count."""
    series, claim, names = comparison.series, comparison.claim, names_of(comparison.series.bots)
    found, (lower, upper) = estimate(claim, evidence), claim.bounds
    matches = matches[: evidence.blocks * comparison.matches]
    ratio, known = log_ratio(claim, evidence), conclude(claim, evidence)
    more = expected(claim, variance(claim, evidence), found.value, ratio) if known == "open" else 0
    return CompareReport(
        game=series.game,
        seed=series.seed,
        seats=comparison.seats,
        reference=names[REFERENCE],
        candidate=names[CANDIDATE],
        against=names[FIRST:],
        head_to_head=comparison.head_to_head,
        h0=claim.h0,
        h1=claim.h1,
        alpha=claim.alpha,
        beta=claim.beta,
        conclusion=known,
        blocks=evidence.blocks,
        matches=len(matches),
        estimate=found.value,
        low=found.low,
        high=found.high,
        log_ratio=ratio,
        lower=lower,
        upper=upper,
        more_matches=math.ceil(more) * comparison.matches,
        elo=elo_of(found.value) if comparison.head_to_head and abs(found.value) < 1 else None,
        reference_faults=line_of("", REFERENCE, matches).faults,
        candidate_faults=line_of("", CANDIDATE, matches).faults,
    )
