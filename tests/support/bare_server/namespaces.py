"""Run bubblewrap as root of a user namespace with 4,096 user ids.

Usage: ``python -m tests.support.bare_server.namespaces <arguments of bwrap>``.
"""
# `useradd` and `runuser` need more user ids than a process without root rights may give to itself. The tests' process,
# begun as root, has kept the right to give these.

from __future__ import annotations

import os
import sys

from bots.sandbox.inside.user_namespace import NEWUSER, bot_uids, enter_namespaces

IDS = 4_096


def map_ids(pid: int, uid: int, first: int) -> None:
    """Make our user id 0, and the ids from `first` on 1 and following, in the namespace of a process."""
    for name in ("uid_map", "gid_map"):
        with open(f"/proc/{pid}/{name}", "w") as file:
            file.write(f"0 {uid} 1\n1 {first} {IDS - 1}\n")


def main(words: list[str]) -> None:
    """Enter the namespace and become bwrap. Raises OSError where this is not permitted."""
    ids = bot_uids()
    if ids is None:
        raise PermissionError(0, "no range of user ids: the tests were not begun as root")
    ours, uid = os.getpid(), os.getuid()
    waits, goes = os.pipe()
    child = os.fork()
    if child == 0:  # it stays outside, where it may write the maps
        os.read(waits, 1)
        map_ids(ours, uid, ids[0])
        os._exit(0)
    enter_namespaces(NEWUSER, lambda: os.write(goes, b"\n"))
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise PermissionError(0, "the user ids cannot be mapped")
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)
    os.execvp("bwrap", ["bwrap", *words])


if __name__ == "__main__":
    main(sys.argv[1:])
