"""The built-in bots differ in strength."""

from __future__ import annotations

import pytest

from ftk_core.kit.match_series.local_matches import MatchSeries, create_series_match, names_of, play_one
from ftk_core.kit.match_series.series_statistics import compute_statistics

pytestmark = pytest.mark.slow


def test_the_builder_bot_beats_the_greedy_bot_which_beats_the_hasty_and_the_random_bot() -> None:
    series = MatchSeries(game="to_court_the_king", bots=("builder", "greedy", "hasty", "random"), seed="strength")
    matches = [play_one(series, create_series_match(series, number)) for number in range(12)]
    points = {line.bot: line.points for line in compute_statistics(names_of(series.bots), matches)}
    assert points["builder"] > points["greedy"] + 0.2
    assert points["greedy"] > points["hasty"] > points["random"]
    assert all(line.faults == 0 for line in compute_statistics(names_of(series.bots), matches))
