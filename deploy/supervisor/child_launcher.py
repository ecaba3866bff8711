"""Launcher that starts a child process as another user and ties its life to its parent's.

Usage: ``python -I -S -B child_launcher.py <parent pid> <signal> <identity> <command …>``. The child gets the signal
when the parent dies. These are the identities; all except ``same`` require that the parent is root:

- ``same``: no change.
- ``namespace``: uid 65534 in a user namespace.
- ``keeper``: like ``namespace``, but the command may give each bot a uid of its own.
- ``nobody``: uid 65534 without a namespace.
"""
# It imports only the standard library and one file. PostgreSQL refuses to run as root; in a namespace it needs no
# account of its own. ``nobody`` is for machines that forbid namespaces.

import ctypes
import os
import signal
import sys

sys.path.insert(0, os.path.abspath(os.path.join(__file__, "../../../bots/sandbox/inside")))
from user_namespace import NOBODY, drop_root, enter_namespace  # type: ignore[import-not-found]  # found by its path: `-I` hides this project's packages

del sys.path[0]

PR_SET_PDEATHSIG = 1

libc = ctypes.CDLL(None, use_errno=True)


def become_nobody() -> None:
    """Change the user and group from root to 65534 (nobody)."""
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


IDENTITIES = {
    "same": lambda: None,
    "namespace": enter_namespace,
    "keeper": drop_root,
    "nobody": become_nobody,
}


def main() -> None:
    """Change the identity, let the kernel send the signal when the parent dies, and execute the command."""
    parent, death, identity, *command = sys.argv[1:]
    try:
        IDENTITIES[identity]()
    except OSError as error:
        sys.exit(f"cannot become {identity!r}: {error}")
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    # last, because a change of identity clears the death signal
    libc.prctl(PR_SET_PDEATHSIG, int(death), 0, 0, 0)
    if os.getppid() != int(parent):
        sys.exit("the parent is gone")
    try:
        os.execv(command[0], command)  # noqa: S606 - the command is a list and runs without a shell
    except OSError as error:
        sys.exit(f"cannot run {command[0]}: {error}")


if __name__ == "__main__":
    main()
