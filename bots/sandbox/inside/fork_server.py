"""Python interpreter that forks each bot into its own sandbox."""
# A worker starts the server with `exec`, so that it holds no memory of the worker. Phase `build` creates the root file
# system and executes the server again inside; phase `serve` forks one bot for each request over a socket. The server
# never runs a bot's code itself. Standard library only.

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
import boot  # type: ignore[import-not-found]  # all three modules are in this folder,
import root_file_system as root  # type: ignore[import-not-found]  # on the host
import user_namespace  # type: ignore[import-not-found]  # and in the sandbox

del sys.path[0]

PRELOADED_MODULES = (
    "bisect collections copy dataclasses enum functools heapq itertools math re types typing ftk_core.kit.bot"
)
"""Names of the modules that bots import most, separated by spaces. The fork server imports them once for all bots."""
NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWPID, NEWNET = (
    0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x20000000, 0x40000000,
)  # fmt: skip
SYS_ADMIN, LAST_CAPABILITY = 21, 40
PR_CAPBSET_DROP = 24
MAX_NUMBER_BYTES = 20
"""Maximum length of the number of a request, in decimal digits."""
exit_on_error = boot.exit_on_error
libc = boot.libc
SERVER_NAMESPACES = user_namespace.NEWUSER | NEWNS | NEWNET | NEWIPC | NEWUTS | NEWCGROUP
BOT_NAMESPACES = user_namespace.NEWUSER | NEWPID | NEWNS | NEWIPC | NEWUTS | NEWNET
libc_with_gil = ctypes.PyDLL(None, use_errno=True)
"""The C library with the GIL held during calls, as a fork requires."""


def enter_server_namespaces(worker_socket: socket.socket, *, uids: bool) -> None:
    """Move the server into its own namespaces; exit with an error message if that fails."""
    # If the worker has a range of uids for bots, the worker writes the uid and gid maps. Otherwise the server maps only
    # its own uid and gid.
    uid, gid = os.getuid(), os.getgid()

    def receive_ids() -> None:
        if uids:
            worker_socket.send(b"apart")
            worker_socket.recv(1)
        else:
            user_namespace.map_own_ids("self", uid, gid)

    try:
        user_namespace.enter_namespaces(SERVER_NAMESPACES, receive_ids)
    except OSError as error:
        sys.exit(f"sandbox: {error.strerror}")
    exit_on_error(libc.sethostname(b"cage", 4), "a host name")


