"""`ftk compare`: a sequential test of a new version of a bot against an old one."""

from __future__ import annotations

import math
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from ftk_core.entries import Clock
from ftk_core.games import game
from ftk_core.kit.arena import Series, check_series, play_all
from ftk_core.kit.blocks import Comparison, fixtures, weighed
from ftk_core.kit.door import OPEN, UNSOUND, err, out
from ftk_core.kit.house import field_of
from ftk_core.kit.pace import Pace
from ftk_core.kit.record import Record, keep
from ftk_core.kit.reports import CompareReport, compared
from ftk_core.kit.sequential import (
    GUESS,
    Claim,
    Evidence,
    estimate,
    expected,
    log_ratio,
    longest,
    luck_of,
    share_lead,
    variance,
)
from ftk_core.kit.series_options import (
    CPUS,
    Against,
    BankMs,
    Jobs,
    Json,
    Log,
    MoveMs,
    Options,
    Resume,
    Seats,
    Seed,
    print_json,
    say_written,
    wrong_input_told,
)

comparing = typer.Typer()
HeadToHead = Annotated[
    bool,
    typer.Option("--head-to-head", help="At tables of two: the versions meet each other, on pairs of equal deals."),
]
H0 = Annotated[float, typer.Option(help="Not better: its share of opponents left behind grows by this or less.")]
H1 = Annotated[float, typer.Option(help="Better: it grows by this or more.")]
Elo0 = Annotated[float, typer.Option(help="Head to head, in place of --h0: not better by more Elo points.")]
Elo1 = Annotated[float, typer.Option(help="Head to head, in place of --h1: better by this or more.")]
Alpha = Annotated[float, typer.Option(help="How often it may be called better at h0.")]
Beta = Annotated[float, typer.Option(help="How often it may be called not better at h1.")]
MaxBlocks = Annotated[
    int, typer.Option(min=0, help="Then it stays open; 0 is a limit that one test in a hundred reaches.")
]
CODES = {"better": 0, "not better": UNSOUND, "open": OPEN}
"""Exit codes by conclusion."""
LUCK_OF_A_PAIR, GUESS_OF_A_PAIR = 0.5, 3
"""Prior of the sequential test for pairs: the variance of a pair's value if both matches are decided by chance, and the
number of pairs that this prior weighs."""
OFTEN = 10
"""Blocks between two progress lines if stderr is not a terminal."""


@comparing.command()
def compare(
    name: Annotated[str, typer.Argument(metavar="GAME", help="A game of `ftk games`.")],
    reference: Annotated[str, typer.Argument(help="The old version: a path, or a house bot's name.")],
    candidate: Annotated[str, typer.Argument(help="The new version.")],
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
    jobs: Jobs = CPUS,
    move_ms: MoveMs = 1000,
    bank_ms: BankMs = 10_000,
    options: Options = "{}",
    json: Json = False,
) -> None:
    """Tell whether a version of a bot is better than another, against a field, on the same deals from every seat.

    It plays block after block and stops as soon as it is known. Exit codes: 0 better, 1 not better, 3 still open.
    """
    with wrong_input_told(resume):
        size = seats or (2 if head_to_head else game(name).seats.start)
        bots = (reference, candidate, *(() if head_to_head else field_of(name, against)))
        series = Series(game=name, bots=bots, seed=seed, clock=Clock(move_ms, bank_ms), options=options)
        check_series(series, size)
        claim = _claim(size, (h0, h1), (elo0, elo1) if head_to_head else None, (alpha, beta))
        most = max_blocks or longest(claim)
        comparison = Comparison(series=series, seats=size, claim=claim, most=most, head_to_head=head_to_head)
        with keep(
            "compare", series, resume, log, seats=size, h0=claim.h0, h1=claim.h1, alpha=alpha, beta=beta
        ) as record:
            evidence = _decided(comparison, record, jobs)
    _answer(compared(comparison, evidence, record.matches), log, json=json)


def _claim(
    seats: int, shares: tuple[float, float], elos: tuple[float, float] | None, errors: tuple[float, float]
) -> Claim:
    luck, guess = (LUCK_OF_A_PAIR, GUESS_OF_A_PAIR) if elos else (luck_of(seats), GUESS)
    h0, h1 = _leads(seats, *elos) if elos else shares
    return Claim(h0=h0, h1=h1, alpha=errors[0], beta=errors[1], luck=luck, guess=guess)


