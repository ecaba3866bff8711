"""List of the system calls that a bot may make."""
# A rule gives the allowed values of a call's arguments. Every other call fails with EPERM; some fail with ENOSYS, so
# that libc falls back to older calls.

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from typing import Literal

Kind = Literal["start", "python", "native", "threads", "build", "build_threads"]
"""Kind of process that a seccomp filter restricts: the bootstrap, three kinds of bots, or two kinds of compilers."""


@dataclass(frozen=True, slots=True)
class SystemCallCondition:
    """Condition on the value of one argument of a system call."""

    # The argument's bits in `mask` equal one of `values`. Positions of arguments are counted from 0.

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF
    """Bits of the argument's lower 32 bits that are compared. The upper 32 bits are checked only if `wide` is True."""
    wide: bool = False
    """True if the argument is a pointer or a long, whose upper 32 bits must be zero too."""


Rule = tuple[SystemCallCondition, ...]
"""Conditions on the arguments of a call, which must all hold; an empty rule always allows the call."""

UNCONDITIONAL_CALLS = """
read readv pread64 preadv write writev close close_range fstat newfstatat statx stat lstat lseek access
faccessat faccessat2 readlink readlinkat getcwd getdents64 dup dup2 dup3 mprotect munmap brk
rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall alarm setitimer getitimer pause exit
exit_group set_robust_list rseq membarrier sched_yield getcpu sched_get_priority_max sched_get_priority_min poll
ppoll select pselect6 nanosleep gettimeofday time times getrusage getrlimit uname getrandom umask getpid gettid
getppid getpgrp getuid geteuid getgid getegid getgroups getresuid getresgid
""".split()  # noqa: SIM905 - a table to be read
"""Calls that are always allowed, because they affect only the bot itself and the files it may read."""

O_TMPFILE_BIT = 0o20000000
WRITE_FLAGS = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | O_TMPFILE_BIT
F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC = 0, 1, 2, 3, 4, 1030
FIONREAD, FIONBIO, FIONCLEX, FIOCLEX = 0x541B, 0x5421, 0x5450, 0x5451
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NAME, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 15, 22, 38
CLONE_THREAD_FLAGS = 0x00010000 | 0x00000100  # CLONE_THREAD | CLONE_VM
NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW… flag

MAP_SHARED, MAP_PRIVATE, MAP_ANONYMOUS = 1, 2, 0x20
MAPPINGS = 0x0F | MAP_ANONYMOUS | 0x100 | 0x40000
"""Bits of the mmap flags that are checked: the type (shared, private), MAP_ANONYMOUS, MAP_GROWSDOWN and MAP_HUGETLB."""
MREMAP_MAYMOVE, MREMAP_FIXED = 1, 2
ALLOWED_ADVICE = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17)
"""Allowed advice for madvise: MADV_NORMAL to MADV_DONTNEED, MADV_FREE, (NO)HUGEPAGE, (NO)DUMP; not MADV_MERGEABLE,
which shares pages between processes."""
FUTEX_PRIVATE = 128
AF_UNIX = 1
PROCESS_CLOCK_BIT = 0x80000000
"""Bit that is set in the id of every clock that measures a process, which bots may not read."""
OWN_PROCESS: Rule = (SystemCallCondition(0, (0,)),)

CONDITIONAL_CALLS: dict[str, Rule] = {
    "open": (SystemCallCondition(1, (0,), WRITE_FLAGS),),
    "openat": (SystemCallCondition(2, (0,), WRITE_FLAGS),),
    "fcntl": (SystemCallCondition(1, (F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC)),),
    # Memory that no limit counts is refused: shared memory without a file, growing stacks, huge pages.
    "mmap": (SystemCallCondition(3, (MAP_PRIVATE, MAP_PRIVATE | MAP_ANONYMOUS, MAP_SHARED), MAPPINGS),),
    "mremap": (SystemCallCondition(3, (0,), 0xFFFFFFFF ^ MREMAP_MAYMOVE ^ MREMAP_FIXED),),
    "madvise": (SystemCallCondition(2, ALLOWED_ADVICE),),
    "prlimit64": (
        SystemCallCondition(0, (0,)),
        SystemCallCondition(2, (0,), wide=True),
    ),  # a bot may read its own limits, not set them
    "futex": (
        SystemCallCondition(1, (FUTEX_PRIVATE,), FUTEX_PRIVATE),
    ),  # a shared futex could be in a file that other bots map too
    **dict.fromkeys(
        ("clock_gettime", "clock_getres", "clock_nanosleep"), (SystemCallCondition(0, (0,), PROCESS_CLOCK_BIT),)
    ),
    **dict.fromkeys(("getpgid", "getsid", "sched_getaffinity", "sched_getparam", "sched_getscheduler"), OWN_PROCESS),
}
"""Calls that are allowed with certain arguments only."""

