"""Roles of the site's processes: the kinds of child process that must always run, and their commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from deploy.supervisor.child_process_start_and_stop import Process
from deploy.supervisor.data_folder_and_port_checks import HOST

BEAT_SCHEDULE = "FTK_BEAT_SCHEDULE"
"""Environment variable with the path of a schedule file; the worker that has it runs Celery's beat scheduler."""
SEATED, POOLED = "100", "40"
"""Number of threads, and number of database connections, of the worker for matches with people or remote bots. There
are more threads than connections, because most threads wait for answers."""
OUTSIDE_POOLED = "4"
"""Database connections of the worker that sends webhooks and mails, shared by its threads."""
SOLE_POOLED = "16"
"""Database connections of the web process if there is only one."""
WEB_POOLED, LEAST_POOLED = 32, 2
"""Database connections divided among several web processes, and the minimum for each process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaStartOptions:
    """Options of `manage.py up`."""

    var: Path
    """Folder of the arena's data and log files."""
    database_url: str | None
    """URL of a running PostgreSQL server; None means the embedded server."""
    port: int = 8000
    workers: int = 2
    """Number of processes of the match worker; each of them plays one match at a time."""
    web: int = 1
    """Number of web processes that share the port."""
    demo: Sequence[str] | None = None
    """Arguments of `manage.py demo`; None means that no demo is played."""
    leave_after_demo: bool = False
    metrics_port: int = 0
    """Metrics port of the first worker; each further worker uses the next port. 0 turns metrics off."""


def build_child_environment(plan: ArenaStartOptions, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables of all child processes."""
    site = {"FTK_SITE": f"http://{HOST}:{plan.port}"}
    return {**site, **environment, "FTK_VAR": str(plan.var), "FTK_METRICS_PORT": "0"}


@dataclass(slots=True, kw_only=True)
class ProcessRole:
    """A kind of child process that must always run, and the state of its current process."""

    name: str
    command: Sequence[str]
    """Command line: the Python executable, ``-m``, a module, and its arguments."""
    runs_bots: bool = False
    """If True, the process starts uploaded bots, so it must not run as root."""
    mails: bool = False
    """If True, the process prints mails on the supervisor's terminal when no mail server is configured."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Environment variables in addition to those of all roles."""
    process: Process | None = None
    started: float = 0.0
    failures: int = 0
    deaths: int = 0
    """Number of times that the role's process has ended."""
    due: float = 0.0
    """Time of the next restart (monotonic seconds), while no process runs."""


def list_roles(plan: ArenaStartOptions) -> list[ProcessRole]:
    """Return all kinds of child processes of the site, in the order of their start."""
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
        ProcessRole(name="matches", command=matches, runs_bots=True),
        ProcessRole(name="trials", command=trials, runs_bots=True),
        ProcessRole(name="reviews", command=reviews),
        ProcessRole(name="seats", command=seats, runs_bots=True, env=_pool(POOLED)),
        ProcessRole(name="house", command=house, env=clock),
        ProcessRole(name="outside", command=outside, mails=True, env=_pool(OUTSIDE_POOLED)),
        *list_web_roles(HOST, plan.port, plan.web),
    ]
    for number, role in enumerate(children):
        port = plan.metrics_port + number if plan.metrics_port and "worker" in role.command else 0
        role.env = {**role.env, "FTK_METRICS_PORT": str(port)}
    return children


def list_web_roles(host: str, port: int, count: int) -> list[ProcessRole]:
    """Return one role for each of `count` web processes that share a port."""
    # The database connections of the web server are divided equally among them.
    command = [sys.executable, "-m", "deploy.web", "--host", host, "--port", str(port)]
    if count == 1:
        return [ProcessRole(name="web", command=command, mails=True, env=_pool(SOLE_POOLED))]
    env = _pool(str(max(LEAST_POOLED, WEB_POOLED // count)))
    names = [f"web-{number}" for number in range(1, count + 1)]
    return [ProcessRole(name=name, command=[*command, "--shared"], mails=True, env=env) for name in names]


def _pool(connections: str) -> dict[str, str]:
    """Return the size of a role's connection pool as an environment variable, unless the operator has set one."""
    return {} if os.environ.get("DATABASE_POOL") else {"DATABASE_POOL": connections}
