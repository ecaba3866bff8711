"""The ground that a fleet stands on: a user and a network namespace of its own, with a switch in it.

Root is not needed where namespaces are allowed: within them whoever made them may give addresses. The first process
of the ground, which is this module as a program, keeps them for as long as its standard input is open.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from types import TracebackType
from typing import Self

from bots.cage.inside.nobody import enter_namespace, enter_namespaces, uids

NEWNET = 0x40000000
SWITCH = "switch"
READY = "ready"


class Forbidden(RuntimeError):
    """Raised where there can be no fleet; the message says what is not allowed."""


class Ground:
    """The namespaces of one fleet."""

    def __init__(self) -> None:
        """Make them; raises Forbidden."""
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
            raise Forbidden(said or "the first process of the fleet died")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def entering(self, pid: int | None = None) -> list[str]:
        """Return what goes before a command that is to run beside the switch, or in the network of another process."""
        return ["nsenter", "--preserve-credentials", "--user", "--net", f"--target={pid or self._keeper.pid}", "--"]

    def run(self, *command: str, pid: int | None = None) -> str:
        """Run a command there to its end and return what it said; raises Forbidden if it fails."""
        try:
            done = subprocess.run([*self.entering(pid), *command], capture_output=True, text=True, check=False)
        except OSError as error:
            raise Forbidden(f"nsenter cannot be run: {error}") from error
        if done.returncode != 0:
            raise Forbidden(f"{' '.join(command)}: {done.stderr.strip() or done.returncode}")
        return done.stdout

    def close(self) -> None:
        """Let the namespaces go; they end with the last process in them."""
        assert self._keeper.stdin
        assert self._keeper.stdout
        self._keeper.stdin.close()
        self._keeper.wait()
        self._keeper.stdout.close()


def main() -> None:
    """Enter the namespaces, as root of these, and stay until nobody needs them."""
    try:
        enter_namespace(uids=uids() is not None, called=0)
        enter_namespaces(NEWNET, lambda: None)
    except OSError as error:
        sys.stdout.write(f"a user namespace with a network in it: {error.strerror or error}\n")
        return
    ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)  # PR_SET_PDEATHSIG: whoever made us may be killed
    sys.stdout.write(f"{READY}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
