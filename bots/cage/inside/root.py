"""The root file system that all bots of a fork server share: empty except for read-only mounts."""

import os
import sys
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from boot import libc, must  # type: ignore[import-not-found]  # the file beside this one, outside and inside

del sys.path[0]

RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, REC, PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
DETACH = 2


def mount(source: str, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """Mount, or exit with the reason."""
    words = [None if word is None else word.encode() for word in (source, target, kind, options)]
    must(libc.mount(words[0], words[1], words[2], flags, words[3]), f"mounting {target}")


def show(source: str, target: str) -> None:
    """Mount a file or folder of the host read-only."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o400))
    mount(source, target, None, BIND | REC)
    mount("none", target, None, BIND | REMOUNT | RDONLY | NOSUID | NODEV)


def build_root(plan: dict[str, Any]) -> None:
    """Build the shared root from the plan's mounts, covers and links, and enter it."""
    place = plan["root"]
    mount("none", "/", None, REC | PRIVATE)
    mount("none", place, "tmpfs", NOSUID | NODEV, "size=256k,mode=755")
    for link, target in plan["links"]:
        os.symlink(target, place + link)
    for source, target in plan["shown"]:
        show(source, place + target)
    for target in plan["covered"]:
        mount("none", place + target, "tmpfs", RDONLY | NOSUID | NODEV, "size=4k,mode=755")
    os.mkdir(f"{place}/bot")
    os.chdir(place)
    must(libc.syscall(plan["calls"]["pivot_root"], b".", b"."), "a root of its own")
    must(libc.umount2(b".", DETACH), "leaving the host's files")
    os.chdir("/")
    mount("none", "/", None, BIND | REMOUNT | RDONLY | NOSUID | NODEV)
