"""Two hosts that play matches, and a third with all that they have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.fleet.brokers import Redis
from tests.support.fleet.ground import Ground
from tests.support.fleet.hosts import Host
from tests.support.fleet.ledger import Holding, held_by, holder_of
from tests.support.fleet.roles import Arena
from tests.support.waiting import wait_for

PATIENCE = 400.0
BEGUN = 20
"""A match is cut off once it has so many entries."""


@dataclass(frozen=True, slots=True)
class Pair:
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


@contextmanager
def two_hosts(var: Path, folder: Path, lease: int) -> Iterator[Pair]:
    """Let two hosts play a prepared league, with leases of so many seconds."""
    with ExitStack() as stack:
        ground = stack.enter_context(Ground())
        data, first, second = (Host(ground, name, n + 1) for n, name in enumerate(("data", "first", "second")))
        for host in (data, first, second):
            stack.callback(host.power_off)
        broker = Redis(data, folder / "broker")
        broker.start()
        arena = Arena(var, data, FTK_LEASE_SECONDS=str(lease), **broker.urls)
        stack.callback(data.end, "postgres")
        arena.keep_house(data)
        arena.play(first)
        arena.play(second)
        yield Pair(arena, first, second)
