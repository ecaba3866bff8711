"""What `ftk play`, `gauntlet` and `compare` have found, as one JSON document each; docs/local-arena.md has every field.

A schema's number rises when a field goes or changes its meaning; a field may be added without that.
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
    """How bots did that played each other."""

    schema: str = "ftk.play/1"
    game: str
    seed: str
    matches: int
    duplicate: bool
    """Whether each deal was played once for each turn of the seats."""
    bots: tuple[Line, ...]
    """The best first."""


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """How a bot did at tables of one opponent."""

    opponent: str
    games: int
    points: float
    """The bot's mean share of opponents beaten, a tie counting half: 0 to 1."""
    points_error: float
    """Its standard error, over deals."""
    wins: int
    faults: int
    """Of the bot."""


class GauntletReport(msgspec.Struct, frozen=True, kw_only=True):
    """How a bot did against each of a field."""

    schema: str = "ftk.gauntlet/1"
    game: str
    seed: str
    bot: str
    seats: int
    deals: int
    """Against each opponent."""
    points: float
    """Over all meetings."""
    points_error: float
    faults: int
    meetings: tuple[Meeting, ...]


class CompareReport(msgspec.Struct, frozen=True, kw_only=True):
    """Whether one version of a bot is better than another."""

    schema: str = "ftk.compare/1"
    game: str
    seed: str
    seats: int
    reference: str
    candidate: str
    against: tuple[str, ...]
    """Empty head to head."""
    head_to_head: bool
    """True if the two versions played each other, each deal twice with the seats swapped."""
    h0: float
    h1: float
    alpha: float
    beta: float
    conclusion: Conclusion
    """Whether the candidate is better."""
    blocks: int
    matches: int
    estimate: float
    """By how much larger a share of its opponents the candidate leaves behind."""
    low: float
    """About 95 % sure to be above this, however often somebody looked,"""
    high: float
    """and below this."""
    log_ratio: float
    """The logarithm of how much likelier the blocks are at h1 than at h0."""
    lower: float
    """Down here it is not better,"""
    upper: float
    """up here it is."""
    more_matches: int
    """About how many more matches would decide it if the estimate is true; 0 where it is decided."""
    elo: float | None
    """Head to head, the estimate in Elo points; none against a field, or where one version won everything."""
    reference_faults: int
    candidate_faults: int


def meeting_of(opponent: str, matches: Sequence[PlayedMatch], seats: int) -> Meeting:
    """Return how the bot at place 0 did in matches on deals that each took one match a seat."""
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
    """Return what the blocks say, at least one; of the matches only theirs count, which are the first."""
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
