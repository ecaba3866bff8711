"""Linux, macOS and Windows on one machine: a process in which our code lacks the calls that a system does not have.

``python -m tests.support.systems PROFILE`` reads command lines of `ftk` as JSON from stdin, runs each, and writes
(exit code, stdout, stderr, traceback) of each as JSON; with a command line as arguments it runs this one. Only imports
by `ftk_core` are changed, because the standard library of another system would do without these calls itself.
"""

from __future__ import annotations

import builtins
import ctypes
import importlib
import json
import mimetypes
import multiprocessing
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

UNIX_MODULES = frozenset({"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"})
LINUX_NAMES: Mapping[str, frozenset[str]] = {
    "os": frozenset({
        "O_DIRECT", "O_NOATIME", "O_PATH", "O_TMPFILE", "copy_file_range", "eventfd", "getrandom", "memfd_create",
        "pidfd_open", "pipe2", "posix_fadvise", "sched_getaffinity", "sched_setaffinity", "sched_setscheduler",
        "setresgid", "setresuid", "splice",
    }),
    "select": frozenset({"epoll"}),
    "signal": frozenset({"pidfd_send_signal", "sigtimedwait", "sigwaitinfo"}),
}  # fmt: skip
"""Module -> names that only Linux has."""
UNIX_NAMES: Mapping[str, frozenset[str]] = {
    "os": LINUX_NAMES["os"] | {
        "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "WNOHANG", "chown", "chroot", "fchmod", "fork", "forkpty", "geteuid",
        "getgid", "getgroups", "getloadavg", "getpgid", "getpgrp", "getpriority", "getuid", "killpg", "lockf", "mkfifo",
        "nice", "openpty", "posix_spawn", "pread", "preadv", "pwrite", "sendfile", "set_blocking", "setgid", "setpgid",
        "setpriority", "setsid", "setuid", "statvfs", "sysconf", "uname", "wait", "wait3", "wait4", "waitid",
    },
    "select": LINUX_NAMES["select"] | {"kqueue", "poll", "POLLIN", "POLLOUT"},
    "signal": LINUX_NAMES["signal"] | {
        "SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGTSTP", "SIGUSR1",
        "SIGUSR2", "SIGWINCH", "alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigwait",
    },
    "time": frozenset({"clock_getres", "clock_gettime", "clock_gettime_ns", "clock_settime"}),
}  # fmt: skip
"""Module -> names that Windows does not have (in Python 3.11)."""
PROFILES: Mapping[str, Mapping[str, frozenset[str]]] = {"linux": {}, "macos": LINUX_NAMES, "windows": UNIX_NAMES}
Outcome = tuple[int, str, str, str]
"""Exit code, stdout, stderr and, if there was one, the traceback of a command."""


class ReducedModule(ModuleType):
    """A module of the standard library without some of its names, and without /proc."""

    def __init__(self, module: ModuleType, missing: frozenset[str], profile: str) -> None:
        super().__init__(module.__name__)
        self.__dict__.update(_module=module, _missing=missing, _profile=profile)

    def __getattr__(self, name: str) -> Any:
        if name in self._missing:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)
        value = getattr(self._module, name)
        return self._replaced(name, value)

    def _replaced(self, name: str, value: Any) -> Any:
        if self.__name__ == "ctypes" and name == "CDLL":
            return self._load_library
        if self.__name__ == "time" and name == "clock_gettime_ns":
            return self._read_clock
        return value

    def _load_library(self, name: str | None) -> Any:
        if name is None and self._profile == "windows":
            raise TypeError("bad argument type for built-in operation")
        return ctypes.CDLL(name) if name else object()  # the C library of macOS has no `prctl`

    def _read_clock(self, _number: int) -> int:
        raise OSError(22, "Invalid argument")


class WithoutArena:
    """A finder of modules that finds nothing of the server's software."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        """Raise ModuleNotFoundError for the arena's packages."""
        if name.partition(".")[0] in ("bots", "django", "deploy"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name.partition(".")[0])


def take_away(profile: str) -> None:
    """Take from `ftk_core` in this process what a system lacks; Linux lacks nothing but the arena."""
    sys.meta_path.insert(0, WithoutArena())  # type: ignore[arg-type]  # it finds nothing
    if profile == "linux":
        return
    missing = PROFILES[profile]
    if profile == "windows":  # its registry has content types, which editors change
        mimetypes.add_type("text/plain", ".js")
    reduced = {
        name: ReducedModule(importlib.import_module(name), missing.get(name, frozenset()), profile)
        for name in ("ctypes", "os", "select", "signal", "time")
    }
    original = builtins.__import__

    def import_reduced(
        name: str, namespace: Any = None, others: Any = None, fromlist: Sequence[str] = (), level: int = 0
    ) -> Any:
        if not _is_ours(namespace):
            return original(name, namespace, others, fromlist, level)
        if profile == "windows" and name in UNIX_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return reduced[name] if name in reduced else original(name, namespace, others, fromlist, level)

    builtins.__import__ = import_reduced
    sys.addaudithook(_refuse_proc)
    multiprocessing.set_start_method("spawn")


def _is_ours(namespace: Mapping[str, Any] | None) -> bool:
    return namespace is not None and str(namespace.get("__name__", "")).startswith("ftk_core")


def _refuse_proc(event: str, arguments: tuple[Any, ...]) -> None:
    if event not in ("open", "os.listdir") or not str(arguments[0]).startswith("/proc"):
        return
    if _is_ours(sys._getframe(1).f_globals):
        raise FileNotFoundError(2, "No such file or directory", arguments[0])


def run_each(commands: Sequence[Sequence[str]]) -> list[Outcome]:
    """Run command lines of `ftk` in this process."""
    from click.testing import CliRunner
    from typer.main import get_command

    from ftk_core.kit.cli import app

    # built once, because building it takes longer than all commands
    command, outcomes = get_command(app), list[Outcome]()
    for words in commands:
        done = CliRunner().invoke(command, list(words))
        is_ours = done.exception is None or isinstance(done.exception, SystemExit)
        trace = "" if is_ours else "".join(traceback.format_exception(done.exception))
        outcomes.append((done.exit_code, done.stdout, done.stderr, trace))
    return outcomes


if __name__ == "__main__":
    take_away(sys.argv[1])
    if sys.argv[2:]:
        from ftk_core.kit.cli import app

        app(sys.argv[2:])
    result = json.dumps(run_each(json.load(sys.stdin)))
    os.write(1, result.encode())
