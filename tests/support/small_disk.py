"""Starter of a command whose folder is a small disk of its own: ``python -m tests.support.small_disk ...``.

The disk is a tmpfs in a user and mount namespace: it needs no privilege and ends with the command's last process. The
arguments are its size, its folder, another folder to copy onto it, and the command.
"""

from __future__ import annotations

import os
import shutil
import sys

from bots.sandbox.inside.user_namespace import (
    KEPT_CAPABILITIES,
    enter_namespace,
    has_root_rights,
    keep_capabilities,
    libc,
    raise_on_error,
)

NEWNS, PRIVATE = 0x00020000, 0x40000 | 0x4000
"""Flags CLONE_NEWNS (a new mount namespace), and MS_PRIVATE with MS_REC (its mounts are not visible outside)."""


def main(size: str, disk: str, source: str, *command: str) -> None:
    """Mount the disk, copy the folder `source` onto it, and execute the command in place of this process."""
    roots = has_root_rights()
    enter_namespace(uids=roots, inner_id=os.getuid())
    raise_on_error(libc.unshare(NEWNS), "namespaces are not available")
    raise_on_error(libc.mount(None, b"/", None, PRIVATE, None), "mounts stay everybody's")
    raise_on_error(
        libc.mount(b"none", os.fsencode(disk), b"tmpfs", 0, f"size={size},mode=700".encode()), "no tmpfs is mounted"
    )
    shutil.copytree(source, disk, symlinks=True, dirs_exist_ok=True)
    os.chmod(disk, 0o700)
    keep_capabilities(KEPT_CAPABILITIES if roots else (), over_exec=True)
    os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
