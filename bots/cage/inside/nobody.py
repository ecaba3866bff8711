"""Privilege drop of a root process before it starts bots: it enters a user namespace with a range of uids for bots.

Outside the namespace it has no rights. Inside it keeps three capabilities, with which it gives each bot a uid of its
own. Standard library only, because deploy/supervisor/launch.py loads this file by its path.
"""

import ctypes
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager

NEWUSER = 0x10000000
CAPABILITIES_VERSION = 0x20080522
PR_CAP_AMBIENT, AMBIENT_IS_SET, AMBIENT_RAISE, AMBIENT_CLEAR = 47, 1, 2, 4
NOBODY = 65534
KILL, SETGID, SETUID = 5, 6, 7
KEPT = (KILL, SETGID, SETUID)
"""Capabilities to give bots their ids and to signal them, in our own namespace only."""
KEPT_BITS = sum(1 << number for number in KEPT)
FIRST = 0x70000000
"""The first uid for bots inside the namespace, and outside if enough exist; systemd does not allocate this range."""
MOST = 65_536
FEWEST = 4_096

libc = ctypes.CDLL(None, use_errno=True)


def must(result: int, what: str) -> None:
    """Raise OSError unless a call succeeded."""
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def _extents(path: str) -> list[list[int]]:
    with open(path) as file:
        return [[int(word) for word in line.split()] for line in file]


def _range(path: str) -> str:
    """Return the uid_map line for the bots' ids, from the end of this namespace's range; empty if it is too small."""
    last = max(_extents(path))
    end = last[0] + last[2]
    if end >= FIRST + MOST:
        return f"{FIRST} {FIRST} {MOST}\n"
    return f"{FIRST} {end - FEWEST} {FEWEST}\n" if last[2] > FEWEST else ""


def enter_namespaces(kinds: int, be_given_ids: Callable[[], object]) -> None:
    """Enter new namespaces of these kinds and receive ids there; raises OSError."""
    must(libc.unshare(kinds), "namespaces are not available")
    be_given_ids()


def enter_namespace(*, uids: bool = False, called: int = NOBODY) -> None:
    """Enter a user namespace as nobody, with uids for bots if wanted; raises OSError.

    Only a process outside the namespace can map ids other than our own: a child does it, and we wait for it.
    """
    uid, gid, ours = os.getuid(), os.getgid(), os.getpid()
    waits, goes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(goes)
        os._exit(0 if os.read(waits, 1) and _map(ours, uid, gid, called, uids=uids) else 1)
    os.close(waits)
    try:
        enter_namespaces(NEWUSER, lambda: os.write(goes, b"\n"))
    finally:
        os.close(goes)
        _, status = os.waitpid(child, 0)
    if status != 0:
        raise PermissionError("no ids in the user namespace")


def _map(pid: int, uid: int, gid: int, called: int, *, uids: bool) -> bool:
    """Map the ids of a process in its new namespace; return True on success."""
    try:
        if uids:
            own = {"uid_map": uid, "gid_map": gid}
            lines = {name: f"{called} {own[name]} 1\n{_range(f'/proc/self/{name}')}" for name in own}
            _write(pid, lines, None)
        else:
            map_own(pid, uid, gid, called=called)
    except OSError:
        return False
    return True


def hold(capabilities: tuple[int, ...], *, over_exec: bool = False) -> None:
    """Keep these capabilities and no other, also over the next exec if wanted; raises OSError."""
    bits = sum(1 << number for number in capabilities)
    header = struct.pack("=Ii", CAPABILITIES_VERSION, 0)
    kept = struct.pack("=IIIIII", bits, bits, bits if over_exec else 0, 0, 0, 0)
    must(libc.capset(header, kept), "capabilities stay")
    for number in capabilities if over_exec else ():
        must(libc.prctl(PR_CAP_AMBIENT, AMBIENT_RAISE, number, 0, 0), "capabilities go")


@contextmanager
def kept_back() -> Iterator[None]:
    """Drop the ambient capabilities of this thread meanwhile, so that processes it starts have none."""
    ours = [number for number in KEPT if libc.prctl(PR_CAP_AMBIENT, AMBIENT_IS_SET, number, 0, 0) == 1]
    must(libc.prctl(PR_CAP_AMBIENT, AMBIENT_CLEAR, 0, 0, 0), "capabilities stay")
    try:
        yield
    finally:
        for number in ours:
            must(libc.prctl(PR_CAP_AMBIENT, AMBIENT_RAISE, number, 0, 0), "capabilities go")


def step_down() -> None:
    """Make this process, which must have one thread, nobody for good, with uids for bots; raises OSError.

    Our own programs, which it executes, can hand out uids too; bots are started inside `kept_back`.
    """
    roots = is_roots()
    enter_namespace(uids=roots)
    if roots and not uids():
        raise PermissionError(0, "no range of uids for bots")
    hold(KEPT if roots else (), over_exec=True)


def uids() -> tuple[int, int] | None:
    """Return (first, count) of the ids this process may give to bots, or None."""
    found = [(inside, count) for inside, _, count in _extents("/proc/self/uid_map") if inside == FIRST]
    return found[0] if found and capabilities() & KEPT_BITS == KEPT_BITS else None


def capabilities() -> int:
    """Return the effective capabilities as a bit mask."""
    with open("/proc/self/status") as status:
        return int(next(line.split()[1] for line in status if line.startswith("CapEff")), 16)


def is_roots() -> bool:
    """Return True if the kernel treats this process as root, whatever its uid in its namespace.

    It tests a file that only root may read, and that no capability opens.
    """
    return os.access("/proc/sys/kernel/cad_pid", os.R_OK)


def map_ids(pid: int, inside_to_ours: tuple[tuple[int, int, int], ...], processes: int | None = None) -> None:
    """Write both id maps of a process in a new namespace below ours, as (inside, ours, count); raises OSError.

    `processes` is a descriptor of /proc, for callers that no longer see it by name.
    """
    text = "".join(f"{inside} {ours} {count}\n" for inside, ours, count in inside_to_ours)
    _write(pid, {"uid_map": text, "gid_map": text}, processes)


def map_own(pid: int | str, uid: int, gid: int, processes: int | None = None, *, called: int = NOBODY) -> None:
    """Map a process in a new namespace to nobody inside and our own ids outside, which needs no privilege."""
    _write(pid, {"setgroups": "deny", "uid_map": f"{called} {uid} 1", "gid_map": f"{called} {gid} 1"}, processes)


def _write(pid: int | str, files: dict[str, str], processes: int | None) -> None:
    for name, text in files.items():
        path = f"/proc/{pid}/{name}" if processes is None else f"{pid}/{name}"
        file = os.open(path, os.O_WRONLY | os.O_CLOEXEC, dir_fd=processes)
        try:
            os.write(file, text.encode())
        finally:
            os.close(file)
