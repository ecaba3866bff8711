"""The whole fleet: a league on three hosts, watched through a proxy before two, while everything happens to them."""

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

from tests.support.fleet import proxy
from tests.support.fleet.brokers import HostedBroker
from tests.support.fleet.cable import bad_cables
from tests.support.fleet.ground import Ground
from tests.support.fleet.hosts import Host
from tests.support.fleet.ledger import Holding, held_by, holder_of
from tests.support.fleet.roles import OURS, WEB, Arena, Software
from tests.support.prepared import asked, ended, environment
from tests.support.waiting import until, wait_for

PATIENCE = 900.0
AT_ONCE = 4
"""Matches that a host plays at the same time."""
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
"""The whole crowd is at one address."""
CLOSED = "SELECT count(*)::int FROM replays_match WHERE status = 'closed'"
EARLIER = "SELECT count(*)::int FROM replays_match WHERE status <> 'closed' AND build = '{build}'"
HOSTS = ("data", "gate", "web1", "web2", "worker1", "worker2", "worker3", "visitors")
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A fleet that plays, and what happens to it, one thing after the other."""

    ground: Ground
    hosts: dict[str, Host]
    arena: Arena
    broker: HostedBroker
    report: Path
    later: Software
    """The version that is rolled over all hosts."""
    earlier_build: str
    say: Say

    def watched(self) -> dict[str, Any]:
        """Return what the crowd says of itself."""
        with suppress(FileNotFoundError):
            found: dict[str, Any] = json.loads(self.report.read_text())
            return found
        return {"done": False, "counts": {}}

    def until(self, look: Callable[[], object], what: str) -> None:
        """Wait for something; raises AssertionError where the crowd or the time is over."""
        wait_for(lambda: look() or not self.hosts["visitors"].runs("crowd"), what, PATIENCE)
        assert look() or self.hosts["visitors"].runs("crowd"), "the crowd died"

    def _struck(self, host: Host, strike: Callable[[], None], undo: Callable[[], None]) -> Holding:
        """Strike a host in the midst of a match, and return that; once more if the match was quicker."""
        while True:
            assert not ended(self.arena), f"the league was over before {host.name} was struck"
            self.until(lambda: held_by(self.arena, host.name, BEGUN), f"{host.name} plays")
            held = held_by(self.arena, host.name, BEGUN)
            strike()
            if held and holder_of(self.arena, held.match) == (host.name, "playing"):
                return held
            undo()

    def _gone_on(self, match: str, host: Host) -> None:
        what = f"another than {host.name} goes on with {match}"
        self.until(lambda: holder_of(self.arena, match)[0] != host.name, what)

    def _restart(self, host: Host) -> None:
        host.power_on()
        self.arena.play(host, AT_ONCE)

    def power_loss(self) -> str:
        """Take the power from a host that plays, and give it back."""
        host = self.hosts["worker1"]
        held = self._struck(host, host.power_off, lambda: self._restart(host))
        began = time.monotonic()
        self._gone_on(held.match, host)
        self._restart(host)
        return f"its match was gone on with after {time.monotonic() - began:.0f} s"

    def cut(self) -> str:
        """Cut a host off that plays; it comes back in the belief that it still holds its match."""
        host = self.hosts["worker2"]
        held = self._struck(host, host.cut_off, host.reconnect)
        began = time.monotonic()
        self._gone_on(held.match, host)
        taken = time.monotonic() - began
        until(began + CUT_SECONDS)
        host.reconnect()
        back, log = time.monotonic(), self.arena.log(host, "matches")
        self.until(lambda: f"event='match_lost' match='{held.match}'" in log.read_text(), "the match is lost to it")
        return f"gone on with after {taken:.0f} s; refused {time.monotonic() - back:.0f} s after its return"

    def broker_killed(self) -> str:
        """Kill the broker, which comes back empty; matches that are begun meanwhile need it."""
        self.broker.kill()
        until(time.monotonic() + AWAY_SECONDS)
        self.broker.start()
        ((before,),) = asked(self.arena, CLOSED)
        began = time.monotonic()
        more = AT_ONCE * 3 + 1  # more than were being played
        self.until(lambda: asked(self.arena, CLOSED)[0][0] >= before + more or ended(self.arena), "matches go on")
        return f"{more} more matches ended within {time.monotonic() - began:.0f} s of its return"

    def web_loss(self) -> str:
        """Take the power from a web host; its watchers are told nothing, and come back by the proxy."""
        host, before = self.hosts["web2"], self.watched()["counts"].get("redialled", 0)
        host.power_off()
        began = time.monotonic()
        self.until(lambda: self.watched()["counts"].get("redialled", 0) >= before + 10, "watchers dial again")
        taken = time.monotonic() - began
        host.power_on()
        self.serve(host, OURS)
        return f"the first watchers dialled again after {taken:.0f} s"

    def bad_cables(self) -> str:
        """Let what all hosts send come late, and some of it never."""
        ((before,),) = asked(self.arena, CLOSED)
        with bad_cables(self.ground, list(self.hosts.values()), DELAY_MS, LOSS) as how:
            until(time.monotonic() + BAD_SECONDS)
            self.until(lambda: asked(self.arena, CLOSED)[0][0] > before or ended(self.arena), "a match ends")
        return how

    def rolled(self) -> str:
        """Roll another version over all hosts, one by one; each worker ends what it began."""
        assert not ended(self.arena), "the league was over before the new version came"
        began = time.monotonic()
        for name in ("web1", "web2"):
            for role in ("beat", "house", "web"):
                self.hosts[name].end(role)
            self.serve(self.hosts[name], self.later)
        for name in ("worker1", "worker2", "worker3"):
            self.hosts[name].end("matches", signal.SIGINT, PATIENCE)
            self.arena.play(self.hosts[name], AT_ONCE, self.later)
        ((left,),) = asked(self.arena, EARLIER.format(build=self.earlier_build))
        assert left == 0, f"{left} matches wait for a build that nobody has"
        return f"five hosts in {time.monotonic() - began:.0f} s, nothing left for the earlier build"

    def serve(self, host: Host, software: Software) -> None:
        """Let a host be a web host: with the house and the clock."""
        self.arena.serve(host, software)
        self.arena.keep_house(host, software)


HAPPENINGS: dict[str, Callable[[Course], str]] = {
    "a worker host loses power": Course.power_loss,
    f"a worker host is cut off for {CUT_SECONDS:.0f} s": Course.cut,
    "the broker is killed": Course.broker_killed,
    "a web host loses power": Course.web_loss,
    f"{DELAY_MS} ms of delay and {LOSS:.0%} loss": Course.bad_cables,
    "another version is rolled over all hosts": Course.rolled,
}


def opened(stack: ExitStack, var: Path, kind: type[HostedBroker], watchers: int, words: dict[str, Any]) -> Course:
    """Start a fleet on a prepared league, with a crowd that watches."""
    ground = stack.enter_context(Ground())
    hosts: dict[str, Host] = {}
    for number, name in enumerate(HOSTS):
        hosts[name] = Host(ground, name, number + 1)
        stack.callback(hosts[name].power_off)
    broker = kind(hosts["data"], var.parent / "broker")
    broker.start()
    more = {"FTK_PROXIES": "1", "ALLOWED_HOSTS": "*", "BOT_CAGE": os.environ["BOT_CAGE"], **PLENTY, **broker.urls}
    arena = Arena(var, hosts["data"], **more)
    stack.callback(hosts["data"].end, "postgres")
    report = var.parent / "report.json"
    course = Course(ground=ground, hosts=hosts, arena=arena, broker=broker, report=report, **words)
    webs = [hosts["web1"], hosts["web2"]]
    for host in webs:
        course.serve(host, OURS)
    entrance = proxy.start(hosts["gate"], var.parent / "gate", [f"{host.address}:{WEB}" for host in webs])
    crowd = [sys.executable, "-m", "tests.support.fleet.crowd", entrance, str(watchers), str(report)]
    hosts["visitors"].start("crowd", crowd, log=var.parent / "crowd.log", env=environment(var))
    for name in ("worker1", "worker2", "worker3"):
        arena.play(hosts[name], AT_ONCE)
    return course


def play(course: Course, watchers: int) -> None:
    """Let everything happen, and the league and its watchers come to their end."""
    most = 0.9 * watchers
    course.until(lambda: course.watched()["counts"].get("watching", 0) >= most, "nearly all watch")
    course.say(f"  {course.watched()['counts']['watching']} of {watchers} watch")
    for name, happen in HAPPENINGS.items():
        course.say(f"  {name}: {happen(course)} ({asked(course.arena, CLOSED)[0][0]} matches ended)")
    course.until(lambda: ended(course.arena), "the end of the league")
    course.hosts["visitors"].send("crowd", signal.SIGTERM)
    wait_for(lambda: course.watched()["done"], "all have seen their matches to the end", PATIENCE)
