"""Simulated hosts: sets of namespaces on one machine, each with its own name, IP address and processes."""

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

from deploy.supervisor.child_process_start_and_stop import LAUNCHER, Identity
from tests.support.arena import children_of
from tests.support.waiting import wait_for
from tools.multi_host_fleet.fleet_namespaces import SWITCH, FleetNamespaces, NamespacesNotPermittedError

FIRST = Path(__file__).with_name("simulated_host_init.py")
KINDS = ("--net", "--pid", "--mount", "--uts", "--ipc")
"""Options of unshare for the namespaces of a host; all hosts share the user namespace of the fleet."""
NETWORK = "10.77.0"
ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0


def why_forbidden() -> str:
    """Return the reason why this machine does not allow simulated hosts; empty if it does."""
    try:
        with FleetNamespaces() as ground:
            SimulatedHost(ground, "first", 1).power_off()
    except NamespacesNotPermittedError as error:
        return str(error)
    return ""


class SimulatedHost:
    """A simulated host, which is powered on when it is created."""

    def __init__(self, ground: FleetNamespaces, name: str, number: int) -> None:
        """Create and connect a host. Its number (1 to 254) is the last byte of its address.

        Raises NamespacesNotPermittedError if this machine does not allow it.
        """
        self.ground, self.name, self.address = ground, name, f"{NETWORK}.{number}"
        self._ended: dict[str, int] = {}
        self._started: dict[str, int] = {}
        self._on = False
        self.power_on()

    def power_on(self) -> None:
        """Start the host's first process, and connect the host to the switch; raises NamespacesNotPermittedError."""
        unshared = ["unshare", *KINDS, "--fork", "--kill-child", "--mount-proc"]
        first = [sys.executable, "-I", "-S", "-B", str(FIRST), self.name]
        self._shell: subprocess.Popen[str] = subprocess.Popen(
            [*self.ground.make_nsenter_prefix(), *unshared, *first],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._shell.stdout
        assert self._shell.stderr
        if not self._shell.stdout.readline():
            raise NamespacesNotPermittedError(f"a host's namespaces: {self._shell.stderr.read().strip()}")
        self._ended.clear()
        self._started.clear()
        self._on = True
        self._hears = Thread(target=self._hear, args=(self._shell,), daemon=True)
        self._hears.start()
        self._plug_in()

    @property
    def pid(self) -> int:
        """Process id of the host's first process, outside the host's process namespace."""
        return children_of(self._shell.pid)[0]

    def _plug_in(self) -> None:
        cable = ["ip", "link", "add", self.name, "type", "veth", "peer", "name", "eth0", "netns", str(self.pid)]
        self.ground.run(*cable)
        self.ground.run("ip", "link", "set", self.name, "master", SWITCH, "up")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "address", "add", f"{self.address}/24", "dev", "eth0")
        self.run("ip", "link", "set", "eth0", "up")

    def run(self, *command: str) -> str:
        """Run a command in the host's network and return its output; raises NamespacesNotPermittedError if it fails."""
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
        """Start a process on the host. Its name must differ from those of running processes."""
        log.parent.mkdir(parents=True, exist_ok=True)
        self._ended.pop(name, None)
        self._started.pop(name, None)
        launcher = [sys.executable, "-I", "-S", "-B", str(LAUNCHER), "1", str(int(signal.SIGKILL)), identity]
        self._tell(start=name, command=[*launcher, *command], env=dict(env), folder=str(folder), log=str(log))
        wait_for(lambda: name in self._started, f"{self.name} starts {name}", PATIENCE)

    def send(self, name: str, sign: signal.Signals) -> None:
        """Send a signal to the host's process with this name."""
        self._tell(signal=int(sign), to=name)

    def end(self, name: str, sign: signal.Signals = signal.SIGTERM, patience: float = PATIENCE) -> int:
        """Send a signal to a process of the host, wait until it ends, and return its exit code."""
        self.send(name, sign)
        wait_for(lambda: name in self._ended, f"{name} on {self.name} has ended", patience)
        return self._ended[name]

    def runs(self, name: str) -> bool:
        """Return True if the host's process with this name is running."""
        return self._on and name in self._started and name not in self._ended

    def listens(self, port: int) -> bool:
        """Return True if the host accepts TCP connections on a port."""
        dialling = f"import socket; socket.create_connection(({self.address!r}, {port}), 5).close()"
        try:
            self.run(sys.executable, "-I", "-S", "-c", dialling)
        except NamespacesNotPermittedError:
            return False
        return True

    def cut_off(self) -> None:
        """Disconnect the host from the switch."""
        # So other hosts get no packet from it, not even a TCP reset.
        self.ground.run("ip", "link", "set", self.name, "down")

    def reconnect(self) -> None:
        """Connect the host to the switch again."""
        self.ground.run("ip", "link", "set", self.name, "up")

    @property
    def cable(self) -> str:
        """Name of the network interface that connects the host to the switch."""
        return self.name

    def power_off(self) -> None:
        """Simulate a power loss."""
        # Disconnect the host before its processes are killed, so that no other host is notified.
        if not self._on:
            return
        self._on = False
        with suppress(NamespacesNotPermittedError):
            self.ground.run("ip", "link", "delete", self.name)
        with suppress(ProcessLookupError, IndexError, FileNotFoundError):
            os.kill(self.pid, signal.SIGKILL)
        self._shell.wait()
        self._hears.join()
        for pipe in (self._shell.stdin, self._shell.stdout, self._shell.stderr):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()
