"""Hosts of a fleet: namespaces of one machine, each with a name, an address and processes of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from deploy.supervisor.processes import LAUNCHER, Identity
from tests.support.arena import children_of
from tests.support.fleet.ground import SWITCH, Forbidden, Ground
from tests.support.waiting import wait_for

FIRST = Path(__file__).with_name("first.py")
KINDS = ("--net", "--pid", "--mount", "--uts", "--ipc")
"""The namespaces that a host has beside the user's, which is the fleet's."""
NETWORK = "10.77.0"
ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 120.0


def forbidden() -> str:
    """Return why there can be no fleet on this machine; empty where there can."""
    try:
        with Ground() as ground:
            Host(ground, "first", 1).power_off()
    except Forbidden as error:
        return str(error)
    return ""


class Host:
    """One host; switched on when it is made."""

    def __init__(self, ground: Ground, name: str, number: int) -> None:
        """Plug it in as the one of this number (1 to 254); raises Forbidden."""
        self.ground, self.name, self.address = ground, name, f"{NETWORK}.{number}"
        self._ended: dict[str, int] = {}
        self._started: dict[str, int] = {}
        self._on = False
        self.power_on()

    def power_on(self) -> None:
        """Start its first process and give it its address; raises Forbidden."""
        unshared = ["unshare", *KINDS, "--fork", "--kill-child", "--mount-proc"]
        first = [sys.executable, "-I", "-S", "-B", str(FIRST), self.name]
        self._shell: subprocess.Popen[str] = subprocess.Popen(
            [*self.ground.entering(), *unshared, *first],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._shell.stdout
        assert self._shell.stderr
        if not self._shell.stdout.readline():
            raise Forbidden(f"a host's namespaces: {self._shell.stderr.read().strip()}")
        self._ended.clear()
        self._started.clear()
        self._on = True
        self._hears = Thread(target=self._hear, args=(self._shell,), daemon=True)
        self._hears.start()
        self._plug_in()

    @property
    def pid(self) -> int:
        """Its first process, as it is called outside."""
        return children_of(self._shell.pid)[0]

    def _plug_in(self) -> None:
        cable = ["ip", "link", "add", self.name, "type", "veth", "peer", "name", "eth0", "netns", str(self.pid)]
        self.ground.run(*cable)
        self.ground.run("ip", "link", "set", self.name, "master", SWITCH, "up")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "address", "add", f"{self.address}/24", "dev", "eth0")
        self.run("ip", "link", "set", "eth0", "up")

    def run(self, *command: str) -> str:
        """Run a command in its network to its end; raises Forbidden if it fails."""
        return self.ground.run(*command, pid=self.pid)

    def _hear(self, shell: subprocess.Popen[str]) -> None:
        assert shell.stdout
        for line in shell.stdout:
            match json.loads(line):
                case {"ended": name, "code": code}:
                    self._ended[name] = code
                case {"started": name, "pid": pid}:
                    self._started[name] = pid

    def _tell(self, **words: Any) -> None:
        assert self._shell.stdin
        self._shell.stdin.write(json.dumps(words) + "\n")
        self._shell.stdin.flush()

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        log: Path,
        env: Mapping[str, str],
        folder: Path = ROOT,
        identity: Identity = "same",
    ) -> None:
        """Start a process by a name that none has here; its parent is the host's first."""
        log.parent.mkdir(parents=True, exist_ok=True)
        self._ended.pop(name, None)
        self._started.pop(name, None)
        launcher = [sys.executable, "-I", "-S", "-B", str(LAUNCHER), "1", str(int(signal.SIGKILL)), identity]
        self._tell(start=name, command=[*launcher, *command], env=dict(env), folder=str(folder), log=str(log))
        wait_for(lambda: name in self._started, f"{self.name} starts {name}", PATIENCE)

    def send(self, name: str, sign: signal.Signals) -> None:
        """Send a signal to a process that was started here."""
        self._tell(signal=int(sign), to=name)

    def end(self, name: str, sign: signal.Signals = signal.SIGTERM, patience: float = PATIENCE) -> int:
        """Ask a process to end and return its exit code when it has."""
        self.send(name, sign)
        wait_for(lambda: name in self._ended, f"{name} on {self.name} has ended", patience)
        return self._ended[name]

    def runs(self, name: str) -> bool:
        """Tell whether a process that was started here still runs."""
        return self._on and name in self._started and name not in self._ended

    def listens(self, port: int) -> bool:
        """Tell whether somebody takes connections at its address."""
        dialling = f"import socket; socket.create_connection(({self.address!r}, {port}), 5).close()"
        try:
            self.run(sys.executable, "-I", "-S", "-c", dialling)
        except Forbidden:
            return False
        return True

    def cut_off(self) -> None:
        """Pull its cable: whoever talks with it hears nothing, not even that the talk has ended."""
        self.ground.run("ip", "link", "set", self.name, "down")

    def reconnect(self) -> None:
        """Put its cable back."""
        self.ground.run("ip", "link", "set", self.name, "up")

    @property
    def cable(self) -> str:
        """Its end at the switch."""
        return self.name

    def power_off(self) -> None:
        """Let it be as without power: the cable first, so that nobody is told, then all its processes at once."""
        if not self._on:
            return
        self._on = False
        with suppress(Forbidden):
            self.ground.run("ip", "link", "delete", self.name)
        with suppress(ProcessLookupError, IndexError, FileNotFoundError):
            os.kill(self.pid, signal.SIGKILL)
        self._shell.wait()
        self._hears.join()
        for pipe in (self._shell.stdin, self._shell.stdout, self._shell.stderr):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()
