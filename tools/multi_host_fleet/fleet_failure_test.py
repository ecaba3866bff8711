"""Test of a site on several simulated hosts that fail while a league is played."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.prepared_leagues import build_environment, is_league_closed, query_database
from tests.support.waiting import until, wait_for
from tools.multi_host_fleet import reverse_proxy
from tools.multi_host_fleet.brokers import BrokerOnSimulatedHost
from tools.multi_host_fleet.fleet_database_queries import MatchInProgress, find_host_of_match, find_match_of_host
from tools.multi_host_fleet.fleet_namespaces import FleetNamespaces
from tools.multi_host_fleet.fleet_processes import OURS, WEB, ArenaOnSimulatedHosts, SoftwareVersion
from tools.multi_host_fleet.lossy_links import degrade_links
from tools.multi_host_fleet.simulated_hosts import SimulatedHost

PATIENCE = 900.0
AT_ONCE = 4
"""Number of matches that a host plays at the same time."""
CUT_SECONDS, AWAY_SECONDS, BAD_SECONDS = 30.0, 10.0, 40.0
DELAY_MS, LOSS = 50, 0.01
BEGUN = 10
PLENTY = {
    f"FTK_{word}": many
    for word, many in {
        **dict.fromkeys(("GATE_SOCKETS_EACH", "GATE_CONNECTIONS_EACH", "GATE_CONNECTIONS"), "100000"),
        **dict.fromkeys(("THROTTLE_REQUEST", "THROTTLE_ANONYMOUS"), "1000000/min"),
    }.items()
}
"""Environment that lifts the limits per client address, because all subscribers share one address."""
CLOSED = "SELECT count(*)::int FROM replays_match WHERE status = 'closed'"
EARLIER = "SELECT count(*)::int FROM replays_match WHERE status <> 'closed' AND build = '{build}'"
HOSTS = ("data", "gate", "web1", "web2", "worker1", "worker2", "worker3", "visitors")
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetFailureRun:
    """Site on several simulated hosts, with a method for each kind of failure."""

    ground: FleetNamespaces
    hosts: dict[str, SimulatedHost]
    arena: ArenaOnSimulatedHosts
    broker: BrokerOnSimulatedHost
    report: Path
    later: SoftwareVersion
    """The software version to which all hosts are upgraded."""
    earlier_build: str
    say: Say

    def read_subscriber_report(self) -> dict[str, Any]:
        """Return the current report of the subscribers (see `tools.multi_host_fleet.websocket_subscribers`)."""
        with suppress(FileNotFoundError):
            found: dict[str, Any] = json.loads(self.report.read_text())
            return found
        return {"done": False, "counts": {}}

    def until(self, look: Callable[[], object], what: str) -> None:
        """Call a function until it returns a true value. Raises AssertionError after a timeout."""
        # It also fails if the process of the subscribers has ended.
        wait_for(lambda: look() or not self.hosts["visitors"].runs("crowd"), what, PATIENCE)
        assert look() or self.hosts["visitors"].runs("crowd"), "the crowd died"

    def _disturb_during_match(
        self, host: SimulatedHost, strike: Callable[[], None], undo: Callable[[], None]
    ) -> MatchInProgress:
        """Disturb a host with `strike` while it is in the middle of a match. Return this match."""
        # If the match ended before the disturbance, `undo` reverts it for the next try.
        while True:
            assert not is_league_closed(self.arena), f"the league was over before {host.name} was struck"
            self.until(lambda: find_match_of_host(self.arena, host.name, BEGUN), f"{host.name} plays")
            held = find_match_of_host(self.arena, host.name, BEGUN)
            strike()
            if held and find_host_of_match(self.arena, held.match) == (host.name, "playing"):
                return held
            undo()

    def _wait_until_resumed(self, match: str, host: SimulatedHost) -> None:
        what = f"another than {host.name} goes on with {match}"
        self.until(lambda: find_host_of_match(self.arena, match)[0] != host.name, what)

    def _restart(self, host: SimulatedHost) -> None:
        host.power_on()
        self.arena.play(host, AT_ONCE)

    def cut_power_of_worker(self) -> str:
        """Power off a host during a match, and restart it later. Return a sentence for the report."""
        # The restart waits until another host has resumed the match.
        host = self.hosts["worker1"]
        held = self._disturb_during_match(host, host.power_off, lambda: self._restart(host))
        began = time.monotonic()
        self._wait_until_resumed(held.match, host)
        self._restart(host)
        return f"its match was gone on with after {time.monotonic() - began:.0f} s"

    def cut(self) -> str:
        """Disconnect a host during a match, and reconnect it later. Return a sentence for the report."""
        # Another host has resumed the match by then. Wait until the host notices that it has lost the match.
        host = self.hosts["worker2"]
        held = self._disturb_during_match(host, host.cut_off, host.reconnect)
        began = time.monotonic()
        self._wait_until_resumed(held.match, host)
        taken = time.monotonic() - began
        until(began + CUT_SECONDS)
        host.reconnect()
        back, log = time.monotonic(), self.arena.log(host, "matches")
        self.until(lambda: f"event='match_lost' match='{held.match}'" in log.read_text(), "the match is lost to it")
        return f"gone on with after {taken:.0f} s; refused {time.monotonic() - back:.0f} s after its return"

    def kill_and_restart_broker(self) -> str:
        """Restart the message broker without its messages, and wait until further matches have ended."""
        self.broker.kill()
        until(time.monotonic() + AWAY_SECONDS)
        self.broker.start()
        ((before,),) = query_database(self.arena, CLOSED)
        began = time.monotonic()
        more = AT_ONCE * 3 + 1  # more than the matches in progress, so that new ones must have begun
        self.until(
            lambda: query_database(self.arena, CLOSED)[0][0] >= before + more or is_league_closed(self.arena),
            "matches go on",
        )
        return f"{more} more matches ended within {time.monotonic() - began:.0f} s of its return"

    def cut_power_of_web_host(self) -> str:
        """Power off a web host, and wait until ten of its subscribers have reconnected."""
        host, before = self.hosts["web2"], self.read_subscriber_report()["counts"].get("redialled", 0)
        host.power_off()
        began = time.monotonic()
        self.until(
            lambda: self.read_subscriber_report()["counts"].get("redialled", 0) >= before + 10, "watchers dial again"
        )
        taken = time.monotonic() - began
        host.power_on()
        self.serve(host, OURS)
        return f"the first watchers dialled again after {taken:.0f} s"

    def degrade_all_links(self) -> str:
        """Delay and drop network frames of all hosts for at least `BAD_SECONDS`, and until a match has ended.

        Return the name of the technique that delays and drops the frames, for the report.
        """
        ((before,),) = query_database(self.arena, CLOSED)
        with degrade_links(self.ground, list(self.hosts.values()), DELAY_MS, LOSS) as how:
            until(time.monotonic() + BAD_SECONDS)
            self.until(
                lambda: query_database(self.arena, CLOSED)[0][0] > before or is_league_closed(self.arena),
                "a match ends",
            )
        return how

    def upgrade_all_hosts(self) -> str:
        """Upgrade web and worker hosts one by one. Return a sentence for the report."""
        # Each worker finishes its running matches before its upgrade.
        assert not is_league_closed(self.arena), "the league was over before the new version came"
        began = time.monotonic()
        for name in ("web1", "web2"):
            for role in ("beat", "house", "web"):
                self.hosts[name].end(role)
            self.serve(self.hosts[name], self.later)
        for name in ("worker1", "worker2", "worker3"):
            self.hosts[name].end("matches", signal.SIGINT, PATIENCE)
            self.arena.play(self.hosts[name], AT_ONCE, self.later)
        ((left,),) = query_database(self.arena, EARLIER.format(build=self.earlier_build))
        assert left == 0, f"{left} matches wait for a build that nobody has"
        return f"five hosts in {time.monotonic() - began:.0f} s, nothing left for the earlier build"

    def serve(self, host: SimulatedHost, software: SoftwareVersion) -> None:
        """Start the web server, the worker for short tasks (``house``) and Celery beat on a host."""
        self.arena.serve(host, software)
        self.arena.start_house_worker(host, software)


HAPPENINGS: dict[str, Callable[[FleetFailureRun], str]] = {
    "a worker host loses power": FleetFailureRun.cut_power_of_worker,
    f"a worker host is cut off for {CUT_SECONDS:.0f} s": FleetFailureRun.cut,
    "the broker is killed": FleetFailureRun.kill_and_restart_broker,
    "a web host loses power": FleetFailureRun.cut_power_of_web_host,
    f"{DELAY_MS} ms of delay and {LOSS:.0%} loss": FleetFailureRun.degrade_all_links,
    "another version is rolled over all hosts": FleetFailureRun.upgrade_all_hosts,
}


def start_fleet(
    stack: ExitStack, var: Path, kind: type[BrokerOnSimulatedHost], watchers: int, words: dict[str, Any]
) -> FleetFailureRun:
    """Start a site on several simulated hosts, and subscribers that follow its matches. Return the running site.

    `kind` is the class of the message broker. `words` are further arguments of `FleetFailureRun`. The hosts are powered
    off when `stack` is closed.
    """
    ground = stack.enter_context(FleetNamespaces())
    hosts: dict[str, SimulatedHost] = {}
    for number, name in enumerate(HOSTS):
        hosts[name] = SimulatedHost(ground, name, number + 1)
        stack.callback(hosts[name].power_off)
    broker = kind(hosts["data"], var.parent / "broker")
    broker.start()
    more = {"FTK_PROXIES": "1", "ALLOWED_HOSTS": "*", "BOT_CAGE": os.environ["BOT_CAGE"], **PLENTY, **broker.urls}
    arena = ArenaOnSimulatedHosts(var, hosts["data"], **more)
    stack.callback(hosts["data"].end, "postgres")
    report = var.parent / "report.json"
    run = FleetFailureRun(ground=ground, hosts=hosts, arena=arena, broker=broker, report=report, **words)
    webs = [hosts["web1"], hosts["web2"]]
    for host in webs:
        run.serve(host, OURS)
    entrance = reverse_proxy.start(hosts["gate"], var.parent / "gate", [f"{host.address}:{WEB}" for host in webs])
    crowd = [sys.executable, "-m", "tools.multi_host_fleet.websocket_subscribers", entrance, str(watchers), str(report)]
    hosts["visitors"].start("crowd", crowd, log=var.parent / "crowd.log", env=build_environment(var))
    for name in ("worker1", "worker2", "worker3"):
        arena.play(hosts[name], AT_ONCE)
    return run


def play_disturbed_league(run: FleetFailureRun, watchers: int) -> None:
    """Apply all disturbances in turn, and wait until league and subscribers are done."""
    most = 0.9 * watchers
    run.until(lambda: run.read_subscriber_report()["counts"].get("watching", 0) >= most, "nearly all watch")
    run.say(f"  {run.read_subscriber_report()['counts']['watching']} of {watchers} watch")
    for name, happen in HAPPENINGS.items():
        run.say(f"  {name}: {happen(run)} ({query_database(run.arena, CLOSED)[0][0]} matches ended)")
    run.until(lambda: is_league_closed(run.arena), "the end of the league")
    run.hosts["visitors"].send("crowd", signal.SIGTERM)
    wait_for(lambda: run.read_subscriber_report()["done"], "all have seen their matches to the end", PATIENCE)
