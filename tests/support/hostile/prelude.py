"""Code at the top of every hostile bot: the protocol, and a report of an attempt's result.

The harness fills in ``HINTS`` (facts that an attacker with inside knowledge has). A bot writes ``BREACH ...`` if an
attempt succeeded, and ``held ...`` if it was refused.
"""

from __future__ import annotations

import errno
import json
import os
import sys

TYPE_CHECKING = False  # for a checker it is true; `typing` takes longer to import than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

HINTS: dict[str, Any] = {}
MARK: str = HINTS.get("mark", "")
LIBRARY = os.path.dirname(os.__file__)
"""The standard library, the only folder that all bots share."""
REFUSALS = (errno.EPERM, errno.EACCES, errno.ENOSYS)
"""Errors by which a sandbox refuses; any other error means that the kernel already looked at the arguments."""
NUMBERS = {
    "shmget": 29, "shmctl": 31, "getpid": 39, "vfork": 58, "semget": 64, "semctl": 66, "msgget": 68, "msgctl": 71,
    "sysinfo": 99, "ptrace": 101, "syslog": 103, "rt_sigqueueinfo": 129, "personality": 135, "modify_ldt": 154,
    "pivot_root": 155, "chroot": 161, "acct": 163, "settimeofday": 164, "mount": 165, "umount2": 166, "swapon": 167,
    "reboot": 169, "sethostname": 170, "iopl": 172, "init_module": 175, "quotactl": 179, "tkill": 200, "futex": 202,
    "clock_settime": 227, "tgkill": 234, "get_mempolicy": 239, "mq_open": 240, "mq_unlink": 241, "kexec_load": 246,
    "add_key": 248, "keyctl": 250, "ioprio_set": 251, "unshare": 272, "splice": 275, "vmsplice": 278,
    "inotify_init1": 294, "perf_event_open": 298, "fanotify_init": 300, "name_to_handle_at": 303,
    "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312,
    "finit_module": 313, "seccomp": 317, "memfd_create": 319, "bpf": 321, "execveat": 322, "userfaultfd": 323,
    "pidfd_send_signal": 424, "io_uring_setup": 425, "open_tree": 428, "fsopen": 430, "pidfd_open": 434, "clone3": 435,
    "openat2": 437, "pidfd_getfd": 438, "process_madvise": 440, "landlock_create_ruleset": 444, "memfd_secret": 447,
    "listmount": 458,
}  # fmt: skip
"""Numbers of system calls on x86_64, the only architecture that these bots support."""


def asks() -> Iterator[dict[str, Any]]:
    """Yield the questions in order."""
    for text in sys.stdin:
        line = json.loads(text)
        if line["type"] == "ask":
            yield line


def write(text: str | bytes) -> None:
    """Write all of the text to stdout immediately."""
    data = text.encode() if isinstance(text, str) else text
    while data:
        data = data[os.write(1, data) :]


def answer(ask: dict[str, Any], note: str = "") -> None:
    """Answer a question like a good bot."""
    write(json.dumps({"id": ask["id"], "choose": 0, "note": note[:400]}) + "\n")


def outcome(action: Callable[[], Any]) -> str:
    """Run the attempt and return its result as text."""
    try:
        got = action()
    except BaseException as error:  # noqa: BLE001 - any exception means that the attempt was stopped
        return f"held {type(error).__name__}: {error}"
    return f"BREACH {got}" if got else "held: nothing was got"


def serve(note: Callable[[], str]) -> None:
    """Answer every question, the first one with the note."""
    for number, ask in enumerate(asks()):
        answer(ask, note() if number == 0 else "")


def attempt(action: Callable[[], Any]) -> None:
    """Run the attempt at the first question; a true result proves a breach, a false result or None means no breach."""
    serve(lambda: outcome(action))


def attempt_at_import(action: Callable[[], Any]) -> None:
    """Run the attempt before the first question, and report its result with the first answer."""
    said = outcome(action)
    serve(lambda: said)


def syscall(name: str, *arguments: Any) -> int:
    """Make a system call by its number, without wrappers; raises OSError."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    number = int(name) if name.isdigit() else NUMBERS[name]
    result: int = libc.syscall(ctypes.c_long(number), *words)
    if result == -1:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


def reached(name: str, *arguments: Any) -> str:
    """Return the kernel's own response to a call with invalid arguments; raises OSError if a filter refused it."""
    try:
        return f"{name} answered {syscall(name, *arguments)}"
    except OSError as error:
        if error.errno in REFUSALS:
            raise
        return f"{name} reached the kernel: {errno.errorcode.get(error.errno or 0)}"
