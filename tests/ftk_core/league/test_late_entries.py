"""Late entries: the mean points of the other entries for the missed rounds; matches that a table does not have."""

from __future__ import annotations

import pytest

from ftk_core.league.event_audit import LeagueEventStreamAudit
from ftk_core.league.league_command_handlers import record
from ftk_core.league.league_state import CommandRejected
from tests.support.stages import LeagueRun, stage

ENTRIES_WITH_A_BYE = 7
"""Number of entries whose round gives 4 points in all: three for the matches, and one for the bye."""


def enter_around_the_first_result(closed_rounds: int, rules: int = 2) -> list[str]:
    """Return the points granted to two bots that enter before and after the first result of an open round."""
    run = LeagueRun(stage("swiss", rounds=4), entries=ENTRIES_WITH_A_BYE, late=4, granted="mean", rules=rules)
    for _ in range(closed_rounds):
        run.pair()
        run.play()
    run.pair()
    run.enter()
    run.append(*record(run.league, run.results()[0]))
    run.enter()
    run.append(*record(run.league, *run.results()))
    run.finish()
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []
    return [entrant.points for entrant in run.league.entrants[ENTRIES_WITH_A_BYE:]]


@pytest.mark.parametrize("game", [-1, 2, 3])
def test_a_match_beyond_those_of_its_table_is_refused_by_number(game: int) -> None:
    run = LeagueRun(stage("swiss", rounds=2, games=2), entries=4)
    run.pair()
    assert [run.league.table_of((1, 1, number)).number for number in (0, 1)] == [1, 1]
    with pytest.raises(CommandRejected):
        run.league.table_of((1, 1, game))


@pytest.mark.parametrize(("closed_rounds", "points"), [(1, "8/7"), (2, "12/7")])
def test_a_late_entry_gets_the_mean_points_per_closed_round_for_each_missed_round_and_for_the_current_round(
    closed_rounds: int, points: str
) -> None:
    assert enter_around_the_first_result(closed_rounds) == [points, points]


def test_a_late_entry_gets_half_a_win_for_the_first_round_as_long_as_it_is_open() -> None:
    assert enter_around_the_first_result(0) == ["1/2", "1/2"]


def test_league_rules_version_1_grants_a_late_entry_the_mean_points_of_all_entries_at_that_time() -> None:
    assert enter_around_the_first_result(0, rules=1) == ["0", "1/8"]


def test_a_late_entry_between_two_rounds_gets_the_mean_points_of_the_others() -> None:
    run = LeagueRun(stage("swiss", rounds=3), entries=ENTRIES_WITH_A_BYE, late=3, granted="mean")
    run.pair()
    run.play()
    run.enter()
    run.enter()
    assert [entrant.points for entrant in run.league.entrants[ENTRIES_WITH_A_BYE:]] == ["4/7", "4/7"]
