"""The processes of an arena: what is to run, and how each is started."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deploy.supervisor.alone import HOST
from deploy.supervisor.processes import Process

BEAT_SCHEDULE = "FTK_BEAT_SCHEDULE"
"""The variable that has one worker be the clock, too: the file that keeps when things were due."""
SEATED, POOLED = "100", "40"
"""Matches with outside seats that are played at the same time, each in a thread that mostly waits, and the connections
to the database that these share."""
OUTSIDE_POOLED = "4"
"""Connections that the threads share which wait for other people's servers."""
SOLE_POOLED = "16"
"""Connections to the database of a web process that is the only one."""
WEB_POOLED, LEAST_POOLED = 32, 2
"""The connections to the database that several web processes divide, and what each has at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to run."""

    var: Path
    """Where logs and data are kept."""
    database_url: str | None
    """A server that runs already; None means our own."""
    port: int = 8000
    workers: int = 2
    """Matches played at the same time."""
    web: int = 1
    """Processes of the web server, which share the port."""
    demo: Sequence[str] | None = None
    """The demo's own arguments, if it is to be played."""
    leave_after_demo: bool = False
    metrics_port: int = 0
    """Where the first worker tells what it counts, the others at the ports behind it; 0 is nowhere."""


@dataclass(slots=True, kw_only=True)
class Role:
    """A child that is always to be there."""

    name: str
    command: Sequence[str]
    """What to run: this Python, ``-m``, a module, its arguments."""
    runs_bots: bool = False
    """It starts what strangers wrote, and so is never root."""
    mails: bool = False
    """It writes mail on our terminal where no server for mail is named."""
    env: Mapping[str, str] = field(default_factory=dict)
    """What it is told beside what all are told."""
    process: Process | None = None
    started: float = 0.0
    failures: int = 0
    deaths: int = 0
    """The number of times that its process has ended."""
    due: float = 0.0
    """When it is to be started again."""


def roles(plan: Plan) -> list[Role]:
    """Return the children in the order in which they are started; they are stopped in reverse."""
    python = [sys.executable, "-m"]
    worker = [*python, "celery", "--quiet", "-A", "deploy.celery:app", "worker", "--loglevel=WARNING"]
    worker += ["--without-mingle", "--without-gossip", "--without-heartbeat"]
    prefork, threads = ["-P", "prefork", "-c"], ["-P", "threads", "-c", "8"]
    matches = [*worker, "-n", "matches@%h", "-Q", "league,friendly,ladder", *prefork, str(plan.workers)]
    at_trial = plan.workers // 2
    trials = [*worker, "-n", "trials@%h", "-Q", "trials,audits"]
    trials += [*prefork, str(at_trial)] if at_trial > 1 else ["-P", "solo"]
    reviews = [*worker, "-n", "reviews@%h", "-Q", "reviews", "-P", "solo"]
    seats = [*worker, "-n", "seats@%h", "-Q", "seats", "-P", "threads", "-c", SEATED]
    house = [*worker, "-n", "house@%h", "-Q", "house", "-P", "solo"]
    outside = [*worker, "-n", "outside@%h", "-Q", "outside", *threads]
    clock = {BEAT_SCHEDULE: str(plan.var / "beat-schedule")}
    children = [
        Role(name="matches", command=matches, runs_bots=True),
        Role(name="trials", command=trials, runs_bots=True),
        Role(name="reviews", command=reviews),
        Role(name="seats", command=seats, runs_bots=True, env={"DATABASE_POOL": POOLED}),
        Role(name="house", command=house, env=clock),
        Role(name="outside", command=outside, mails=True, env={"DATABASE_POOL": OUTSIDE_POOLED}),
        *web_roles(HOST, plan.port, plan.web),
    ]
    for number, role in enumerate(children):
        port = plan.metrics_port + number if plan.metrics_port and "worker" in role.command else 0
        role.env = {**role.env, "FTK_METRICS_PORT": str(port)}
    return children


def web_roles(host: str, port: int, count: int) -> list[Role]:
    """Return the web server, as one process or as several that share its port and what they keep of the database."""
    command = [sys.executable, "-m", "deploy.web", "--host", host, "--port", str(port)]
    if count == 1:
        return [Role(name="web", command=command, mails=True, env={"DATABASE_POOL": SOLE_POOLED})]
    env = {"DATABASE_POOL": str(max(LEAST_POOLED, WEB_POOLED // count))}
    names = [f"web-{number}" for number in range(1, count + 1)]
    return [Role(name=name, command=[*command, "--shared"], mails=True, env=env) for name in names]
