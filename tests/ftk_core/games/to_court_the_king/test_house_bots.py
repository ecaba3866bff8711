"""The bots of the house differ truly in strength."""

from __future__ import annotations

import pytest

from ftk_core.kit.arena import Series, fixture_of, names_of, play_one
from ftk_core.kit.scores import table


@pytest.mark.slow
def test_whoever_builds_beats_whoever_grabs_and_both_beat_haste_and_chance() -> None:
    series = Series(game="to_court_the_king", bots=("builder", "greedy", "hasty", "random"), seed="strength")
    matches = [play_one(series, fixture_of(series, number)) for number in range(12)]
    points = {line.bot: line.points for line in table(names_of(series.bots), matches)}
    assert points["builder"] > points["greedy"] + 0.2
    assert points["greedy"] > points["hasty"] > points["random"]
    assert all(line.faults == 0 for line in table(names_of(series.bots), matches))