def build() -> None:
    """Build the root file system that all bots see, and restart this script inside it with the argument `serve`."""
    # The new program keeps the right to mount and, if each bot gets its own uid, the right to assign uids. It inherits
    # a descriptor of the host's /proc: uid and gid maps are written there, and its own root has no /proc.
    plan = json.loads(sys.argv[2])
    set_parent_death_signal(plan["worker"])
    boot.raise_oom_score()
    worker_socket = socket.socket(fileno=plan["socket"])
    enter_server_namespaces(worker_socket, uids=bool(plan["uids"]))
    processes = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    root.build_root(plan)
    ids = (user_namespace.SETGID, user_namespace.SETUID) if plan["uids"] else ()
    user_namespace.keep_capabilities((SYS_ADMIN, *ids), over_exec=True)
    exit_on_error(libc.prctl(boot.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the worker")
    for descriptor in (worker_socket.fileno(), processes):
        os.set_inheritable(descriptor, True)  # noqa: FBT003 - the parameter has no name
    serve_settings = json.dumps(
        {"socket": worker_socket.fileno(), "processes": processes, "uids": plan["uids"], "calls": plan["calls"]}
    )
    argv = [plan["python"], *plan["flags"], "/cage/fork_server.py", "serve", plan["helper"], serve_settings]
    os.execve(argv[0], argv, plan["env"])  # noqa: S606 - a list, no shell


def set_parent_death_signal(parent: int) -> None:
    """Make the kernel end this process when its parent, the worker, dies."""
    exit_on_error(libc.prctl(boot.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the worker")
    if os.getppid() != parent:
        sys.exit("sandbox: the worker is gone")


def serve() -> None:
    """Start a new bot for each request until the worker closes the socket."""
    # A request has a number and four descriptors: the bot's stdin, stdout and stderr, and a file with its start plan
    # and files. The answer has the same number, the bot's pid (-1 after an error) and the error number.
    sys.path.insert(0, sys.argv[2])
    for name in PRELOADED_MODULES.split():
        import_module(name)
    del sys.path[0]
    settings = json.loads(sys.argv[3])
    worker_socket = socket.socket(fileno=settings["socket"])
    server_pipe = os.pipe()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    worker_socket.send(b"ready")
    while True:
        number, descriptors, _flags, _address = socket.recv_fds(worker_socket, MAX_NUMBER_BYTES, 4)
        if not descriptors:
            return
        pid, error = fork_bot(descriptors, server_pipe, settings)
        for descriptor in descriptors:
            os.close(descriptor)
        worker_socket.send(json.dumps({"request": int(number), "pid": pid, "error": error}).encode())


def fork_bot(descriptors: list[int], server_pipe: tuple[int, int], settings: dict[str, Any]) -> tuple[int, int]:
    """Fork a bot into its own namespaces with its own uid; return (pid, 0), or (-1, errno)."""
    waits, goes = os.pipe()
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = libc_with_gil.syscall(settings["calls"]["clone"], BOT_NAMESPACES | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        os.close(goes)
        run_forked_bot(descriptors, server_pipe, waits)
    error = ctypes.get_errno() if pid < 0 else 0
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    os.close(waits)
    try:
        if pid > 0:
            map_bot_ids(pid, settings)
            os.write(goes, b"\n")
    except OSError as refusal:
        os.kill(pid, signal.SIGKILL)
        pid, error = -1, refusal.errno or 0
    finally:
        os.close(goes)
    return pid, error


def map_bot_ids(pid: int, settings: dict[str, Any]) -> None:
    """Write the user and group id maps of a new bot's process."""
    # They determine the ids under which the bot runs on the host: one of the range for bots, else the server's own.
    if settings["uids"]:
        first, count = settings["uids"]
        user_namespace.map_ids(pid, ((user_namespace.NOBODY, first + pid % count, 1),), settings["processes"])
    else:
        user_namespace.map_own_ids(pid, os.getuid(), os.getgid(), settings["processes"])


def run_forked_bot(descriptors: list[int], server_pipe: tuple[int, int], waits: int) -> None:
    """Run a bot in the forked process and exit; never return to the server's loop."""
    try:
        if not os.read(waits, 1):
            os._exit(1)
        boot.run_bot(enter_sandbox(descriptors, server_pipe))
    except SystemExit as error:
        if isinstance(error.code, str):
            os.write(2, error.code.encode())
        flush_and_exit(error.code if isinstance(error.code, int) else int(error.code is not None))
    except BaseException:  # noqa: BLE001 - print the error like the interpreter, but without server frames
        print_error()
        flush_and_exit(1)
    flush_and_exit(0)


def enter_sandbox(descriptors: list[int], server_pipe: tuple[int, int]) -> dict[str, Any]:
    """Set up the forked process for a bot, and return the bot's start settings."""
    switch_user()
    exit_on_error(libc.prctl(boot.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the server")
    os.close(server_pipe[1])
    if select.select([server_pipe[0]], [], [], 0)[0]:
        os._exit(1)  # the server died before the death signal was set
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
    os.closerange(4, boot.MAX_DESCRIPTORS)
    os.setsid()
    with open(3, "rb") as file:
        plan: dict[str, Any] = json.loads(file.readline())
        write_bot_files(file, 0 if plan["executes"] else root.NOEXEC, plan["files_bytes"])
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    user_namespace.keep_capabilities(())
    boot.complete_sandbox(plan)
    return plan


def switch_user() -> None:
    """Switch to the unprivileged user and group of the bot's namespace."""
    with contextlib.suppress(PermissionError):
        os.setgroups([])
    os.setresgid(user_namespace.NOBODY, user_namespace.NOBODY, user_namespace.NOBODY)
    os.setresuid(user_namespace.NOBODY, user_namespace.NOBODY, user_namespace.NOBODY)


def write_bot_files(files: BinaryIO, more: int, size: int) -> None:
    """Copy the bot's files to a new read-only file system at /bot.

    `size` is the file system's size in bytes. `more` contains additional mount flags.
    """
    root.mount("none", "/bot", "tmpfs", root.NOSUID | root.NODEV | more, f"size={size},nr_inodes=2k,mode=755")
    while line := files.readline():
        file_header = json.loads(line)
        path = f"/bot/{file_header['path']}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(files.read(file_header["size"]))
        os.chmod(path, 0o555)  # noqa: S103 - a file may be a program
    root.mount("none", "/bot", None, root.REMOUNT | root.RDONLY | root.NOSUID | root.NODEV | more)


def print_error() -> None:
    """Write the traceback of the current exception to stderr, starting at the first frame of the bot's code."""
    kind, error, trace = sys.exc_info()
    while trace is not None and not trace.tb_frame.f_code.co_filename.startswith("/bot/"):
        trace = trace.tb_next
    sys.excepthook(kind, error.with_traceback(trace), trace)  # type: ignore[arg-type, union-attr]  # there is one


def flush_and_exit(code: int) -> None:
    """Flush stdout and stderr, and exit without running exit handlers."""
    # The handlers were inherited from the server and are not meant for a bot's process.
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 1
    os._exit(code & 0xFF)


if __name__ == "__main__":
    {"build": build, "serve": serve}[sys.argv[1]]()
