"""The fork server: an interpreter in an empty root that forks each bot into its own sandbox.

A worker starts it with ``exec``, so that it holds nothing of the worker's memory. It has two phases: first it builds
the root (``build``) and executes itself again inside it; then it serves requests over a socket, each with the bot's
files, the plan and three descriptors.

It never runs a bot's code itself: each bot is forked into its own process, mount, IPC, UTS and network namespaces,
loses every capability, and runs the same bootstrap as in any sandbox backend. Standard library only.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import sys
from importlib import import_module
from typing import Any, BinaryIO

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import boot  # type: ignore[import-not-found]  # the files beside this one, outside and inside
import nobody  # type: ignore[import-not-found]  # beside this one too
import root  # type: ignore[import-not-found]  # and this

del sys.path[0]

WARM = "bisect collections copy dataclasses enum functools heapq itertools math re types typing ftk_core.kit.bot"
"""The modules that bots import most, loaded once for all of them."""
NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWPID, NEWNET = (
    0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x20000000, 0x40000000,
)  # fmt: skip
SYS_ADMIN, LAST_CAPABILITY = 21, 40
PR_CAPBSET_DROP = 24
must = boot.must
libc = boot.libc
OURS = nobody.NEWUSER | NEWNS | NEWNET | NEWIPC | NEWUTS | NEWCGROUP
A_BOTS = nobody.NEWUSER | NEWPID | NEWNS | NEWIPC | NEWUTS | NEWNET
held = ctypes.PyDLL(None, use_errno=True)
"""The same library with the GIL held during calls, as a fork requires."""


def leave_the_host(door: socket.socket, *, uids: bool) -> None:
    """Enter new namespaces; a worker with a range of ids maps them, otherwise the server maps its own."""
    uid, gid = os.getuid(), os.getgid()

    def be_given_ids() -> None:
        if uids:
            door.send(b"apart")
            door.recv(1)
        else:
            nobody.map_own("self", uid, gid)

    try:
        nobody.enter_namespaces(OURS, be_given_ids)
    except OSError as error:
        sys.exit(f"cage: {error.strerror}")
    must(libc.sethostname(b"cage", 4), "a host name")


def build() -> None:
    """Build the root and execute this file again inside it, with the capability to mount and a descriptor of /proc."""
    plan = json.loads(sys.argv[2])
    die_with_parent(plan["worker"])
    boot.die_first()
    door = socket.socket(fileno=plan["socket"])
    leave_the_host(door, uids=bool(plan["uids"]))
    processes = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    root.build_root(plan)
    ids = (nobody.SETGID, nobody.SETUID) if plan["uids"] else ()
    nobody.hold((SYS_ADMIN, *ids), over_exec=True)
    must(libc.prctl(boot.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the worker")
    for descriptor in (door.fileno(), processes):
        os.set_inheritable(descriptor, True)  # noqa: FBT003 - it takes no name
    told = json.dumps({"socket": door.fileno(), "processes": processes, "uids": plan["uids"], "calls": plan["calls"]})
    argv = [plan["python"], *plan["flags"], "/cage/server.py", "serve", plan["helper"], told]
    os.execve(argv[0], argv, plan["env"])  # noqa: S606 - a list, no shell


def die_with_parent(parent: int) -> None:
    """End this process when the worker dies."""
    must(libc.prctl(boot.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the worker")
    if os.getppid() != parent:
        sys.exit("cage: the worker is gone")


def serve() -> None:
    """Answer requests until the worker closes the socket; each has four descriptors, which are not read here."""
    sys.path.insert(0, sys.argv[2])
    for name in WARM.split():
        import_module(name)
    del sys.path[0]
    told = json.loads(sys.argv[3])
    door = socket.socket(fileno=told["socket"])
    life = os.pipe()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    door.send(b"ready")
    while descriptors := socket.recv_fds(door, 1, 4)[1]:
        pid, error = fork_bot(descriptors, life, told)
        for descriptor in descriptors:
            os.close(descriptor)
        door.send(json.dumps({"pid": pid, "error": error}).encode())


def fork_bot(descriptors: list[int], life: tuple[int, int], told: dict[str, Any]) -> tuple[int, int]:
    """Fork a bot in its own namespaces with its own uid; return its pid, or -1 and the errno."""
    waits, goes = os.pipe()
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = held.syscall(told["calls"]["clone"], A_BOTS | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        os.close(goes)
        be_bot(descriptors, life, waits)
    error = ctypes.get_errno() if pid < 0 else 0
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    os.close(waits)
    try:
        if pid > 0:
            give_ids(pid, told)
            os.write(goes, b"\n")
    except OSError as refusal:
        os.kill(pid, signal.SIGKILL)
        pid, error = -1, refusal.errno or 0
    finally:
        os.close(goes)
    return pid, error


def give_ids(pid: int, told: dict[str, Any]) -> None:
    """Map a new bot's uid to one of its own if there is a range, else to ours."""
    if told["uids"]:
        first, count = told["uids"]
        nobody.map_ids(pid, ((nobody.NOBODY, first + pid % count, 1),), told["processes"])
    else:
        nobody.map_own(pid, os.getuid(), os.getgid(), told["processes"])


