"""Two simulated hosts that play matches, and a third with database, broker and short tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.waiting import wait_for
from tools.multi_host_fleet.brokers import RedisBroker
from tools.multi_host_fleet.fleet_database_queries import MatchInProgress, find_host_of_match, find_match_of_host
from tools.multi_host_fleet.fleet_namespaces import FleetNamespaces
from tools.multi_host_fleet.fleet_processes import ArenaOnSimulatedHosts
from tools.multi_host_fleet.simulated_hosts import SimulatedHost

PATIENCE = 400.0
BEGUN = 20
"""Number of log entries after which a match counts as well begun and its host may be disturbed."""


@dataclass(frozen=True, slots=True)
class TwoHostFleet:
    """A site on simulated hosts: two hosts play matches, and a third runs everything else."""

    arena: ArenaOnSimulatedHosts
    first: SimulatedHost
    second: SimulatedHost

    def wait_for_match_in_progress(self, host: SimulatedHost) -> MatchInProgress:
        """Wait until a host is in the middle of a match, and return that match."""
        held = wait_for(
            lambda: find_match_of_host(self.arena, host.name, BEGUN),
            lambda: f"{host.name} plays; {self.read_output()}",
            PATIENCE,
        )
        assert held
        return held

    def disturb_during_match(
        self, host: SimulatedHost, strike: Callable[[], None], undo: Callable[[], None]
    ) -> MatchInProgress:
        """Disturb a host with `strike` while it is in the middle of a match. Return this match."""
        # If the match ended before the disturbance, `undo` reverts it for the next try.
        while True:
            held = self.wait_for_match_in_progress(host)
            strike()
            if find_host_of_match(self.arena, held.match) == (host.name, "playing"):
                return held
            undo()

    def restart(self) -> None:
        """Start the second simulated host again, with its match worker."""
        self.second.power_on()
        self.arena.play(self.second)

    def wait_until_resumed_by(self, match: str, host: SimulatedHost) -> None:
        """Wait until `host` has taken over a match. The match may have ended by then."""
        what = f"{host.name} goes on with {match}; {self.read_output()}"
        wait_for(lambda: find_host_of_match(self.arena, match)[0] == host.name, what, PATIENCE)

    def log(self, host: SimulatedHost) -> str:
        return self.arena.log(host, "matches").read_text()

    def read_output(self) -> str:
        return "\n".join(self.log(host)[-2000:] for host in (self.first, self.second))


@contextmanager
def play_on_two_hosts(var: Path, folder: Path, lease: int) -> Iterator[TwoHostFleet]:
    """Play the league that is stored in `var` on simulated hosts during the `with` block.

    `lease` is the time in seconds after which another worker may take a crashed worker's match. The broker's files are
    in `folder`.
    """
    with ExitStack() as stack:
        ground = stack.enter_context(FleetNamespaces())
        data, first, second = (SimulatedHost(ground, name, n + 1) for n, name in enumerate(("data", "first", "second")))
        for host in (data, first, second):
            stack.callback(host.power_off)
        broker = RedisBroker(data, folder / "broker")
        broker.start()
        arena = ArenaOnSimulatedHosts(var, data, FTK_LEASE_SECONDS=str(lease), **broker.urls)
        stack.callback(data.end, "postgres")
        arena.start_house_worker(data)
        arena.play(first)
        arena.play(second)
        yield TwoHostFleet(arena, first, second)
