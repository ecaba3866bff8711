"""The fork server: an interpreter that waits, warm, in an empty root, and forks a bot into a cage of its own.

Started by ``exec`` from a worker, so that it holds nothing of the worker's memory. Two lives: first it
builds the root (``build``) and becomes itself anew inside it; then it serves requests over a socket,
each with the bot's files, the plan and three descriptors. It never runs a bot's code itself: each bot is
forked into its own process, mount, IPC, UTS and network namespaces, loses every capability, and goes
through the same bootstrap as in any tier. Standard library only.
"""

import array
import base64
import ctypes
import json
import os
import random
import select
import signal
import socket
import struct
import sys
from importlib import import_module
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import boot  # type: ignore[import-not-found]  # the file beside this one, outside and inside

del sys.path[0]

WARM = "bisect collections copy dataclasses enum functools heapq itertools math re types typing ftk_core.kit.bot"
"""What bots import most: loaded once, for all of them."""
NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = (
    0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000,
)  # fmt: skip
RDONLY, NOSUID, NODEV, REMOUNT, BIND, REC, PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
DETACH = 2
SYS_ADMIN, LAST_CAPABILITY = 21, 40
PR_CAPBSET_DROP, PR_CAP_AMBIENT, AMBIENT_RAISE, AMBIENT_CLEAR = 24, 47, 2, 4
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
CLONE = {"x86_64": 56, "aarch64": 220}
REQUEST_BYTES = 64 << 20
must = boot.must
libc = boot.libc
held = ctypes.PyDLL(None, use_errno=True)
"""The same calls with the interpreter's lock kept, as a fork needs it."""


