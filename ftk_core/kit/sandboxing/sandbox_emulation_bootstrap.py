"""Start of a bot on a machine without a sandbox. An audit hook refuses the operations that a sandbox refuses."""
# Started as `python -s -P -S -B sandbox_emulation_bootstrap.py <plan as JSON>`, with the standard library only.
# The errors are those of the sandbox, word for word, so that an author sees them before the upload. The hooks are no
# protection against hostile bots, because they do not restrict C code.

import contextlib
import errno
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from types import ModuleType, TracebackType
from typing import Any

WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
WRITING_EVENTS = frozenset({
    "os.chdir", "os.chflags", "os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir",
    "os.posix_spawn", "os.setxattr", "os.removexattr", "os.symlink", "os.truncate", "os.utime",
})  # fmt: skip
"""Audit events that are refused with PermissionError: mostly changes of files. The first argument of an event is a
path; a second one can be the target path."""
READING_EVENTS = frozenset({"os.listdir", "os.scandir", "os.getxattr", "os.listxattr"})
SYSTEM_CALL_EVENTS = frozenset({
    "fcntl.flock", "fcntl.lockf", "os.exec", "os.fork", "os.forkpty", "os.kill", "os.killpg", "os.startfile",
    "signal.pthread_kill", "socket.__new__", "subprocess.Popen",
})  # fmt: skip
LIMIT_EVENTS = frozenset({"resource.setrlimit", "resource.prlimit"})
THREAD_FUNCTIONS = ("start_joinable_thread", "start_new", "start_new_thread")
NOBODY = 65534
"""User id of every bot in the sandbox. The sandbox has no list of users, so this id has no user name."""
REFUSED_FUNCTIONS = {
    "os": (
        "eventfd", "fchdir", "ftruncate", "getloadavg", "getlogin", "getpriority", "memfd_create", "mkfifo", "mknod",
        "nice", "openpty", "pidfd_open", "pipe", "pipe2", "sched_setaffinity", "sched_setscheduler", "sendfile",
        "setgid", "setpgid", "setpriority", "setsid", "setuid", "splice", "statvfs", "sync", "wait", "waitpid",
    ),
    "pwd": ("getpwuid", "getpwnam"),
    "select": ("epoll", "kqueue"),
    "signal": ("raise_signal",),
    "_multiprocessing": ("SemLock",),
    "_posixshmem": ("shm_open",),
    "_socket": ("socketpair",),
    "_thread": THREAD_FUNCTIONS,
}  # fmt: skip
"""Functions that fail in the sandbox and raise no audit event."""
ERRORS: dict[tuple[str, str], Callable[..., Exception]] = {
    ("os", "getlogin"): lambda: OSError(errno.ENOTTY, os.strerror(errno.ENOTTY)),
    ("os", "getloadavg"): lambda: OSError("Load averages are unobtainable"),
    ("os", "memfd_create"): lambda _name: OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)),
    ("pwd", "getpwuid"): lambda _uid: KeyError(f"getpwuid(): uid not found: {NOBODY}"),
    ("pwd", "getpwnam"): lambda name: KeyError(f"getpwnam(): name not found: {name!r}"),
    **{("_thread", name): lambda *_: RuntimeError("can't start new thread") for name in THREAD_FUNCTIONS},
}
"""(module, function) -> function that builds the error of a call in the sandbox. Others raise PermissionError."""
NO_SHELL_STATUS = 127 << 8
"""Result of `os.system` where no shell can be started."""
HIDING_FUNCTIONS = ("access", "lstat", "readlink", "stat")
"""Functions of `os` that are replaced, because they would find files which do not exist in the sandbox."""


def permission_error(*paths: object) -> PermissionError:
    """Return the error of a system call that the sandbox refuses."""
    named = [path for path in paths if isinstance(path, str | bytes | os.PathLike)]
    filename, target = (*named, None, None)[:2]
    return PermissionError(errno.EPERM, os.strerror(errno.EPERM), filename, None, target)


def file_not_found_error(path: object) -> FileNotFoundError:
    """Return the error for a file that does not exist in the sandbox."""
    return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def _list_prefixes(*folders: str) -> tuple[str, ...]:
    """Return the beginnings of the paths in these folders, with links (as Python imports its library) and without."""
    return tuple(os.path.join(path, "") for name in folders for path in (os.path.abspath(name), os.path.realpath(name)))


