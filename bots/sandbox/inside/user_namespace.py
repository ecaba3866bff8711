"""User namespaces, in which a process drops its root rights before it starts bots."""
# Outside the namespace the process has no rights. Inside it keeps three capabilities, to give each bot a uid of its
# own. Standard library only, because deploy/supervisor/child_launcher.py loads this file by its path.

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
KEPT_CAPABILITIES = (KILL, SETGID, SETUID)
"""Capabilities that let this process signal bots and give them uids and gids, in its own namespace only."""
KEPT_CAPABILITY_BITS = sum(1 << number for number in KEPT_CAPABILITIES)
FIRST_BOT_UID = 0x70000000
"""Uids of bots begin here in the namespace, and also on the host if it has enough uids. systemd uses other uids."""
MAX_BOT_UIDS = 65_536
MIN_BOT_UIDS = 4_096

libc = ctypes.CDLL(None, use_errno=True)


def raise_on_error(result: int, action: str) -> None:
    """Raise OSError with errno if a C call returned a value other than 0."""
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{action}: {os.strerror(ctypes.get_errno())}")


def _read_id_map(path: str) -> list[list[int]]:
    with open(path) as file:
        return [[int(word) for word in line.split()] for line in file]


def _bot_id_line(path: str) -> str:
    """Return the id map line that gives a new user namespace the ids for bots; empty if too few ids exist."""
    # The ids are the same outside if the current namespace (`path` is its map) has them, otherwise its last
    # `MIN_BOT_UIDS` ids.
    last = max(_read_id_map(path))
    end = last[0] + last[2]
    if end >= FIRST_BOT_UID + MAX_BOT_UIDS:
        return f"{FIRST_BOT_UID} {FIRST_BOT_UID} {MAX_BOT_UIDS}\n"
    return f"{FIRST_BOT_UID} {end - MIN_BOT_UIDS} {MIN_BOT_UIDS}\n" if last[2] > MIN_BOT_UIDS else ""


def enter_namespaces(kinds: int, receive_ids: Callable[[], object]) -> None:
    """Enter new Linux namespaces, given as CLONE_NEW flags. Raises OSError.

    `receive_ids` must map this process's user and group ids, or wait until another process has mapped them.
    """
    raise_on_error(libc.unshare(kinds), "namespaces are not available")
    receive_ids()


def enter_namespace(*, uids: bool = False, inner_id: int = NOBODY) -> None:
    """Enter a new user namespace, in which this process gets the user id and group id `inner_id`. Raises OSError.

    If `uids` is True, the namespace also has a range of user ids for bots.
    """
    # Inside the new namespace this process may map only its own ids. So a forked child, which stays outside, writes the
    # maps.
    uid, gid, ours = os.getuid(), os.getgid(), os.getpid()
    waits, goes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(goes)
        os._exit(0 if os.read(waits, 1) and _map_ids_as_child(ours, uid, gid, inner_id, uids=uids) else 1)
    os.close(waits)
    try:
        enter_namespaces(NEWUSER, lambda: os.write(goes, b"\n"))
    finally:
        os.close(goes)
        _, status = os.waitpid(child, 0)
    if status != 0:
        raise PermissionError("no ids in the user namespace")


def _map_ids_as_child(pid: int, uid: int, gid: int, inner_id: int, *, uids: bool) -> bool:
    """Write the user and group id maps of the process `pid`. Return True on success."""
    try:
        if uids:
            own = {"uid_map": uid, "gid_map": gid}
            lines = {name: f"{inner_id} {own[name]} 1\n{_bot_id_line(f'/proc/self/{name}')}" for name in own}
            _write(pid, lines, None)
        else:
            map_own_ids(pid, uid, gid, inner_id=inner_id)
    except OSError:
        return False
    return True


