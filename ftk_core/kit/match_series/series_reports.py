"""JSON reports of `ftk play`, `gauntlet` and `compare`, documented in docs/local-arena.md."""
# The number in `schema` rises if a field is removed or changes its meaning, but not if a field is added.

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from ftk_core.kit.match_series.local_matches import MatchSeries, PlayedMatch, names_of
from ftk_core.kit.match_series.sequential_testing import (
    Conclusion,
    SameSeedBlockStatistics,
    conclude,
    elo_of,
    estimate,
    expected_blocks,
    log_ratio,
    variance,
)
from ftk_core.kit.match_series.series_statistics import BotStatistics, bot_statistics
from ftk_core.kit.match_series.version_comparison_matches import CANDIDATE, FIRST, REFERENCE, VersionComparison


class MatchSeriesReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a series of matches between bots, as printed by `ftk play --json`."""

    schema: str = "ftk.play/1"
    game: str
    seed: str
    matches: int
    duplicate: bool
    """True if each deal was played once for each rotation of the seats."""
    bots: tuple[BotStatistics, ...]
    """Statistics of each bot, the best first."""


class OpponentResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of the tested bot in the matches in which one opponent plays all other seats."""

    opponent: str
    games: int
    points: float
    """Mean share of opponents that the bot beat, a tie counting half: 0 to 1."""
    points_error: float | None
    """Standard error of `points`; all matches on one deal count as one observation. None with one deal."""
    wins: int
    faults: int
    """Number of decisions without a valid answer of the bot."""


class GauntletReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a bot against each of several opponents, as printed by `ftk gauntlet --json`."""

    schema: str = "ftk.gauntlet/1"
    game: str
    seed: str
    bot: str
    seats: int
    deals: int
    """Number of deals against each opponent."""
    points: float
    """Mean share of opponents that the bot beat, over all matches."""
    points_error: float | None
    """Standard error of `points` over deals, with these opponents. None with one deal."""
    faults: int
    meetings: tuple[OpponentResult, ...]


class VersionComparisonReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of comparing two versions of a bot, as printed by `ftk compare --json`."""

    schema: str = "ftk.compare/1"
    game: str
    seed: str
    seats: int
    reference: str
    candidate: str
    against: tuple[str, ...]
    """Names of the opponents; empty if the two versions played each other."""
    head_to_head: bool
    """True if the two versions played each other, each deal twice with the seats swapped."""
    h0: float
    h1: float
    alpha: float
    beta: float
    conclusion: Conclusion
    """Conclusion about the candidate: "better", "not better", or "open" if undecided."""
    blocks: int
    matches: int
    estimate: float
    """Difference in the share of opponents left behind, candidate minus reference."""
    low: float
    """Lower bound of an interval with about 95 % confidence, which stays valid if it is computed after every block."""
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
    """The estimate in Elo points. None if the versions did not play each other, or if one of them won every match."""
    reference_faults: int
    candidate_faults: int


def gauntlet_report(series: MatchSeries, played: Sequence[PlayedMatch], seats: int, deals: int) -> GauntletReport:
    """Report a series in which one bot met several opponents one after the other."""
    # For each opponent, the bot played the same random seeds once from every seat.
    names, each = names_of(series.bots), deals * seats
    totals = bot_statistics("", 0, played, together=seats, deals=deals)
    return GauntletReport(
        game=series.game,
        seed=series.seed,
        bot=names[0],
        seats=seats,
        deals=deals,
        points=totals.points,
        points_error=totals.points_error,
        faults=totals.faults,
        meetings=tuple(
            _opponent_result(opponent, played[place * each : (place + 1) * each], seats)
            for place, opponent in enumerate(names[1:])
        ),
    )


def _opponent_result(opponent: str, matches: Sequence[PlayedMatch], seats: int) -> OpponentResult:
    """Return the result of the tested bot against one opponent."""
    line = bot_statistics(opponent, 0, matches, together=seats)
    return OpponentResult(
        opponent=opponent,
        games=line.games,
        points=line.points,
        points_error=line.points_error,
        wins=line.wins,
        faults=line.faults,
    )


def compare_report(
    comparison: VersionComparison, evidence: SameSeedBlockStatistics, matches: Sequence[PlayedMatch]
) -> VersionComparisonReport:
    """Report the comparison of two versions of a bot."""
    # An incomplete block does not count.
    series, claim, names = comparison.series, comparison.claim, names_of(comparison.series.bots)
    interval, (lower, upper) = estimate(claim, evidence), claim.bounds
    matches = matches[: evidence.blocks * comparison.matches]
    ratio, known = log_ratio(claim, evidence), conclude(claim, evidence)
    more = expected_blocks(claim, variance(claim, evidence), interval.value, ratio) if known == "open" else 0
    return VersionComparisonReport(
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
        estimate=interval.value,
        low=interval.low,
        high=interval.high,
        log_ratio=ratio,
        lower=lower,
        upper=upper,
        more_matches=math.ceil(more) * comparison.matches,
        elo=elo_of(interval.value) if comparison.head_to_head and abs(interval.value) < 1 else None,
        reference_faults=bot_statistics("", REFERENCE, matches).faults,
        candidate_faults=bot_statistics("", CANDIDATE, matches).faults,
    )
