"""Root file system that all bots of a fork server share: empty except for read-only mounts."""

import os
import sys
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from boot import exit_on_error, libc  # type: ignore[import-not-found]  # in this folder, in the sandbox too

del sys.path[0]

RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, REC, PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
DETACH = 2


def mount(source: str, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """Mount a file system, or bind a path; exit with an error message if that fails."""
    words = [None if word is None else word.encode() for word in (source, target, kind, options)]
    exit_on_error(libc.mount(words[0], words[1], words[2], flags, words[3]), f"mounting {target}")


def mount_read_only(source: str, target: str) -> None:
    """Mount a file or folder of the host read-only at `target`, and create the mount point."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o400))
    mount(source, target, None, BIND | REC)
    mount("none", target, None, BIND | REMOUNT | RDONLY | NOSUID | NODEV)


def build_root(plan: dict[str, Any]) -> None:
    """Build the root file system of the sandbox, and enter it."""
    place = plan["root"]
    os.umask(0o022)  # bots run as other users, and must enter the folders that are created here
    mount("none", "/", None, REC | PRIVATE)
    mount("none", place, "tmpfs", NOSUID | NODEV, "size=256k,mode=755")
    for link, target in plan["links"]:
        os.symlink(target, place + link)
    for source, target in plan["shown"]:
        mount_read_only(source, place + target)
    for target in plan["covered"]:
        mount("none", place + target, "tmpfs", RDONLY | NOSUID | NODEV, "size=4k,mode=755")
    os.mkdir(f"{place}/bot")
    os.chdir(place)
    exit_on_error(libc.syscall(plan["calls"]["pivot_root"], b".", b"."), "a root of its own")
    exit_on_error(libc.umount2(b".", DETACH), "leaving the host's files")
    os.chdir("/")
    mount("none", "/", None, BIND | REMOUNT | RDONLY | NOSUID | NODEV)