def be_bot(descriptors: list[int], life: tuple[int, int], waits: int) -> None:
    """Become one bot; never returns to the server's loop."""
    try:
        if not os.read(waits, 1):
            os._exit(1)
        boot.become(enter_cage(descriptors, life))
    except SystemExit as error:
        if isinstance(error.code, str):
            os.write(2, error.code.encode())
        flush_and_leave(error.code if isinstance(error.code, int) else int(error.code is not None))
    except BaseException:  # noqa: BLE001 - print it as the interpreter would, but without the server's frames
        print_error()
        flush_and_leave(1)
    flush_and_leave(0)


def enter_cage(descriptors: list[int], life: tuple[int, int]) -> dict[str, Any]:
    """Take over the uid and the descriptors, then read the plan and the bot's files, and drop every privilege."""
    be_the_user()
    must(libc.prctl(boot.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the server")
    os.close(life[1])
    if select.select([life[0]], [], [], 0)[0]:
        os._exit(1)  # the server died before the death signal was set
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
    os.closerange(4, boot.MOST_DESCRIPTORS)
    os.setsid()
    with open(3, "rb") as file:
        plan: dict[str, Any] = json.loads(file.readline())
        lay_out(file, 0 if plan["executes"] else root.NOEXEC)
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    nobody.hold(())
    boot.close_doors(plan)
    return plan


def be_the_user() -> None:
    """Switch to the namespace's only uid, and drop all groups if the kernel allows it."""
    with contextlib.suppress(PermissionError):
        os.setgroups([])
    os.setresgid(nobody.NOBODY, nobody.NOBODY, nobody.NOBODY)
    os.setresuid(nobody.NOBODY, nobody.NOBODY, nobody.NOBODY)


def lay_out(files: BinaryIO, more: int) -> None:
    """Write the bot's files, then remount them read-only."""
    root.mount("none", "/bot", "tmpfs", root.NOSUID | root.NODEV | more, "size=16m,nr_inodes=2k,mode=755")
    while head := files.readline():
        told = json.loads(head)
        path = f"/bot/{told['path']}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(files.read(told["size"]))
        os.chmod(path, 0o555)  # noqa: S103 - one of them may be a program
    root.mount("none", "/bot", None, root.REMOUNT | root.RDONLY | root.NOSUID | root.NODEV | more)


def print_error() -> None:
    """Write the traceback to stderr, beginning with the bot's own frames."""
    kind, error, trace = sys.exc_info()
    while trace is not None and not trace.tb_frame.f_code.co_filename.startswith("/bot/"):
        trace = trace.tb_next
    sys.excepthook(kind, error, trace)  # type: ignore[arg-type]  # there is one: we are in an except clause


def flush_and_leave(code: int) -> None:
    """Exit without the server's exit handlers."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 1
    os._exit(code & 0xFF)


if __name__ == "__main__":
    {"build": build, "serve": serve}[sys.argv[1]]()
