"""Seconds from the upload of a bot to its first rating on a ladder of 40 bouts an hour."""

from __future__ import annotations

import os
import time
from pathlib import Path
from statistics import median

from ftk_core.kit.built_in_bots import list_built_in_bots
from tests.support.town import Town
from tests.support.waiting import wait_for
from tools.bench.workload_speed_comparison import BenchmarkResult

UPLOADS = 5
RATE = "40"


def test_the_time_from_upload_to_first_rating_is_compared_with_the_duration_of_the_trial_match(
    figures: list[BenchmarkResult], tmp_path: Path
) -> None:
    town = Town(tmp_path / "var", FTK_LADDER_RATE=RATE)
    try:
        town.arena.wait_until_open()
        house, ada = town.manage("token", "house"), town.manage("token", "ada")
        hold20 = str(list_built_in_bots("pig")["hold20"])
        for bot in ("one", "two", "three"):
            town.ftk("upload", "pig", hold20, "--bot", bot, FTK_TOKEN=house)
        wait_for(lambda: all(map(town.is_rated, ("one", "two", "three"))), "the field is rated", 180)
        tried, rated = [], []
        for number in range(UPLOADS):
            began = time.monotonic()
            assert "active" in town.ftk("upload", "pig", hold20, "--bot", f"new-{number}", FTK_TOKEN=ada)
            tried.append(time.monotonic() - began)
            wait_for(lambda number=number: town.is_rated(f"new-{number}"), "it is rated", 180)  # type: ignore[misc]  # a lambda's default
            rated.append(time.monotonic() - began)
    finally:
        town.close()
    ratio = median(all_ / trial for all_, trial in zip(rated, tried, strict=True))
    name = f"upload to first rating, s (slowest {max(rated):.1f}, load {os.getloadavg()[0]:.0f})"
    figures.append(
        BenchmarkResult(name, median(rated), median(tried), ratio, "upload to the end of the trial", "<= 10 s")
    )