class AuditHook:
    """An audit hook that raises the sandbox's error for everything that the sandbox refuses."""

    def __init__(self, folders: Iterable[str]) -> None:
        """Allow reading files in `folders` and in the standard library, but not in ``site-packages``."""
        library = os.path.dirname(os.__file__)
        self._folders = _list_prefixes(*folders, library, os.path.join(sys.base_prefix, "DLLs"))
        self._hidden = _list_prefixes(*(os.path.join(library, name) for name in ("site-packages", "dist-packages")))

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Raise an error if the sandbox would refuse the operation that an audit event announces."""
        if event == "open":
            self._open(*arguments)
        elif event in LIMIT_EVENTS:
            raise ValueError("not allowed to raise maximum limit")
        elif event in WRITING_EVENTS:
            raise permission_error(*arguments[: {"os.posix_spawn": 1, "os.utime": 0}.get(event, 2)])
        elif event in READING_EVENTS:
            self.check_visible(arguments[0])
        elif event in SYSTEM_CALL_EVENTS or (event == "mmap.__new__" and arguments[0] == -1):
            raise permission_error()
        elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
            check_numeric(arguments[0])
        elif event == "sqlite3.connect" and arguments[0] not in (":memory:", ""):
            raise sys.modules["sqlite3"].OperationalError("unable to open database file")

    def _open(self, path: Any, _mode: object, flags: int) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return
        if flags & WRITE_FLAGS:
            raise permission_error(path)
        self.check_visible(path)

    def check_visible(self, path: Any) -> None:
        """Raise FileNotFoundError for a path that does not exist in the sandbox."""
        if not isinstance(path, str | bytes | os.PathLike):
            return
        full = os.path.join(os.path.abspath(os.fsdecode(path)), "")
        if not full.startswith(self._folders) or full.startswith(self._hidden):
            raise file_not_found_error(path)


def check_numeric(host: object) -> None:
    """Raise socket.gaierror unless `host` looks like an IP address, because the sandbox cannot resolve host names."""
    import socket

    text = host.decode() if isinstance(host, bytes) else str(host or "0")
    if not text.strip("0123456789.:[]abcdefABCDEF") and set(text) & set(".:0123456789"):
        return
    raise socket.gaierror(getattr(socket, "EAI_AGAIN", -3), "Temporary failure in name resolution")


def hide_files(hook: AuditHook) -> None:
    """Make `os.system` report a missing shell, and `HIDING_FUNCTIONS` report files outside the sandbox as missing."""
    for name in HIDING_FUNCTIONS:
        original = getattr(os, name)
        setattr(os, name, _hiding(original, hook, missing=False if name == "access" else None))
        for supporting in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
            if original in supporting:
                supporting.add(getattr(os, name))
    setattr(os, "system", lambda _command: NO_SHELL_STATUS)  # noqa: B010 - the parameter's name differs


def _hiding(function: Callable[..., Any], hook: AuditHook, missing: object) -> Callable[..., Any]:
    def call(path: Any, *arguments: Any, **options: Any) -> Any:
        if options.get("dir_fd") is None:
            try:
                hook.check_visible(path)
            except FileNotFoundError:
                if missing is not None:
                    return missing
                raise
        return function(path, *arguments, **options)

    return call


def refuse_functions() -> None:
    """Replace each function that the sandbox refuses with one that raises the same error as in the sandbox."""
    # No audit hook can stop them in every version of Python.
    for module_name, functions in REFUSED_FUNCTIONS.items():
        with contextlib.suppress(ImportError):
            module = __import__(module_name)
            for name in filter(partial(hasattr, module), functions):
                setattr(
                    module, name, _refused(getattr(module, name), ERRORS.get((module_name, name), permission_error))
                )


def _refused(original: object, error: Callable[..., Exception]) -> object:
    def fail(*arguments: object, **_options: object) -> None:
        raise error(*arguments[:1])

    if not isinstance(original, type):
        return fail
    constants = {name: value for name, value in vars(original).items() if isinstance(value, int)}
    return type(
        original.__name__, (), {**constants, "__new__": lambda _class, *arguments, **_options: fail(*arguments)}
    )


def hide_time_zone() -> None:
    """Set the time zone to UTC, as in the sandbox."""
    # `os.environ`, which the bot can read, stays unchanged.
    if hasattr(time, "tzset"):  # not on Windows
        os.putenv("TZ", "UTC")
        os.putenv("TZDIR", os.devnull)
        time.tzset()


def set_limits(limits: dict[str, int]) -> None:
    """Set resource limits of this process; skip the limits that the system does not allow."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for name, value in limits.items():
        if hasattr(resource, name):
            with contextlib.suppress(OSError, ValueError):  # macOS refuses some of them
                hard = resource.getrlimit(getattr(resource, name))[1]
                most = value if hard == resource.RLIM_INFINITY else min(value, hard)
                resource.setrlimit(getattr(resource, name), (most, most))


def print_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an error and its causes to stderr, without the frames of this file."""
    chained: BaseException | None = error
    while chained is not None:
        frames, trace = [], chained.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename != print_error.__code__.co_filename:
                frames.append(trace)
            trace = trace.tb_next
        for frame, following in zip(frames, [*frames[1:], None], strict=False):
            frame.tb_next = following
        chained.__traceback__ = frames[0] if frames else None
        chained = chained.__cause__ or chained.__context__
    sys.__excepthook__(kind, error, error.__traceback__)


def run_python(plan: dict[str, Any]) -> None:
    """Run a Python bot under the audit hook."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # authors forget to flush
    sys.excepthook = print_error
    sys.path[:0] = plan["path"]
    sys.argv = plan["argv"]
    module = sys.modules["__main__"] = ModuleType("__main__")
    module.__file__ = sys.argv[0]
    with open(sys.argv[0], "rb") as file:
        code = compile(file.read(), sys.argv[0], "exec", dont_inherit=True)
    refuse_functions()
    hide_time_zone()
    hook = AuditHook(plan["path"])
    hide_files(hook)
    sys.addaudithook(hook)
    exec(code, module.__dict__)  # noqa: S102 - running the bot is the purpose


def main() -> None:
    """Run the bot that the JSON argument describes, under its limits."""
    plan = json.loads(sys.argv[1])
    set_limits(plan["limits"])
    if plan["python"]:
        run_python(plan)
    else:
        os.execve(plan["argv"][0], plan["argv"], plan["env"])  # noqa: S606 - running the bot is the purpose


if __name__ == "__main__":
    main()
