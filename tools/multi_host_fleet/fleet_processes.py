"""Site whose processes run on simulated hosts, each with its own data folder (FTK_VAR)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.prepared_leagues import build_environment
from tests.support.waiting import wait_for
from tools.multi_host_fleet.fleet_database import DOOR
from tools.multi_host_fleet.simulated_hosts import NETWORK, PATIENCE, ROOT, SimulatedHost

POSTGRES, WEB = 5432, 8000
CELERY = (sys.executable, "-m", "celery", "--quiet", "-A", "deploy.celery:app")
WORKER = (*CELERY, "worker", "--loglevel=WARNING", "--without-mingle", "--without-gossip", "--without-heartbeat")


@dataclass(frozen=True, slots=True)
class SoftwareVersion:
    """Version of this project's software: the folder with its source tree."""

    folder: Path


OURS = SoftwareVersion(ROOT)


class ArenaOnSimulatedHosts:
    """Site that runs on simulated hosts: its database, and methods to start its other processes on hosts."""

    def __init__(self, var: Path, data: SimulatedHost, **more: str) -> None:
        """Start PostgreSQL on a simulated host, with the existing database in the folder `var`.

        `more` are environment variables for all processes of the site.
        """
        self.var, self.data, self.more = var, data, more
        data.start(
            "postgres",
            [sys.executable, "-m", "tools.multi_host_fleet.fleet_database", str(var), f"{NETWORK}.0/24"],
            log=var / "logs" / "postgres.log",
            env=build_environment(var),
        )
        door = var / DOOR
        wait_for(lambda: door.exists() or not data.runs("postgres"), "the database", PATIENCE)
        assert data.runs("postgres"), (var / "logs" / "postgres.log").read_text()
        self.database = door.read_text()
        """URL of the database for processes on this machine that are not on a simulated host."""

    @property
    def url(self) -> str:
        """URL of the database for processes on the simulated hosts."""
        return f"postgresql://postgres@{self.data.address}:{POSTGRES}/ftk"

    def folder(self, host: SimulatedHost) -> Path:
        """Return the data folder of a host, with copies of the site's secret keys."""
        folder = self.var.parent / host.name
        folder.mkdir(exist_ok=True)
        for key in ("secret-key", "signing-key"):  # all hosts must have the same keys, as deploy/README.md says
            if not (folder / key).exists() and (self.var / key).exists():
                (folder / key).write_bytes((self.var / key).read_bytes())
                (folder / key).chmod(0o600)
        return folder

    def environment(self, host: SimulatedHost) -> Mapping[str, str]:
        """Return the environment variables for the site's processes on a host."""
        return build_environment(self.folder(host), DATABASE_URL=self.url, FTK_METERED="0", **self.more)

    def log(self, host: SimulatedHost, name: str) -> Path:
        """Return the path of the log file of a host's process with this name."""
        return self.folder(host) / "logs" / f"{name}.log"

    def play(self, host: SimulatedHost, at_once: int = 1, software: SoftwareVersion = OURS) -> None:
        """Start a worker on a host. The worker plays up to `at_once` matches concurrently."""
        command = [*WORKER, "-n", "matches@%h", "-Q", "league,friendly,ladder", "-P", "prefork", "-c", str(at_once)]
        log, env = self.log(host, "matches"), self.environment(host)
        host.start("matches", command, log=log, env=env, folder=software.folder, identity="keeper")

    def start_house_worker(self, host: SimulatedHost, software: SoftwareVersion = OURS) -> None:
        """Start the worker for short tasks (``house``) and Celery beat on a host."""
        house = [*WORKER, "-n", "house@%h", "-Q", "house", "-P", "solo"]
        beat = [*CELERY, "beat", "--pidfile=", "-s", str(self.folder(host) / "beat-schedule")]
        for name, command in (("house", house), ("beat", beat)):
            log, env = self.log(host, name), self.environment(host)
            host.start(name, command, log=log, env=env, folder=software.folder, identity="namespace")

    def serve(self, host: SimulatedHost, software: SoftwareVersion = OURS) -> None:
        """Start the web server on a host, and wait until it accepts connections."""
        command = [sys.executable, "-m", "deploy.web", "--host", host.address, "--port", str(WEB)]
        log, env = self.log(host, "web"), self.environment(host)
        host.start("web", command, log=log, env=env, folder=software.folder, identity="namespace")
        wait_for(lambda: host.listens(WEB), f"the web server of {host.name}", PATIENCE)
