"""Launcher between the supervisor and each child. Uses the standard library and one file of the sandbox only.

Started as ``python -I -S -B launch.py <parent pid> <signal> <identity> <command …>``. It takes the identity, asks the
kernel to send it the signal when the parent dies, and executes the command.

The identities: ``same`` changes nothing; ``namespace`` enters a user namespace in which root is mapped to 65534, so
that PostgreSQL, which refuses to be root, runs without a second account; ``keeper`` does so and keeps the right to give
each bot its own uid; ``nobody`` becomes uid 65534 for real, where namespaces are not allowed.
"""

import ctypes
import os
import signal
import sys

sys.path.insert(0, os.path.abspath(os.path.join(__file__, "../../../bots/cage/inside")))
from nobody import NOBODY, enter_namespace, step_down  # type: ignore[import-not-found]  # a file; isolated, we see no package

del sys.path[0]

PR_SET_PDEATHSIG = 1

libc = ctypes.CDLL(None, use_errno=True)


def become_nobody() -> None:
    """Give up root for uid 65534."""
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


IDENTITIES = {
    "same": lambda: None,
    "namespace": enter_namespace,
    "keeper": step_down,
    "nobody": become_nobody,
}


def main() -> None:
    """Take the identity, tie our life to the parent's, execute the command."""
    parent, death, identity, *command = sys.argv[1:]
    try:
        IDENTITIES[identity]()
    except OSError as error:
        sys.exit(f"cannot become {identity!r}: {error}")
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    # last, because every change of identity clears it
    libc.prctl(PR_SET_PDEATHSIG, int(death), 0, 0, 0)
    if os.getppid() != int(parent):
        sys.exit("the parent is gone")
    try:
        os.execv(command[0], command)  # noqa: S606 - a list, no shell
    except OSError as error:
        sys.exit(f"cannot run {command[0]}: {error}")


if __name__ == "__main__":
    main()
