"""Linux system call numbers for x86_64 and aarch64.

Source: Linux, ``asm/unistd_64.h`` (x86_64) and ``asm-generic/unistd.h`` (aarch64).
"""

from __future__ import annotations

import platform

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""Value of ``AUDIT_ARCH_…`` (``linux/audit.h``) of each supported processor architecture, by its name."""

_TABLE = """
read 0 63|readv 19 65|pread64 17 67|preadv 295 69|write 1 64|writev 20 66|close 3 57|close_range 436 436
fstat 5 80|newfstatat 262 79|statx 332 291|stat 4 -|lstat 6 -|lseek 8 62
access 21 -|faccessat 269 48|faccessat2 439 439|readlink 89 -|readlinkat 267 78|getcwd 79 17|getdents64 217 61
dup 32 23|dup2 33 -|dup3 292 24|open 2 -|openat 257 56|fcntl 72 25|ioctl 16 29|pipe 22 -|pipe2 293 59
mmap 9 222|mprotect 10 226|munmap 11 215|mremap 25 216|brk 12 214|madvise 28 233
rt_sigaction 13 134|rt_sigprocmask 14 135|rt_sigreturn 15 139|sigaltstack 131 132|restart_syscall 219 128
alarm 37 -|setitimer 38 103|getitimer 36 102|pause 34 -|rt_sigsuspend 130 133
exit 60 93|exit_group 231 94|futex 202 98|set_robust_list 273 99|set_tid_address 218 96|rseq 334 293
membarrier 324 283|sched_yield 24 124|sched_getaffinity 204 123|getcpu 309 168|sched_getparam 143 121
sched_getscheduler 145 120|sched_get_priority_max 146 125|sched_get_priority_min 147 126
poll 7 -|ppoll 271 73|select 23 -|pselect6 270 72
epoll_create1 291 20|epoll_ctl 233 21|epoll_wait 232 -|epoll_pwait 281 22|eventfd2 290 19
clock_gettime 228 113|clock_getres 229 114|clock_nanosleep 230 115|nanosleep 35 101|gettimeofday 96 169
time 201 -|times 100 153|getrusage 98 165|getrlimit 97 163|setrlimit 160 164|prlimit64 302 261
chdir 80 49|sysinfo 99 179|uname 63 160|getrandom 318 278|umask 95 166|capget 125 90
getpid 39 172|gettid 186 178|getppid 110 173|getpgrp 111 -|getpgid 121 155|getsid 124 156
getuid 102 174|geteuid 107 175|getgid 104 176|getegid 108 177|getgroups 115 158|getresuid 118 148|getresgid 120 150
setgroups 116 159|setresuid 117 147|setresgid 119 149|capset 126 91
execve 59 221|arch_prctl 158 -|prctl 157 167|seccomp 317 277|clone 56 220
fork 57 -|vfork 58 -|wait4 61 260|unlink 87 -|unlinkat 263 35|rename 82 -|renameat 264 38|renameat2 316 276
chmod 90 -|fchmod 91 52|fchmodat 268 53|ftruncate 77 46|fadvise64 221 223|copy_file_range 326 285|setpgid 109 154
ptrace 101 117|unshare 272 97|mount 165 40|pivot_root 155 41|keyctl 250 219|signalfd4 289 74
kill 62 129|tkill 200 130|tgkill 234 131|rt_sigqueueinfo 129 138|rt_tgsigqueueinfo 297 240
pidfd_open 434 434|pidfd_send_signal 424 424
socketpair 53 199|pwrite64 18 68|mkdir 83 -|mkdirat 258 34|rmdir 84 -|waitid 247 95|link 86 -|linkat 265 37
utimensat 280 88|flock 73 32|symlink 88 -|symlinkat 266 36|truncate 76 45|fallocate 285 47|rt_sigtimedwait 128 137
statfs 137 43|fstatfs 138 44|clone3 435 435|memfd_create 319 279|io_uring_setup 425 425|openat2 437 437
"""

_ROWS = [row.split() for line in _TABLE.split("\n") if line for row in line.split("|")]
NUMBERS: dict[str, dict[str, int | None]] = {
    architecture: {row[0]: None if row[column] == "-" else int(row[column]) for row in _ROWS}
    for column, architecture in enumerate(ARCHITECTURES, 1)
}
"""Number of each system call, by architecture and name; None if the architecture does not have the call."""


class UnknownProcessorError(RuntimeError):
    """Raised on a processor architecture whose system call numbers are not listed; no bot is started there."""


def find_architecture() -> str:
    """Return this machine's processor architecture; raises UnknownProcessorError."""
    name = platform.machine()
    if name not in ARCHITECTURES:
        raise UnknownProcessorError(f"the sandbox knows {', '.join(ARCHITECTURES)}, not {name}")
    return name