BOOTSTRAP_CALLS: dict[str, Rule] = {
    "execve": (), "chdir": (), "setrlimit": (), "prlimit64": (), "seccomp": (),
    "setgroups": (), "setresgid": (), "setresuid": (), "capset": (),
    "prctl": (SystemCallCondition(0, (PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NAME, PR_SET_SECCOMP,
    PR_SET_NO_NEW_PRIVS)),),
}  # fmt: skip
"""Additional calls of the bootstrap, which sets up the sandbox; it gives them up before the bot starts."""

EXECUTION_CALLS: dict[str, Rule] = {"execve": (), "arch_prctl": (), "set_tid_address": ()}
"""Additional calls to start a bot that is not written in Python."""

THREAD_CALLS: dict[str, Rule] = {
    "futex": (), "sched_getaffinity": (),
    "clone": (SystemCallCondition(0, (CLONE_THREAD_FLAGS,), CLONE_THREAD_FLAGS | NEW_NAMESPACES),),
    "pipe2": (), "eventfd2": (), "epoll_create1": (), "epoll_ctl": (), "epoll_wait": (), "epoll_pwait": (),
    "prctl": (SystemCallCondition(0, (PR_SET_NAME,)),),
    "ioctl": (SystemCallCondition(1, (FIONREAD, FIONBIO, FIONCLEX, FIOCLEX)),),
    "fcntl": (SystemCallCondition(1, (F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC)),),
}  # fmt: skip
"""Additional calls of a runtime with threads; new processes and data about the host (`sysinfo`) stay refused."""

COMPILER_CALLS: dict[str, Rule] = {
    "fork": (), "vfork": (), "wait4": (), "execve": (), "setpgid": (), "pipe": (), "pipe2": (), "chdir": (),
    "open": (), "openat": (), "fcntl": (), "unlink": (), "unlinkat": (), "rename": (), "renameat": (), "renameat2": (),
    "chmod": (), "fchmod": (), "fchmodat": (), "ftruncate": (), "fadvise64": (), "copy_file_range": (), "statfs": (),
    "fstatfs": (), "arch_prctl": (), "set_tid_address": (), "prlimit64": (), "setrlimit": (), "rt_sigsuspend": (),
    "clone": (SystemCallCondition(0, (0,), NEW_NAMESPACES),),
}  # fmt: skip
"""Additional calls of a compiler, in a sandbox where only its scratch space is writable."""

THREADED_COMPILER_CALLS: dict[str, Rule] = {
    **THREAD_CALLS, **COMPILER_CALLS,
    "socketpair": (SystemCallCondition(0, (AF_UNIX,)),),
    "pwrite64": (), "mkdir": (), "mkdirat": (), "rmdir": (), "waitid": (), "link": (), "linkat": (), "utimensat": (),
    "flock": (), "tgkill": (), "rt_sigtimedwait": (), "truncate": (), "fallocate": (), "symlinkat": (), "symlink": (),
}  # fmt: skip
"""Additional calls of a compiler with threads (rustc, Go, Java, Zig), in the same sandbox as other compilers; they can
signal only processes of their own PID namespace."""

UNIMPLEMENTED_CALLS = ("clone3", "memfd_create", "io_uring_setup", "openat2")
"""Calls that fail with ENOSYS, so that libc falls back to calls whose arguments the filter can check."""

ERRNO_BY_CALL = {**dict.fromkeys(UNIMPLEMENTED_CALLS, errno.ENOSYS), "ioctl": errno.ENOTTY}
"""Error numbers of refused calls; every call not listed fails with EPERM."""


def list_rules(kind: Kind) -> dict[str, Rule]:
    """Map each system call that a kind of process may make to the conditions on its arguments."""
    # `start` is the script that completes the sandbox before the bot runs. Bots have the kinds `python`, `native`
    # (compiled) and `threads`; compilers have `build` and `build_threads`.
    allowed: dict[str, Rule] = {**dict.fromkeys(UNCONDITIONAL_CALLS, ()), **CONDITIONAL_CALLS}
    more = {
        "python": {},
        "native": EXECUTION_CALLS,
        "threads": {**EXECUTION_CALLS, **THREAD_CALLS},
        "build": COMPILER_CALLS,
    }
    more["build_threads"] = THREADED_COMPILER_CALLS
    if kind == "start":  # the bootstrap's filter must allow what later filters allow
        return {**allowed, **EXECUTION_CALLS, **THREAD_CALLS, **BOOTSTRAP_CALLS}
    return {**allowed, **more[kind]}
