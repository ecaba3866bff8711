"""Bot that tests the sandbox by attempting forbidden actions."""
# It runs in the sandbox like any bot, and uses only the standard library. It also tries two imports that every bot
# needs.

import ctypes
import json
import os
import resource
import signal
import socket
import struct
import sys
import threading
from collections.abc import Callable
from functools import partial

libc = ctypes.CDLL(None, use_errno=True)
TOLD = json.loads(sys.argv[1])
NUMBERS: dict[str, int] = TOLD["numbers"]
VICTIM: int = TOLD["victim"]
"""Host pid of a process that the bot must not reach. In a PID namespace no process but the bot can have this pid."""
SI_QUEUE = -1
LIBRARY = os.__file__


def call(name: str, *arguments: object) -> None:
    """Make a system call by its name in `NUMBERS`; raises OSError if it fails."""
    result = libc.syscall(NUMBERS[name], *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)


def fork() -> None:
    """Fork a process that exits at once; raises OSError if that is forbidden."""
    if os.fork() == 0:
        os._exit(0)


def thread() -> None:
    """Start a thread; raises RuntimeError if that is forbidden."""
    threading.Thread(target=int).start()


def raise_limit() -> None:
    """Raise the limit of the address space to infinity; raises ValueError if that is forbidden."""
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def find_open_descriptor() -> None:
    """Look for a file descriptor that the worker left open; raises OSError if there is none."""
    for descriptor in range(3, 64):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        return
    raise OSError("nothing is open")


def find_foreign_variable() -> None:
    """Look for an environment variable that the worker leaked to the bot; raises OSError if there is none."""
    known = {"LANG", "LD_LIBRARY_PATH", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PWD", "PYTHONHASHSEED", "LC_CTYPE"}
    if not set(os.environ) - known:
        raise OSError("it is empty")


def check_privileges() -> None:
    """Find root rights or capabilities of this process; raises OSError if it has none, as a sandbox must ensure."""
    header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    known = libc.syscall(NUMBERS["capget"], header, sets) == 0
    if os.geteuid() != 0 and not (known and any(sets)):
        raise OSError("none")


def send_signal_by_call(name: str, *arguments: object) -> None:
    """Attempt to signal a process with a system call. Raises OSError if that fails."""
    # The first signal is 0, which only checks the permission.
    for number in (0, signal.SIGABRT):
        queued = ctypes.create_string_buffer(struct.pack("=iii", number, 0, SI_QUEUE), 128)
        more = [number, *([queued] if "queue" in name else [])]
        try:
            call(name, *arguments, *more)
        except OSError:
            continue
        return
    raise OSError("refused")


def signal_by_pidfd() -> None:
    """Try to signal the process `VICTIM` through a pidfd; raises OSError if that fails."""
    handle = libc.syscall(NUMBERS["pidfd_open"], VICTIM, 0)
    if handle < 0:
        raise OSError("no handle")
    call("pidfd_send_signal", handle, 0, None, 0)


ATTEMPTS: dict[str, Callable[[], object]] = {
    "read a system file": lambda: open("/etc/passwd").close(),
    "list the root of a host": lambda: os.listdir("/etc"),
    "look at processes": lambda: open("/proc/self/status").close(),
    "write a file": lambda: open("probe", "w").close(),
    "write a temporary file": lambda: open("/tmp/probe", "w").close(),
    "open a device": lambda: open("/dev/null", "w").close(),
    "see the environment": find_foreign_variable,
    "find an open file": find_open_descriptor,
    "be privileged": check_privileges,
    "import our packages": lambda: __import__("django"),
    "open a network socket": lambda: socket.socket(socket.AF_INET),
    "open a local socket": lambda: socket.socket(socket.AF_UNIX),
    "fork": fork,
    "start a thread": thread,
    "run a program": lambda: os.execv("/bin/true", ["true"]),
    "signal a process": lambda: os.kill(os.getppid() or 1, 0),
    **{
        f"signal by {name}": partial(send_signal_by_call, name, VICTIM) for name in ("kill", "tkill", "rt_sigqueueinfo")
    },
    **{
        f"signal by {name}": partial(send_signal_by_call, name, VICTIM, VICTIM)
        for name in ("tgkill", "rt_tgsigqueueinfo")
    },
    "signal by a handle": signal_by_pidfd,
    "raise a limit": raise_limit,
    "lock a shared file": lambda: __import__("fcntl").flock(open(LIBRARY), 2),
    "survive the worker": lambda: call("prctl", 1, 0, 0, 0, 0),
    "trace a process": lambda: call("ptrace", 0, 0, 0, 0),
    "make a namespace": lambda: call("unshare", 0x10000000),
    "mount": lambda: call("mount", b"none", b"/", b"tmpfs", 0, 0),
    "keep memory in a file": lambda: call("memfd_create", b"probe", 0),
    "use io_uring": lambda: call("io_uring_setup", 1, 0),
    "use keys": lambda: call("keyctl", 0, -3, 0, 0, 0),
    "catch a signal of somebody": lambda: call("signalfd4", -1, ctypes.c_uint64(1 << (signal.SIGINT - 1)), 8, 0),
}


NEEDED: dict[str, Callable[[], object]] = {
    "import ftk_core.kit.bot": lambda: __import__("ftk_core.kit.bot"),
    "import a module from a subfolder of the bot": lambda: __import__("subfolder.module"),
}
"""Imports that every bot needs."""


def main() -> None:
    """Attempt each forbidden action and each import that every bot needs, and print the results as JSON."""
    done, failed = [], []
    for name, need in NEEDED.items():
        try:
            need()
        except BaseException:  # noqa: BLE001 - any failure is reported
            failed.append(name)
    for name, attempt in ATTEMPTS.items():
        try:
            attempt()
            done.append(name)
        except BaseException:  # noqa: BLE001 - any kind of refusal is the expected result
            continue
    print(json.dumps({"tried": len(ATTEMPTS), "could": done, "could_not": failed}), flush=True)


if __name__ == "__main__":
    main()
