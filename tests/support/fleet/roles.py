"""What the hosts of a fleet run: each with a folder of its own, and nothing in common but the URLs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.fleet.database import DOOR
from tests.support.fleet.hosts import NETWORK, PATIENCE, ROOT, Host
from tests.support.prepared import environment
from tests.support.waiting import wait_for

POSTGRES, WEB = 5432, 8000
CELERY = (sys.executable, "-m", "celery", "--quiet", "-A", "deploy.celery:app")
WORKER = (*CELERY, "worker", "--loglevel=WARNING", "--without-mingle", "--without-gossip", "--without-heartbeat")


@dataclass(frozen=True, slots=True)
class Software:
    """A version of ours, in a folder."""

    folder: Path


OURS = Software(ROOT)


class Arena:
    """A fleet's arena: its database, and how its other processes are told of everything."""

    def __init__(self, var: Path, data: Host, **more: str) -> None:
        """`var` is that of a prepared league; `more` is what all processes are told beside the address of its data."""
        self.var, self.data, self.more = var, data, more
        data.start(
            "postgres",
            [sys.executable, "-m", "tests.support.fleet.database", str(var), f"{NETWORK}.0/24"],
            log=var / "logs" / "postgres.log",
            env=environment(var),
        )
        door = var / DOOR
        wait_for(lambda: door.exists() or not data.runs("postgres"), "the database", PATIENCE)
        assert data.runs("postgres"), (var / "logs" / "postgres.log").read_text()
        self.database = door.read_text()
        """Where the test itself reaches it."""

    @property
    def url(self) -> str:
        """Where hosts reach the database."""
        return f"postgresql://postgres@{self.data.address}:{POSTGRES}/ftk"

    def folder(self, host: Host) -> Path:
        """Return the FTK_VAR of a host; its log files lie in `logs` there."""
        folder = self.var.parent / host.name
        folder.mkdir(exist_ok=True)
        for key in ("secret-key", "signing-key"):  # the same on all, as deploy/README.md says
            if not (folder / key).exists() and (self.var / key).exists():
                (folder / key).write_bytes((self.var / key).read_bytes())
                (folder / key).chmod(0o600)
        return folder

    def environment(self, host: Host) -> Mapping[str, str]:
        """Return what a host's processes are told."""
        return environment(self.folder(host), DATABASE_URL=self.url, FTK_METERED="0", **self.more)

    def log(self, host: Host, name: str) -> Path:
        """Where a process of a host writes."""
        return self.folder(host) / "logs" / f"{name}.log"

    def play(self, host: Host, at_once: int = 1, software: Software = OURS) -> None:
        """Let a host play matches."""
        command = [*WORKER, "-n", "matches@%h", "-Q", "league,friendly,ladder", "-P", "prefork", "-c", str(at_once)]
        log, env = self.log(host, "matches"), self.environment(host)
        host.start("matches", command, log=log, env=env, folder=software.folder, identity="keeper")

    def keep_house(self, host: Host, software: Software = OURS) -> None:
        """Let a host do what must not wait behind matches, and ring the clock."""
        house = [*WORKER, "-n", "house@%h", "-Q", "house", "-P", "solo"]
        beat = [*CELERY, "beat", "--pidfile=", "-s", str(self.folder(host) / "beat-schedule")]
        for name, command in (("house", house), ("beat", beat)):
            log, env = self.log(host, name), self.environment(host)
            host.start(name, command, log=log, env=env, folder=software.folder, identity="namespace")

    def serve(self, host: Host, software: Software = OURS) -> None:
        """Let a host serve the web; returns when it does."""
        command = [sys.executable, "-m", "deploy.web", "--host", host.address, "--port", str(WEB)]
        log, env = self.log(host, "web"), self.environment(host)
        host.start("web", command, log=log, env=env, folder=software.folder, identity="namespace")
        wait_for(lambda: host.listens(WEB), f"the web server of {host.name}", PATIENCE)
