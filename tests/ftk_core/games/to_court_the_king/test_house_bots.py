"""The bots of the house differ truly in strength."""

from __future__ import annotations

from ftk_core.kit.arena import Series, play_one, table


def test_whoever_builds_beats_whoever_grabs_and_both_beat_haste_and_chance() -> None:
    series = Series(game="to_court_the_king", bots=("builder", "greedy", "hasty", "random"), seed="strength")
    matches = [play_one(series, number) for number in range(12)]
    points = {line.bot: line.points for line in table(series, matches)}
    assert points["builder"] > points["greedy"] + 0.2
    assert points["greedy"] > points["hasty"] > points["random"]
    assert all(line.faults == 0 for line in table(series, matches))
