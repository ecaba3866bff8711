"""Calibration of match reviews: compares estimated results with the results of many matches.

    python -m tools.review_calibration.calibrate_reviews  # all games and numbers of seats, 500 matches per mix of bots
    python -m tools.review_calibration.calibrate_reviews --game pig --seats 2 3 --matches 200

It replaces entries of `ftk_core/analysis/reliability.json` and writes `docs/reliability.md`. Build the native rules
before with `python -m ftk_core.native.build`.
"""
# Run it again after every change of a game's policy `quick`. The same commit gives the same results.

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from random import Random

import msgspec
from msgspec.structs import replace

from ftk_core.analysis.match_review import estimate_position
from ftk_core.analysis.position_estimate_calibration import (
    TABLE_FILE,
    PositionEstimateCalibration,
    read_reliabilities,
    unknown_reliability,
)
from ftk_core.analysis.position_estimates import shares_of
from ftk_core.games import game, list_games
from ftk_core.kit.match_series.playout_policies import load_policy
from ftk_core.match_moves import moves_of
from tools.review_calibration.calibration_matches import MIXES, play_matches
from tools.review_calibration.calibration_regression import CalibrationSample, fit_reliability, list_tenths
from tools.review_calibration.review_reliability_page import PAGE, write_page

PLAYOUTS = 50
"""Number of playouts (simulated matches) for each value, as many as a review uses for a position by default."""
POSITIONS = 20
"""Maximum number of positions of each match for which values are computed."""
HELD_OUT = (0, 1)
"""Match numbers modulo 5 that are left out of the fit, to check it."""


def collect_samples(name: str, seats: int, mix: str, matches: int) -> Iterator[CalibrationSample]:
    """Play matches of a mix of bots. At random positions of each match, yield a sample for every seat."""
    policy = load_policy(game(name), "", seats)
    for number, lines in enumerate(play_matches(name, seats, mix, range(matches))):
        moves, draw = moves_of(lines), Random(f"positions {number}")
        results, last = shares_of(moves.places), len(moves.moves) + 1
        for at in sorted(draw.sample(range(last - 1), min(POSITIONS, last - 1))):
            estimate = estimate_position(moves, moves.moves[at].before, policy, PLAYOUTS)
            for value, margin, result in zip(estimate.shares, estimate.margins, results, strict=True):
                yield CalibrationSample(mix, number, (at + 1) / last, float(value), float(margin), float(result))


def measure_reliability(name: str, seats: int, matches: int) -> PositionEstimateCalibration:
    """Play `matches` matches with each mix of bots. Return a correction of estimated results, fitted to the matches."""
    # The correction is fitted to three fifths of the matches and tested with the others (`tenths`).
    rules = game(name)
    samples = [sample for mix in MIXES for sample in collect_samples(name, seats, mix, matches)]
    fitted = [sample for sample in samples if sample.match % 5 not in HELD_OUT]
    others = [sample for sample in samples if sample.match % 5 in HELD_OUT]
    unknown = unknown_reliability(name, rules.version, seats, load_policy(rules, "", seats).name)
    reliability = fit_reliability(fitted, replace(unknown, matches=matches))
    return replace(reliability, tenths=list_tenths(others, reliability))


def write_table(reliabilities: Sequence[PositionEstimateCalibration]) -> None:
    """Write the calibrations into `reliability.json`, with a line for each game and number of seats."""
    lines = [msgspec.json.encode(one) for one in sorted(reliabilities, key=lambda one: (one.game, one.seats))]
    TABLE_FILE.write_bytes(b"[\n" + b",\n".join(lines) + b"\n]\n")


def main(words: Sequence[str]) -> None:
    """Calibrate the given games and numbers of seats.

    Writes reliability.json after each calibration, and docs/reliability.md at the end.
    """
    parser = argparse.ArgumentParser(description="Calibrate the values of reviews.")
    parser.add_argument("--game", choices=sorted(list_games()), nargs="+", default=sorted(list_games()))
    parser.add_argument("--seats", type=int, nargs="+", help="table sizes; by default all of the game")
    parser.add_argument("--matches", type=int, default=500, help="matches of each mix at each table size")
    chosen = parser.parse_args(words)
    table = {(one.game, one.seats): one for one in read_reliabilities()}
    for name in chosen.game:
        for seats in game(name).seats:
            if chosen.seats and seats not in chosen.seats:
                continue
            began = time.process_time()
            found = table[name, seats] = measure_reliability(name, seats, chosen.matches)
            held = sum(tenth.holds for tenth in found.tenths)
            print(f"{name} {seats}: {held} of {len(found.tenths)} tenths hold, {time.process_time() - began:.0f} s")
            write_table(list(table.values()))
    PAGE.write_text(write_page(list(table.values())), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