def _leads(seats: int, elo0: float, elo1: float) -> tuple[float, float]:
    """Return h0 and h1 of a head-to-head test; raises ValueError for options that do not fit."""
    if seats != 2:
        raise ValueError(f"--head-to-head is for tables of 2 (got {seats}); leave it out to compare against a field")
    if not elo0 < elo1:
        raise ValueError(f"--elo0 must be less than --elo1 (got {elo0:g} and {elo1:g})")
    return share_lead(elo0), share_lead(elo1)


def _answer(report: CompareReport, log: Path | None, *, json: bool) -> NoReturn:
    if json:
        print_json(report)
    else:
        say_written(log)
        _print(report)
    raise typer.Exit(CODES[report.conclusion])


def _decided(comparison: Comparison, record: Record, jobs: int) -> Evidence:
    """Play blocks until the claim is decided or none are left, and show the progress."""
    evidence, remembered = Evidence(), len(record.matches)
    with (
        Pace(err) as pace,
        closing(play_all(comparison.series, islice(fixtures(comparison), remembered, None), jobs)) as fresh,
    ):
        pace.before(_before(comparison, remembered, jobs))
        for evidence in weighed(comparison, record.keeping(pace.count(fresh))):
            pace.tell(_so_far(comparison, evidence, pace), aloud=evidence.blocks == 1 or evidence.blocks % OFTEN == 0)
    return evidence


def _before(comparison: Comparison, remembered: int, jobs: int) -> str:
    claim = comparison.claim
    means = (claim.h0, (claim.h0 + claim.h1) / 2, claim.h1)
    usual = [math.ceil(expected(claim, claim.luck, mean)) * comparison.matches for mean in means]
    return (
        f"at most {comparison.most} blocks of {comparison.matches} matches, {jobs} side by side, {remembered} played "
        f"before; if all is luck, about {usual[0]} matches where the truth is h0, {usual[1]} midway, {usual[2]} where "
        f"it is h1, and never more than {comparison.most * comparison.matches}"
    )


def _so_far(comparison: Comparison, evidence: Evidence, pace: Pace) -> str:
    claim, found = comparison.claim, estimate(comparison.claim, evidence)
    (lower, upper), n = claim.bounds, evidence.blocks
    usual = n + math.ceil(expected(claim, variance(claim, evidence), found.value, log_ratio(claim, evidence)))
    left = [max(0, blocks - n) * comparison.matches for blocks in (min(usual, comparison.most), comparison.most)]
    costs = " | ".join(
        f"{said} {pace.costs(matches)}" for said, matches in zip(("usually", "at most"), left, strict=True)
    )
    return (
        f"block {n}: {_signed(found.value)} ({_signed(found.low)} to {_signed(found.high)}), log ratio "
        f"{log_ratio(claim, evidence):+.2f}, known at {lower:.2f} or {upper:+.2f}; {costs}"
    )


def _print(report: CompareReport) -> None:
    estimate, low, high = (_signed(share) for share in (report.estimate, report.low, report.high))
    ratio, lower, upper = f"{report.log_ratio:+.2f}", f"{report.lower:.2f}", f"{report.upper:+.2f}"
    if report.head_to_head:
        out.print(
            f"{report.conclusion}: {report.candidate} wins {estimate} more often than {report.reference} "
            f"({low} to {high}, 95 % sure)",
            markup=False,
        )
        out.print(
            f"{report.blocks} pairs, {report.matches} matches head to head; log ratio {ratio}, known at {lower} or "
            f"{upper}",
            markup=False,
        )
    else:
        out.print(
            f"{report.conclusion}: {report.candidate} leaves {estimate} of its opponents behind compared with "
            f"{report.reference} ({low} to {high}, 95 % sure)",
            markup=False,
        )
        out.print(
            f"{report.blocks} blocks, {report.matches} matches at tables of {report.seats} against "
            f"{', '.join(report.against)}; log ratio {ratio}, known at {lower} or {upper}",
            markup=False,
        )
    if report.elo is not None:
        out.print(f"about {report.elo:+.0f} Elo", markup=False)
    if report.reference_faults or report.candidate_faults:
        out.print(
            f"faults: {report.reference} {report.reference_faults}, {report.candidate} {report.candidate_faults}",
            markup=False,
        )
    if report.conclusion == "open":
        enough = report.blocks + math.ceil(report.more_matches * report.blocks / report.matches)
        out.print(
            f"not known yet: if the estimate is true, about {report.more_matches} more matches decide it. "
            f"--max-blocks {2 * enough} allows twice as many, --resume FILE keeps what was played",
            markup=False,
        )


def _signed(share: float) -> str:
    return f"{100 * share:+.1f} %"
