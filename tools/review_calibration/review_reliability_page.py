"""Handbook page that shows how well match reviews predict results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ftk_core.analysis.position_estimate_calibration import STAGES, EstimateCalibrationBin, PositionEstimateCalibration
from ftk_core.games import game

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
HEAD = """# How reliable the values of reviews are

Written by `python -m tools.review_calibration.calibrate_reviews`, which plays the matches and compares the values with
their results; see [the review](review.md). The built-in bots are drawn at random for each seat (`built-in`), the same
one sits in all seats (`equal`), bots that search sit beside them (`search`), or the policy of the playouts is in all
seats (`policy`).

The *slope* says how far results lie from 1/2, as a multiple of the values' distance from it: 1 if bots play as well as
the policy, 0 if values say nothing about results. A review uses the middle between the lowest and the highest slope of
all kinds of bots, and its intervals cover the whole range. Slopes are fitted to three fifths of the matches. The tables
of tenths are from the others: the mean value with the mean half-width of its intervals, and the mean result with its
standard error.

The bots that search may play 3,000 choices in their playouts. With so few they play as the policy in Kings Court;
`master` plays better than the bots of these tables.
"""


def write_page(reliabilities: Sequence[PositionEstimateCalibration]) -> str:
    """Return the Markdown text of docs/reliability.md, with the tables of all games and numbers of seats."""
    parts = [HEAD]
    for name in sorted({one.game for one in reliabilities}):
        parts.append(f"\n## {game(name).title}\n")
        parts += [_write_size(one) for one in reliabilities if one.game == name]
    return "".join(parts)


def _write_size(one: PositionEstimateCalibration) -> str:
    stages = " | ".join(f"{float(stage):.0%}" for stage in STAGES)
    slopes = " | ".join(f"{low:.2f} to {high:.2f}" for low, high in zip(one.low, one.high, strict=True))
    held = sum(tenth.holds for tenth in one.tenths)
    head = (
        f"\n### {one.seats} seats\n\nRules version {one.version}, policy `{one.policy}`, "
        f"{one.matches} matches of each kind. "
        f"{held} of {len(one.tenths)} tenths ended within their intervals"
        f"{f', which are wider by {one.extra:.3f} on each side' if one.extra else ''}.\n\n"
        f"| part of the match | {stages} |\n|---|{'---|' * len(STAGES)}\n| slope | {slopes} |\n\n"
        "| bots | values | matches | entries | value | result | within |\n|---|---|---|---|---|---|---|\n"
    )
    return head + "".join(map(_write_tenth, one.tenths))


def _write_tenth(tenth: EstimateCalibrationBin) -> str:
    span = f"{tenth.tenth / 10:.1f} to {(tenth.tenth + 1) / 10:.1f}"
    value, result = f"{tenth.value:.3f} ± {tenth.margin:.3f}", f"{tenth.result:.3f} ± {tenth.error:.3f}"
    within = "yes" if tenth.holds else "no"
    return f"| {tenth.mix} | {span} | {tenth.matches} | {tenth.values} | {value} | {result} | {within} |\n"
