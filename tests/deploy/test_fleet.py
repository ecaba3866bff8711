"""Hosts with addresses of their own play a league that ends as on one machine, whatever befalls them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.arena import Arena as OneMachine
from tests.support.fleet.brokers import Redis
from tests.support.fleet.ground import Ground
from tests.support.fleet.hosts import Host
from tests.support.fleet.ledger import Holding, compared, held_by, holder_of
from tests.support.fleet.roles import Arena
from tests.support.prepared import Size, asked, copied, ended, prepared
from tests.support.waiting import wait_for

SIZE = Size(bots=6, rounds=1, games=2, seconds=0.04)
PATIENCE = 400.0
BEGUN = 20
"""A match is cut off once it has so many entries."""
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


@dataclass(frozen=True, slots=True)
class Fleet:
    """A host with the database, the broker and the house, and two that play."""

    arena: Arena
    first: Host
    second: Host

    def midst(self, host: Host) -> Holding:
        """Wait until a host is in the midst of a match, and return that."""
        held = wait_for(lambda: held_by(self.arena, host.name, BEGUN), f"{host.name} plays; {self.said()}", PATIENCE)
        assert held
        return held

    def struck(self, host: Host, strike: Callable[[], None], undo: Callable[[], None]) -> Holding:
        """Strike a host in the midst of a match, and return that; once more if the match was quicker."""
        while True:
            held = self.midst(host)
            strike()
            if holder_of(self.arena, held.match) == (host.name, "playing"):
                return held
            undo()

    def restart(self) -> None:
        """Give the second its power back."""
        self.second.power_on()
        self.arena.play(self.second)

    def gone_on(self, match: str, host: Host) -> None:
        """Wait until a host has taken a match up, or even ended it."""
        what = f"{host.name} goes on with {match}; {self.said()}"
        wait_for(lambda: holder_of(self.arena, match)[0] == host.name, what, PATIENCE)

    def log(self, host: Host) -> str:
        return self.arena.log(host, "matches").read_text()

    def said(self) -> str:
        return "\n".join(self.log(host)[-2000:] for host in (self.first, self.second))


@pytest.fixture
def fleet(league: Path, tmp_path: Path) -> Iterator[Fleet]:
    with ExitStack() as stack:
        ground = stack.enter_context(Ground())
        data, first, second = (Host(ground, name, n + 1) for n, name in enumerate(("data", "first", "second")))
        for host in (data, first, second):
            stack.callback(host.power_off)
        broker = Redis(data, tmp_path / "broker")
        broker.start()
        arena = Arena(copied(league, tmp_path / "var"), data, FTK_LEASE_SECONDS="3", **broker.urls)
        stack.callback(data.end, "postgres")
        arena.keep_house(data)
        arena.play(first)
        arena.play(second)
        yield Fleet(arena, first, second)


def test_a_league_ends_as_on_one_machine_though_a_host_is_cut_off_and_another_loses_power(
    fleet: Fleet, expected: dict[str, Any]
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
