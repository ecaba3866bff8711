"""Seccomp policy: an allow-list of the system calls of a bot; every other call is refused.

A rule is a call with the allowed values of its arguments. A call without a rule is answered EPERM. The calls that
libc tries first but can do without are answered ENOSYS, so that it falls back.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from typing import Literal

Kind = Literal["start", "python", "native", "threads", "build", "build_threads"]


@dataclass(frozen=True, slots=True)
class Test:
    """Condition on an argument: after masking, it equals one of these values."""

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF
    """Only 32 bits are compared, which is all that the kernel reads of such an argument; see `wide`."""
    wide: bool = False
    """The argument is a pointer or a long: its upper half must be zero too."""


Rule = tuple[Test, ...]
"""Conditions that must all hold; an empty rule always allows the call."""

PLAIN = """
read readv pread64 preadv write writev close close_range fstat newfstatat statx stat lstat lseek access
faccessat faccessat2 readlink readlinkat getcwd getdents64 dup dup2 dup3 mprotect munmap brk
rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall alarm setitimer getitimer pause exit
exit_group set_robust_list rseq membarrier sched_yield getcpu sched_get_priority_max sched_get_priority_min poll
ppoll select pselect6 nanosleep gettimeofday time times getrusage getrlimit uname getrandom umask getpid gettid
getppid getpgrp getuid geteuid getgid getegid getgroups getresuid getresgid
""".split()  # noqa: SIM905 - a table to be read
"""Calls that affect only the bot itself and the files it may read."""

O_TMPFILE_BIT = 0o20000000
WRITES = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | O_TMPFILE_BIT
F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC = 0, 1, 2, 3, 4, 1030
FIONREAD, FIONBIO, FIONCLEX, FIOCLEX = 0x541B, 0x5421, 0x5450, 0x5451
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NAME, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 15, 22, 38
CLONE_THREAD_FLAGS = 0x00010000 | 0x00000100  # CLONE_THREAD | CLONE_VM
NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW… flag

MAP_SHARED, MAP_PRIVATE, MAP_ANONYMOUS = 1, 2, 0x20
MAPPINGS = 0x0F | MAP_ANONYMOUS | 0x100 | 0x40000
"""Bits that determine the kind of a mapping: its type, MAP_ANONYMOUS, MAP_GROWSDOWN and MAP_HUGETLB."""
MREMAP_MAYMOVE, MREMAP_FIXED = 1, 2
ADVICE = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17)
"""MADV_NORMAL to MADV_DONTNEED, MADV_FREE, (NO)HUGEPAGE, (NO)DUMP; not MADV_MERGEABLE, which shares pages between
processes."""
FUTEX_PRIVATE = 128
AF_UNIX = 1
ANOTHERS_CLOCK = 0x80000000
"""Bit set in every clock id that belongs to a process."""
ITSELF: Rule = (Test(0, (0,)),)

CAREFUL: dict[str, Rule] = {
    "open": (Test(1, (0,), WRITES),),
    "openat": (Test(2, (0,), WRITES),),
    "fcntl": (Test(1, (F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC)),),
    # Memory that no limit counts is refused: shared memory without a file, growing stacks, huge pages.
    "mmap": (Test(3, (MAP_PRIVATE, MAP_PRIVATE | MAP_ANONYMOUS, MAP_SHARED), MAPPINGS),),
    "mremap": (Test(3, (0,), 0xFFFFFFFF ^ MREMAP_MAYMOVE ^ MREMAP_FIXED),),
    "madvise": (Test(2, ADVICE),),
    "prlimit64": (Test(0, (0,)), Test(2, (0,), wide=True)),  # read only, and only its own
    "futex": (Test(1, (FUTEX_PRIVATE,), FUTEX_PRIVATE),),  # a shared futex could be in a file that others map too
    **dict.fromkeys(("clock_gettime", "clock_getres", "clock_nanosleep"), (Test(0, (0,), ANOTHERS_CLOCK),)),
    **dict.fromkeys(("getpgid", "getsid", "sched_getaffinity", "sched_getparam", "sched_getscheduler"), ITSELF),
}
"""Calls that are allowed with some arguments only."""

STARTING: dict[str, Rule] = {
    "execve": (), "chdir": (), "setrlimit": (), "prlimit64": (), "seccomp": (),
    "setgroups": (), "setresgid": (), "setresuid": (), "capset": (),
    "prctl": (Test(0, (PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NAME, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS)),),
}  # fmt: skip
"""Calls that the bootstrap needs before it gives them up; no bot has them."""

RUNNING: dict[str, Rule] = {"execve": (), "arch_prctl": (), "set_tid_address": ()}
"""Calls to start a program in another language; the sandbox contains nothing else to execute."""

THREADING: dict[str, Rule] = {
    "futex": (), "sched_getaffinity": (),
    "clone": (Test(0, (CLONE_THREAD_FLAGS,), CLONE_THREAD_FLAGS | NEW_NAMESPACES),),
    "pipe2": (), "eventfd2": (), "epoll_create1": (), "epoll_ctl": (), "epoll_wait": (), "epoll_pwait": (),
    "prctl": (Test(0, (PR_SET_NAME,)),),
    "ioctl": (Test(1, (FIONREAD, FIONBIO, FIONCLEX, FIOCLEX)),),
    "fcntl": (Test(1, (F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC)),),
}  # fmt: skip
"""Calls for a runtime with threads (node); processes and facts about the host (`sysinfo`) stay forbidden."""

BUILDING: dict[str, Rule] = {
    "fork": (), "vfork": (), "wait4": (), "execve": (), "setpgid": (), "pipe": (), "pipe2": (), "chdir": (),
    "open": (), "openat": (), "fcntl": (), "unlink": (), "unlinkat": (), "rename": (), "renameat": (), "renameat2": (),
    "chmod": (), "fchmod": (), "fchmodat": (), "ftruncate": (), "fadvise64": (), "copy_file_range": (), "statfs": (),
    "fstatfs": (), "arch_prctl": (), "set_tid_address": (), "prlimit64": (), "setrlimit": (), "rt_sigsuspend": (),
    "clone": (Test(0, (0,), NEW_NAMESPACES),),
}  # fmt: skip
"""Additional calls of a compiler, in a sandbox where only its scratch space is writable."""

BUILDING_THREADS: dict[str, Rule] = {
    **THREADING, **BUILDING,
    "socketpair": (Test(0, (AF_UNIX,)),),
    "pwrite64": (), "mkdir": (), "mkdirat": (), "rmdir": (), "waitid": (), "link": (), "linkat": (), "utimensat": (),
    "flock": (), "tgkill": (), "rt_sigtimedwait": (), "truncate": (), "fallocate": (), "symlinkat": (), "symlink": (),
}  # fmt: skip
"""Additional calls of a compiler with threads (rustc, Go, Java, Zig), in the same sandbox; it sees only its own
processes."""

NOT_THERE = ("clone3", "memfd_create", "io_uring_setup", "openat2")
"""Answered ENOSYS, so that libc falls back to calls whose arguments we can check."""

ANSWERS = {**dict.fromkeys(NOT_THERE, errno.ENOSYS), "ioctl": errno.ENOTTY}
"""Error numbers of refused calls; EPERM for all others."""


def rules(kind: Kind) -> dict[str, Rule]:
    """Return the allowed calls: for the bootstrap, a Python bot, a native one, one with threads, or a compiler."""
    allowed: dict[str, Rule] = {**dict.fromkeys(PLAIN, ()), **CAREFUL}
    more = {"python": {}, "native": RUNNING, "threads": {**RUNNING, **THREADING}, "build": BUILDING}
    more["build_threads"] = BUILDING_THREADS
    if kind == "start":  # it must not be narrower than any filter that comes after it
        return {**allowed, **RUNNING, **THREADING, **STARTING}
    return {**allowed, **more[kind]}
