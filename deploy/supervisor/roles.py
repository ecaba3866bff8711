"""Processes of an arena, with the command of each."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deploy.supervisor.alone import HOST
from deploy.supervisor.processes import Process

BEAT_SCHEDULE = "FTK_BEAT_SCHEDULE"
"""Environment variable that makes one worker run the scheduler: the path of its schedule file."""
SEATED, POOLED = "100", "40"
"""Threads for matches with outside seats, which mostly wait, and the database connections that they share."""
OUTSIDE_POOLED = "4"
"""Database connections shared by threads that wait for other people's servers."""
SOLE_POOLED = "16"
"""Database connections of a single web process."""
WEB_POOLED, LEAST_POOLED = 32, 2
"""Database connections divided among several web processes, and the minimum of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Options of an arena."""

    var: Path
    """Folder of logs and data."""
    database_url: str | None
    """URL of a running server; None means our own."""
    port: int = 8000
    workers: int = 2
    """Number of concurrent matches."""
    web: int = 1
    """Number of web processes, which share the port."""
    demo: Sequence[str] | None = None
    """Arguments of the demo, if it is to be played."""
    leave_after_demo: bool = False
    metrics_port: int = 0
    """Metrics port of the first worker; the others use the following ones. 0 turns metrics off."""


@dataclass(slots=True, kw_only=True)
class Role:
    """A child that must always run."""

    name: str
    command: Sequence[str]
    """Command line: this Python, ``-m``, a module, its arguments."""
    runs_bots: bool = False
    """If True, it starts uploaded bots, and so is never root."""
    mails: bool = False
    """If True, it writes mail on our terminal when no mail server is configured."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Environment in addition to the common one."""
    process: Process | None = None
    started: float = 0.0
    failures: int = 0
    deaths: int = 0
    """Number of times that its process has ended."""
    due: float = 0.0
    """Time of its next start."""


def roles(plan: Plan) -> list[Role]:
    """Return the roles in starting order; they are stopped in reverse."""
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
    """Return the web server as one process, or as several that share the port and the database connections."""
    command = [sys.executable, "-m", "deploy.web", "--host", host, "--port", str(port)]
    if count == 1:
        return [Role(name="web", command=command, mails=True, env={"DATABASE_POOL": SOLE_POOLED})]
    env = {"DATABASE_POOL": str(max(LEAST_POOLED, WEB_POOLED // count))}
    names = [f"web-{number}" for number in range(1, count + 1)]
    return [Role(name=name, command=[*command, "--shared"], mails=True, env=env) for name in names]
