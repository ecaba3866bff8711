"""A fleet of hosts with addresses of their own: a league ends as on one machine, also after failures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.arena import Arena as OneMachine
from tests.support.prepared_leagues import LeagueSize, copy_folder, is_league_closed, prepare_league, query_database
from tests.support.waiting import wait_for
from tools.multi_host_fleet.fleet_database_queries import comparable_outcome
from tools.multi_host_fleet.two_host_fleet import PATIENCE, TwoHostFleet, play_on_two_hosts

SIZE = LeagueSize(bots=6, rounds=1, games=2, seconds=0.04)
ONCE = "SELECT count(*), count(DISTINCT id) FROM replays_match WHERE status = 'closed'"
TRIED = "SELECT id FROM replays_match WHERE attempts > 1"


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that waits for workers."""
    return prepare_league(tmp_path_factory.mktemp("league") / "var", SIZE)


@pytest.fixture(scope="module")
def expected(league: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Outcome of the league on one undisturbed machine."""
    calm = OneMachine(copy_folder(league, tmp_path_factory.mktemp("calm") / "var"), "--workers", "2", FTK_METERED="0")
    try:
        wait_for(lambda: is_league_closed(calm), lambda: f"the end of the calm league; {calm.read_output()}", PATIENCE)
        return comparable_outcome(calm)
    finally:
        calm.process.kill()
        calm.process.wait()


@pytest.fixture
def fleet(league: Path, tmp_path: Path) -> Iterator[TwoHostFleet]:
    with play_on_two_hosts(copy_folder(league, tmp_path / "var"), tmp_path, lease=3) as pair:
        yield pair


def test_a_league_on_two_hosts_with_a_disconnected_and_a_dead_host_ends_like_on_a_single_machine(
    fleet: TwoHostFleet, expected: dict[str, Any]
) -> None:
    lost = fleet.disturb_during_match(fleet.first, fleet.first.cut_off, fleet.first.reconnect)
    fleet.wait_until_resumed_by(lost.match, fleet.second)
    fleet.first.reconnect()
    # the disconnected host plays on as if it still held the match, and its next page is refused
    refused = f"event='match_lost' match='{lost.match}'"
    wait_for(
        lambda: refused in fleet.log(fleet.first), lambda: f"the first is refused; {fleet.read_output()}", PATIENCE
    )
    taken = fleet.disturb_during_match(fleet.second, fleet.second.power_off, fleet.restart)
    fleet.wait_until_resumed_by(taken.match, fleet.first)
    wait_for(lambda: is_league_closed(fleet.arena), lambda: f"the end of the league; {fleet.read_output()}", PATIENCE)
    found = comparable_outcome(fleet.arena)
    for part, value in expected.items():
        assert found[part] == value, part
    assert query_database(fleet.arena, ONCE) == [(SIZE.matches, SIZE.matches)], "a match was lost, or played twice"
    assert {lost.match, taken.match} <= {row[0] for row in query_database(fleet.arena, TRIED)}