def keep_capabilities(capabilities: tuple[int, ...], *, over_exec: bool = False) -> None:
    """Drop all capabilities except `capabilities`. Raises OSError.

    If `over_exec` is True, programs that this process executes keep them too.
    """
    bits = sum(1 << number for number in capabilities)
    header = struct.pack("=Ii", CAPABILITIES_VERSION, 0)
    kept = struct.pack("=IIIIII", bits, bits, bits if over_exec else 0, 0, 0, 0)
    raise_on_error(libc.capset(header, kept), "capabilities stay")
    for number in capabilities if over_exec else ():
        raise_on_error(libc.prctl(PR_CAP_AMBIENT, AMBIENT_RAISE, number, 0, 0), "capabilities go")


@contextmanager
def without_ambient_capabilities() -> Iterator[None]:
    """Drop this thread's ambient capabilities during the block, so that processes started in the block have none."""
    ours = [number for number in KEPT_CAPABILITIES if libc.prctl(PR_CAP_AMBIENT, AMBIENT_IS_SET, number, 0, 0) == 1]
    raise_on_error(libc.prctl(PR_CAP_AMBIENT, AMBIENT_CLEAR, 0, 0, 0), "capabilities stay")
    try:
        yield
    finally:
        for number in ours:
            raise_on_error(libc.prctl(PR_CAP_AMBIENT, AMBIENT_RAISE, number, 0, 0), "capabilities go")


def drop_root() -> None:
    """Change this process permanently to the user nobody (uid 65534). Raises OSError.

    The process must have only one thread.
    """
    # A former root process, and the programs it executes, keep the right to assign uids to bots. Start bots inside
    # `without_ambient_capabilities`, so that they do not inherit it.
    was_root = has_root_rights()
    enter_namespace(uids=was_root)
    if was_root and not bot_uids():
        raise PermissionError(0, "no range of uids for bots")
    keep_capabilities(KEPT_CAPABILITIES if was_root else (), over_exec=True)


def bot_uids() -> tuple[int, int] | None:
    """Return the range of user ids for bots as (first, count), or None if this process may not assign ids."""
    found = [(inside, count) for inside, _, count in _read_id_map("/proc/self/uid_map") if inside == FIRST_BOT_UID]
    return found[0] if found and capabilities() & KEPT_CAPABILITY_BITS == KEPT_CAPABILITY_BITS else None


def capabilities() -> int:
    """Return the effective capabilities of this process as a bit mask."""
    with open("/proc/self/status") as status:
        return int(next(line.split()[1] for line in status if line.startswith("CapEff")), 16)


def has_root_rights() -> bool:
    """Return True if the kernel treats this process as root."""
    # Only root on the host may read this file in /proc; capabilities and the uid in a namespace do not count.
    return os.access("/proc/sys/kernel/cad_pid", os.R_OK)


def map_ids(pid: int, inside_to_ours: tuple[tuple[int, int, int], ...], processes: int | None = None) -> None:
    """Write the user and group id maps of a process in a child namespace. Raises OSError.

    Each range is a triple: first id in the child namespace, first id in our namespace, count.
    """
    # `processes` is a descriptor of /proc, for callers whose root has no /proc.
    text = "".join(f"{inside} {ours} {count}\n" for inside, ours, count in inside_to_ours)
    _write(pid, {"uid_map": text, "gid_map": text}, processes)


def map_own_ids(pid: int | str, uid: int, gid: int, processes: int | None = None, *, inner_id: int = NOBODY) -> None:
    """Write the id maps of a process in a new user namespace, where `uid` and `gid` appear as `inner_id`."""
    # No privilege is needed if `uid` and `gid` are those of this process.
    _write(pid, {"setgroups": "deny", "uid_map": f"{inner_id} {uid} 1", "gid_map": f"{inner_id} {gid} 1"}, processes)


def _write(pid: int | str, files: dict[str, str], processes: int | None) -> None:
    for name, text in files.items():
        path = f"/proc/{pid}/{name}" if processes is None else f"{pid}/{name}"
        file = os.open(path, os.O_WRONLY | os.O_CLOEXEC, dir_fd=processes)
        try:
            os.write(file, text.encode())
        finally:
            os.close(file)
