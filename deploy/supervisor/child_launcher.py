"""Launcher that changes a child process's identity, ties its life to its parent's, and executes its command.

Started as ``python -I -S -B child_launcher.py <parent pid> <signal> <identity> <command …>``. The kernel sends the
signal to the child when the parent dies. The launcher imports only the standard library and one file.

The identity is the user as which the command runs. ``same`` changes nothing; the others are for a parent that is root.
``namespace`` enters a user namespace in which the command has the uid 65534 and not 0. PostgreSQL, which refuses to run
as root, so needs no account of its own. ``keeper`` does the same, and may still give each bot a uid of its own.
``nobody`` changes to uid 65534 without a namespace, for machines that forbid namespaces.
"""

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
    """Change the identity, ask the kernel for the signal when the parent dies, and execute the command."""
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
