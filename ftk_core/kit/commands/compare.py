"""`ftk compare`: a sequential test of a new version of a bot against an old one."""

from __future__ import annotations

import math
from contextlib import closing
from gettext import gettext as _
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from ftk_core.games import game
from ftk_core.i18n import N_
from ftk_core.kit.built_in_bots import list_opponents
from ftk_core.kit.match_series.local_match_options import (
    CPU_COUNT,
    Against,
    Jobs,
    Json,
    Log,
    Options,
    Resume,
    Seats,
    Seed,
    print_json,
    print_log_commands,
    refuse_unused,
    report_wrong_input,
    with_clock_options,
)
from ftk_core.kit.match_series.local_matches import MatchSeries, check_series, play_all
from ftk_core.kit.match_series.match_series_result_file import MatchSeriesResultStore, open_record
from ftk_core.kit.match_series.sequential_testing import (
    GUESS,
    ComparedHypotheses,
    SameSeedBlockStatistics,
    chance_variance,
    default_block_limit,
    elo_to_win_difference,
    estimate,
    expected_blocks,
    log_ratio,
    variance,
)
from ftk_core.kit.match_series.series_progress import MatchSeriesProgressDisplay
from ftk_core.kit.match_series.series_reports import VersionComparisonReport, compare_report
from ftk_core.kit.match_series.version_comparison_matches import (
    VersionComparison,
    accumulate_block_statistics,
    list_fixtures,
)
from ftk_core.kit.match_series.version_comparison_output import print_comparison, signed_percent
from ftk_core.kit.terminal_output import EXIT_NEGATIVE, EXIT_UNDECIDED, err
from ftk_core.log_entries import DEFAULT_CLOCK, TimeControl

comparing = typer.Typer()
HeadToHead = Annotated[
    bool,
    typer.Option(
        "--head-to-head",
        help="With two seats: play the versions against each other, each deal twice with the seats swapped.",
    ),
]
H0 = Annotated[float, typer.Option(help="Not better means: the share of opponents beaten grows by at most this.")]
H1 = Annotated[float, typer.Option(help="Better means: the share of opponents beaten grows by at least this.")]
Elo0 = Annotated[
    float, typer.Option(help="With --head-to-head, instead of --h0: not better means at most this many Elo points.")
]
Elo1 = Annotated[
    float, typer.Option(help="With --head-to-head, instead of --h1: better means at least this many Elo points.")
]
Alpha = Annotated[float, typer.Option(help='Probability of the answer "better" if the truth is h0.')]
Beta = Annotated[float, typer.Option(help='Probability of the answer "not better" if the truth is h1.')]
MaxBlocks = Annotated[
    int,
    typer.Option(
        min=0,
        help="Maximum number of blocks, then the answer is open; 0 for a limit that one test in a hundred reaches.",
    ),
]
EXIT_CODES = {N_("better"): 0, N_("not better"): EXIT_NEGATIVE, N_("open"): EXIT_UNDECIDED}
"""Conclusion of the comparison -> exit code."""
PAIR_LUCK_VARIANCE, PRIOR_PAIRS = 0.5, 3
"""Prior of the sequential test if the two versions play each other in pairs of matches. The value of a pair is the new
version's share of wins minus the old version's. The first number is the variance of this value if chance decides
both matches; the second is the weight of the prior, in pairs."""
BLOCKS_PER_PROGRESS_LINE = 10
"""Number of blocks (matches on one deal) between two progress lines if stderr is not a terminal."""


@comparing.command()
@with_clock_options
@refuse_unused(
    "against", "h0", "h1", when=itemgetter("head_to_head"), message=N_("{option} has no effect with --head-to-head")
)
@refuse_unused(
    "elo0", "elo1", when=lambda given: not given["head_to_head"],
    message=N_("{option} has no effect without --head-to-head"),
)  # fmt: skip
def compare(
    name: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; `ftk games` lists them.")],
    reference: Annotated[str, typer.Argument(help="Old version: a path, or the name of a built-in bot.")],
    candidate: Annotated[str, typer.Argument(help="New version: a path, or the name of a built-in bot.")],
    against: Against = ["house"],  # noqa: B006  # typer copies it
    seats: Seats = 0,
    head_to_head: HeadToHead = False,
    h0: H0 = 0.0,
    h1: H1 = 0.05,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 50.0,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    max_blocks: MaxBlocks = 0,
    seed: Seed = "1",
    log: Log = None,
    resume: Resume = None,
    jobs: Jobs = CPU_COUNT,
    clock: TimeControl = DEFAULT_CLOCK,
    options: Options = "{}",
    json: Json = False,
) -> None:
    """Test whether one version of a bot is better than another, with the same opponents, seats and random setups.

    It stops as soon as the answer is known. Exit codes: 0 better, 1 not better, 3 undecided.
    """
    with report_wrong_input(resume):
        size = seats or (2 if head_to_head else game(name).seats.start)
        bots = (reference, candidate, *(() if head_to_head else list_opponents(name, against)))
        series = MatchSeries(game=name, bots=bots, seed=seed, clock=clock, options=options)
        check_series(series, size)
        claim = _claim(size, (h0, h1), (elo0, elo1) if head_to_head else None, (alpha, beta))
        most = max_blocks or default_block_limit(claim)
        comparison = VersionComparison(series=series, seats=size, claim=claim, most=most, head_to_head=head_to_head)
        with open_record(
            "compare", series, resume, log, seats=size, h0=claim.h0, h1=claim.h1, alpha=alpha, beta=beta
        ) as record:
            evidence = _play_until_decided(comparison, record, jobs)
    _print_result(compare_report(comparison, evidence, record.matches), log, json=json)