def enter_namespaces() -> None:
    """Leave the host's users, mounts, network, IPC and names behind."""
    uid, gid = os.getuid(), os.getgid()
    must(libc.unshare(NEWUSER | NEWNS | NEWNET | NEWIPC | NEWUTS | NEWCGROUP), "namespaces are not available")
    for name, line in (("setgroups", "deny"), ("uid_map", f"65534 {uid} 1"), ("gid_map", f"65534 {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(line)
    must(libc.sethostname(b"cage", 4), "a host name")


def mount(source: str, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """Mount, or exit with the reason."""
    words = [None if word is None else word.encode() for word in (source, target, kind, options)]
    must(libc.mount(words[0], words[1], words[2], flags, words[3]), f"mounting {target}")


def show(source: str, target: str) -> None:
    """Show a file or folder of the host, read-only."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o400))
    mount(source, target, None, BIND | REC)
    mount("none", target, None, BIND | REMOUNT | RDONLY | NOSUID | NODEV)


def build_root(plan: dict[str, Any]) -> None:
    """Make the root that all bots share: what the plan shows, covers and links, and nothing else; then enter it."""
    root = plan["root"]
    mount("none", "/", None, REC | PRIVATE)
    mount("none", root, "tmpfs", NOSUID | NODEV, "size=256k,mode=755")
    for link, target in plan["links"]:
        os.symlink(target, root + link)
    for source, target in plan["shown"]:
        show(source, root + target)
    for target in plan["covered"]:
        mount("none", root + target, "tmpfs", RDONLY | NOSUID | NODEV, "size=4k,mode=755")
    os.mkdir(f"{root}/bot")
    os.chdir(root)
    machine = os.uname().machine
    must(libc.syscall(PIVOT_ROOT[machine], b".", b"."), "a root of its own")
    must(libc.umount2(b".", DETACH), "leaving the host's files")
    os.chdir("/")
    mount("none", "/", None, BIND | REMOUNT | RDONLY | NOSUID | NODEV)


def keep_one_capability() -> None:
    """Keep the right to mount over the exec that follows, and no other."""
    bit = 1 << SYS_ADMIN
    header = struct.pack("=Ii", 0x20080522, 0)
    must(libc.capset(header, struct.pack("=IIIIII", bit, bit, bit, 0, 0, 0)), "keeping the right to mount")
    must(libc.prctl(PR_CAP_AMBIENT, AMBIENT_RAISE, SYS_ADMIN, 0, 0), "keeping the right to mount")


def build() -> None:
    """Build the root and begin anew inside it."""
    plan = json.loads(sys.argv[2])
    die_with_parent(plan["worker"])
    enter_namespaces()
    build_root(plan)
    keep_one_capability()
    must(libc.prctl(boot.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the worker")
    argv = [plan["python"], "-I", "-S", "-B", "/cage/server.py", "serve", plan["helper"], str(plan["socket"])]
    os.execve(argv[0], argv, plan["env"])  # noqa: S606 - a list, no shell


def die_with_parent(parent: int) -> None:
    """Tie our life to the worker's."""
    must(libc.prctl(boot.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the worker")
    if os.getppid() != parent:
        sys.exit("cage: the worker is gone")


def serve() -> None:
    """Answer requests until the worker hangs up."""
    sys.path.insert(0, sys.argv[2])
    for name in WARM.split():
        import_module(name)
    del sys.path[0]
    door = socket.socket(fileno=int(sys.argv[3]))
    life = os.pipe()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    number = CLONE[os.uname().machine]
    flags = NEWPID | NEWNS | NEWIPC | NEWUTS | NEWNET | signal.SIGCHLD
    door.send(b"ready")
    while request := receive(door):
        plan, descriptors = request
        ctypes.pythonapi.PyOS_BeforeFork()
        pid = held.syscall(number, flags, 0, 0, 0, 0)
        if pid == 0:
            ctypes.pythonapi.PyOS_AfterFork_Child()
            be_bot(plan, descriptors, life)
        ctypes.pythonapi.PyOS_AfterFork_Parent()
        for descriptor in descriptors:
            os.close(descriptor)
        door.send(json.dumps({"pid": pid, "error": ctypes.get_errno() if pid < 0 else 0}).encode())


def receive(door: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Return the next plan and the bot's three descriptors; None once the worker has hung up."""
    descriptors = array.array("i")
    head, ancillary, _, _ = door.recvmsg(8, socket.CMSG_SPACE(3 * descriptors.itemsize))
    if len(head) < 8:
        return None
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(content[: 3 * descriptors.itemsize])
    size = int.from_bytes(head, "big")
    body = bytearray()
    while len(body) < size:
        chunk = door.recv(min(size - len(body), 1 << 20))
        if not chunk:
            return None
        body += chunk
    return json.loads(body), list(descriptors)


def be_bot(plan: dict[str, Any], descriptors: list[int], life: tuple[int, int]) -> None:
    """Become one bot; never returns to the server's loop."""
    try:
        enter_cage(plan, descriptors, life)
        boot.become(plan)
    except SystemExit as error:
        if isinstance(error.code, str):
            os.write(2, error.code.encode())
        flush_and_leave(error.code if isinstance(error.code, int) else int(error.code is not None))
    except BaseException:  # noqa: BLE001 - what the interpreter does with an uncaught error, without the server's frames
        print_error()
        flush_and_leave(1)
    flush_and_leave(0)


def enter_cage(plan: dict[str, Any], descriptors: list[int], life: tuple[int, int]) -> None:
    """Take the descriptors, the files, and leave every right behind."""
    must(libc.prctl(boot.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the server")
    os.close(life[1])
    if select.select([life[0]], [], [], 0)[0]:
        os._exit(1)  # the server died before it could take us with it
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
    os.closerange(3, 1024)
    os.setsid()
    lay_out(plan.pop("files"))
    mount("none", "/bot", None, REMOUNT | RDONLY | NOSUID | NODEV)
    must(libc.prctl(PR_CAP_AMBIENT, AMBIENT_CLEAR, 0, 0, 0), "dropping capabilities")
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    must(libc.capset(struct.pack("=Ii", 0x20080522, 0), bytes(24)), "dropping capabilities")
    random.seed(0)
    boot.close_doors(plan)


def lay_out(files: dict[str, str]) -> None:
    """Write the bot's files where it will find them."""
    mount("none", "/bot", "tmpfs", NOSUID | NODEV, "size=16m,nr_inodes=2k,mode=755")
    for name, content in files.items():
        path = f"/bot/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(content))
        os.chmod(path, 0o555)  # noqa: S103 - one of them may be a program


def print_error() -> None:
    """Write the traceback to stderr, from the bot's own frames on."""
    kind, error, trace = sys.exc_info()
    while trace is not None and not trace.tb_frame.f_code.co_filename.startswith("/bot/"):
        trace = trace.tb_next
    sys.excepthook(kind, error, trace)  # type: ignore[arg-type]  # there is one: we are in an except clause


def flush_and_leave(code: int) -> None:
    """End without running what the server would run at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 1
    os._exit(code & 0xFF)


if __name__ == "__main__":
    {"build": build, "serve": serve}[sys.argv[1]]()
