"""Start a command whose folder is a disk of its own and of fixed size: ``python -m tests.support.small_disk ...``.

A tmpfs in a user and mount namespace: no right is needed for it, and it is gone with the command's last process.
Called with the size, the folder that is to be the disk, another one that is copied onto it, and the command.
"""

from __future__ import annotations

import os
import shutil
import sys

from bots.cage.inside.nobody import KEPT, enter_namespace, hold, is_roots, libc, must

NEWNS, PRIVATE = 0x00020000, 0x40000 | 0x4000
"""New mounts of our own, and none that others see: MS_PRIVATE and MS_REC."""


def main(size: str, disk: str, source: str, *command: str) -> None:
    """Mount the disk, copy what is to be on it, and become the command."""
    roots = is_roots()
    enter_namespace(uids=roots, called=os.getuid())
    must(libc.unshare(NEWNS), "namespaces are not available")
    must(libc.mount(None, b"/", None, PRIVATE, None), "mounts stay everybody's")
    must(libc.mount(b"none", os.fsencode(disk), b"tmpfs", 0, f"size={size},mode=700".encode()), "no tmpfs is mounted")
    shutil.copytree(source, disk, symlinks=True, dirs_exist_ok=True)
    os.chmod(disk, 0o700)
    hold(KEPT if roots else (), over_exec=True)
    os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