def _claim(
    seats: int, shares: tuple[float, float], elos: tuple[float, float] | None, errors: tuple[float, float]
) -> ComparedHypotheses:
    luck, guess = (PAIR_LUCK_VARIANCE, PRIOR_PAIRS) if elos else (chance_variance(seats), GUESS)
    h0, h1 = _head_to_head_bounds(seats, *elos) if elos else shares
    return ComparedHypotheses(h0=h0, h1=h1, alpha=errors[0], beta=errors[1], luck=luck, guess=guess)


def _head_to_head_bounds(seats: int, elo0: float, elo1: float) -> tuple[float, float]:
    """Convert the hypotheses `elo0` and `elo1` from Elo differences to differences of win probabilities.

    Raises ValueError unless there are two seats and `elo0` is less than `elo1`.
    """
    # The conversion holds only for matches in which the two versions play each other.
    if seats != 2:
        raise ValueError(
            _("--head-to-head is for tables of 2 (got {seats}); leave it out to compare against a field").format(
                seats=seats
            )
        )
    if not elo0 < elo1:
        raise ValueError(
            _("--elo0 must be less than --elo1 (got {elo0} and {elo1})").format(
                elo0=format(elo0, "g"), elo1=format(elo1, "g")
            )
        )
    return elo_to_win_difference(elo0), elo_to_win_difference(elo1)


def _print_result(report: VersionComparisonReport, log: Path | None, *, json: bool) -> NoReturn:
    if json:
        print_json(report)
    else:
        print_log_commands(log)
        print_comparison(report)
    raise typer.Exit(EXIT_CODES[report.conclusion])


def _play_until_decided(
    comparison: VersionComparison, record: MatchSeriesResultStore, jobs: int
) -> SameSeedBlockStatistics:
    """Play matches until the test has a result or the limit is reached, and show the progress."""
    # A block is all matches with the same random seed. Matches that `record` has from an interrupted run count.
    evidence, remembered = SameSeedBlockStatistics(), len(record.matches)
    with (
        MatchSeriesProgressDisplay(err) as pace,
        closing(play_all(comparison.series, islice(list_fixtures(comparison), remembered, None), jobs)) as fresh,
    ):
        pace.before(_before(comparison, remembered, jobs))
        for evidence in accumulate_block_statistics(comparison, record.record_matches(pace.count(fresh))):
            pace.tell(
                _describe_progress(comparison, evidence, pace),
                print_off_terminal=evidence.blocks == 1 or evidence.blocks % BLOCKS_PER_PROGRESS_LINE == 0,
            )
    return evidence


def _before(comparison: VersionComparison, remembered: int, jobs: int) -> str:
    claim = comparison.claim
    means = (claim.h0, (claim.h0 + claim.h1) / 2, claim.h1)
    usual = [math.ceil(expected_blocks(claim, claim.luck, mean)) * comparison.matches for mean in means]
    message = _(
        "at most {blocks} blocks of {size} matches, {jobs} at a time, {remembered} matches already"
        " played; if results vary as by pure luck, about {h0} matches are needed where h0 is true,"
        " {h1} where h1 is true, {midway} halfway between, and never more than {most}"
    )
    return message.format(
        blocks=comparison.most, size=comparison.matches, jobs=jobs, remembered=remembered, h0=usual[0],
        midway=usual[1], h1=usual[2], most=comparison.most * comparison.matches,
    )  # fmt: skip


def _describe_progress(
    comparison: VersionComparison, evidence: SameSeedBlockStatistics, pace: MatchSeriesProgressDisplay
) -> str:
    claim, current = comparison.claim, estimate(comparison.claim, evidence)
    (lower, upper), n = claim.bounds, evidence.blocks
    usual = n + math.ceil(expected_blocks(claim, variance(claim, evidence), current.value, log_ratio(claim, evidence)))
    left = [max(0, blocks - n) * comparison.matches for blocks in (min(usual, comparison.most), comparison.most)]
    usually, most = map(pace.describe_remaining_time, left)
    value, low, high = (signed_percent(share) for share in (current.value, current.low, current.high))
    message = _(
        "block {block}: {value} ({low} to {high}), log ratio {ratio},"
        " decided below {lower} or above {upper}; expected {usually}, at most {most}"
    )
    return message.format(
        block=n, value=value, low=low, high=high, ratio=f"{log_ratio(claim, evidence):+.2f}", lower=f"{lower:.2f}",
        upper=f"{upper:+.2f}", usually=usually, most=most,
    )  # fmt: skip
