"""Hosts with addresses of their own play a league that ends as on one machine, whatever befalls them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.arena import Arena as OneMachine
from tests.support.fleet.ledger import compared
from tests.support.fleet.pair import PATIENCE, Pair, two_hosts
from tests.support.prepared import Size, asked, copied, ended, prepared
from tests.support.waiting import wait_for

SIZE = Size(bots=6, rounds=1, games=2, seconds=0.04)
ONCE = "SELECT count(*), count(DISTINCT id) FROM replays_match WHERE status = 'closed'"
TRIED = "SELECT id FROM replays_match WHERE attempts > 1"


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that waits for workers."""
    return prepared(tmp_path_factory.mktemp("league") / "var", SIZE)


@pytest.fixture(scope="module")
def expected(league: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How it ends on one machine that nothing befalls."""
    calm = OneMachine(copied(league, tmp_path_factory.mktemp("calm") / "var"), "--workers", "2", FTK_METERED="0")
    try:
        wait_for(lambda: ended(calm), f"the end of the calm league; {calm.said()}", PATIENCE)
        return compared(calm)
    finally:
        calm.process.kill()
        calm.process.wait()


@pytest.fixture
def fleet(league: Path, tmp_path: Path) -> Iterator[Pair]:
    with two_hosts(copied(league, tmp_path / "var"), tmp_path, lease=3) as pair:
        yield pair


def test_a_league_ends_as_on_one_machine_though_a_host_is_cut_off_and_another_loses_power(
    fleet: Pair, expected: dict[str, Any]
) -> None:
    lost = fleet.struck(fleet.first, fleet.first.cut_off, fleet.first.reconnect)
    fleet.gone_on(lost.match, fleet.second)
    fleet.first.reconnect()
    # it plays on in the belief that the match is its own, and is refused at its next page
    refused = f"event='match_lost' match='{lost.match}'"
    wait_for(lambda: refused in fleet.log(fleet.first), f"the first is refused; {fleet.said()}", PATIENCE)
    taken = fleet.struck(fleet.second, fleet.second.power_off, fleet.restart)
    fleet.gone_on(taken.match, fleet.first)
    wait_for(lambda: ended(fleet.arena), f"the end of the league; {fleet.said()}", PATIENCE)
    found = compared(fleet.arena)
    for part, value in expected.items():
        assert found[part] == value, part
    assert asked(fleet.arena, ONCE) == [(SIZE.matches, SIZE.matches)], "a match was lost, or played twice"
    assert {lost.match, taken.match} <= {row[0] for row in asked(fleet.arena, TRIED)}
