"""Linux namespaces for hosts that are simulated on one machine."""
# In a user namespace, networks can be set up without root. A process that runs this module keeps the namespaces alive
# while its standard input is open.

from __future__ import annotations

import ctypes
import subprocess
import sys
from types import TracebackType
from typing import Self

from bots.sandbox.inside.user_namespace import bot_uids, enter_namespace, enter_namespaces

NEWNET = 0x40000000
SWITCH = "switch"
READY = "ready"


class NamespacesNotPermittedError(RuntimeError):
    """Raised if this machine does not allow the simulation of hosts. The message names the forbidden step."""


class FleetNamespaces:
    """The user namespace and the network namespace that all simulated hosts of a fleet share."""

    def __init__(self) -> None:
        """Create the namespaces and the hosts' switch, a network bridge; raises NamespacesNotPermittedError."""
        command = [sys.executable, "-m", __name__]
        self._keeper = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            self._await()
            self.run("ip", "link", "add", SWITCH, "type", "bridge")
            self.run("ip", "link", "set", SWITCH, "up")
        except BaseException:
            self.close()
            raise

    def _await(self) -> None:
        assert self._keeper.stdout
        said = self._keeper.stdout.readline().strip()
        if said != READY:
            raise NamespacesNotPermittedError(said or "the first process of the fleet died")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def make_nsenter_prefix(self, pid: int | None = None) -> list[str]:
        """Return the start of a command line that runs a command in the network namespace of a process.

        The default of `pid` is the process that keeps the switch's namespace.
        """
        return ["nsenter", "--preserve-credentials", "--user", "--net", f"--target={pid or self._keeper.pid}", "--"]

    def run(self, *command: str, pid: int | None = None) -> str:
        """Run a command in the network of the switch, or of process `pid`. Return its output.

        Raises NamespacesNotPermittedError if the command fails.
        """
        try:
            done = subprocess.run(
                [*self.make_nsenter_prefix(pid), *command], capture_output=True, text=True, check=False
            )
        except OSError as error:
            raise NamespacesNotPermittedError(f"nsenter cannot be run: {error}") from error
        if done.returncode != 0:
            raise NamespacesNotPermittedError(f"{' '.join(command)}: {done.stderr.strip() or done.returncode}")
        return done.stdout

    def close(self) -> None:
        """End the process that keeps the namespaces; they disappear with the last process in them."""
        assert self._keeper.stdin
        assert self._keeper.stdout
        self._keeper.stdin.close()
        self._keeper.wait()
        self._keeper.stdout.close()


def main() -> None:
    """Create the namespaces, become root in them, and stay until standard input is closed."""
    try:
        enter_namespace(uids=bot_uids() is not None, inner_id=0)
        enter_namespaces(NEWNET, lambda: None)
    except OSError as error:
        sys.stdout.write(f"a user namespace with a network in it: {error.strerror or error}\n")
        return
    ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)  # PR_SET_PDEATHSIG: die with the parent, even if it is killed
    sys.stdout.write(f"{READY}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
