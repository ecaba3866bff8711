"""Script that completes a bot's sandbox from inside and then runs the bot."""
# Started as `python -s -P -S -B boot.pyc <plan as JSON>`. Standard library only. All imports happen before the bot's
# folder is on the path; otherwise a bot's own `ctypes.py` would be imported. The process holds no secret, because a
# Python bot can read this script's stack frames.

import binascii
import ctypes
import json
import os
import resource
import signal
import struct
import sys
from types import ModuleType, TracebackType

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
SECCOMP_MODE_FILTER = 2
CAPABILITIES_VERSION = 0x20080522
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_VERSION, PATH_BENEATH = 1, 1
EXECUTE, READ_FILE, READ_DIR = 1, 4, 8
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
MAX_DESCRIPTORS = 1024
OOM_SCORE = 1000
"""The highest `oom_score_adj`: if memory runs out, the kernel kills bots before every other process."""
BOOTED_MESSAGE = b'{"boot":1}\n'

Plan = dict  # parsed JSON; importing `typing` takes longer than all the other imports
libc = ctypes.CDLL(None, use_errno=True)


def exit_on_error(result: int, action: str) -> None:
    """Exit with an error message if a system call has failed."""
    if result < 0:
        sys.exit(f"sandbox: {action}: {os.strerror(ctypes.get_errno())}")


def raise_oom_score(pid: str = "self") -> None:
    """Make the kernel kill a process first if memory runs out. Raises OSError."""
    with open(f"/proc/{pid}/oom_score_adj", "w") as file:
        file.write(str(OOM_SCORE))


def set_limits(limits: dict[str, int]) -> None:
    """Set resource limits. `limits` maps a name, such as ``RLIMIT_AS``, to the value of the soft and the hard limit."""
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, name), (value, value))


def restrict_files(folders: list[str]) -> None:
    """Restrict this process with Landlock to reading and executing files in some folders."""
    # Needed on machines without namespaces. Landlock also forbids TCP from version 4 on.
    version = libc.syscall(LANDLOCK_CREATE, None, 0, LANDLOCK_VERSION)
    exit_on_error(version, "Landlock is not available")
    rights = FILE_RIGHTS.get(version, FILE_RIGHTS[5])
    ruleset = struct.pack("=QQQ", rights, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    handle = libc.syscall(LANDLOCK_CREATE, ruleset, size, 0)
    exit_on_error(handle, "a Landlock rule set")
    for folder in folders:
        try:
            descriptor = os.open(folder, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        allowed = EXECUTE | READ_FILE | (READ_DIR if os.path.isdir(folder) else 0)
        exit_on_error(
            libc.syscall(LANDLOCK_ADD, handle, PATH_BENEATH, struct.pack("=Qi", allowed, descriptor), 0),
            f"allowing {folder}",
        )
        os.close(descriptor)
    exit_on_error(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    exit_on_error(libc.syscall(LANDLOCK_RESTRICT, handle, 0), "Landlock")
    os.close(handle)


def install_filter(program: bytes) -> None:
    """Install a seccomp filter, given as BPF instructions; it cannot be removed again."""
    exit_on_error(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    code = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    exit_on_error(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, head, 0, 0), "the filter of system calls")


def change_uid(uid: int) -> None:
    """Switch to the bot's unprivileged uid and gid, and drop all capabilities."""
    # The switch clears the parent-death signal, so it must be set again.
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    exit_on_error(libc.capset(struct.pack("=Ii", CAPABILITIES_VERSION, 0), bytes(24)), "dropping capabilities")
    exit_on_error(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the worker")


def complete_sandbox(plan: Plan) -> None:  # type: ignore[type-arg]  # parsed JSON
    """Drop the remaining rights, report this on stdout, and wait until the bot may start."""
    if "stdin" in plan:  # until now stdin was the pipe that ends bwrap with the worker
        os.dup2(plan["stdin"], 0)
        exit_on_error(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with bwrap")
    os.closerange(3, MAX_DESCRIPTORS)
    if plan.get("worker"):  # without namespaces nothing else ends this process with the worker
        exit_on_error(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the worker")
        if os.getppid() != plan["worker"]:
            sys.exit("sandbox: the worker is gone")
    if plan.get("uid"):
        change_uid(plan["uid"])
    os.chdir(plan["folder"])
    if plan.get("landlock"):
        raise_oom_score()
        restrict_files(plan["landlock"])
    set_limits(plan["limits"])
    install_filter(binascii.a2b_base64(plan["filter"]))
    os.write(1, BOOTED_MESSAGE)
    if not os.read(0, 1):  # the worker sends a byte before its first message to the bot
        sys.exit("sandbox: the worker is gone")


def print_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Write the traceback of a bot's error to stderr."""
    # Without the frames of this file, which called the bot.
    while trace is not None and trace.tb_frame.f_code.co_filename == print_error.__code__.co_filename:
        trace = trace.tb_next
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


def run_bot(plan: Plan) -> None:  # type: ignore[type-arg]  # parsed JSON
    """Run a Python bot in this process, or replace this process by the program of another bot."""
    argv = plan["argv"]
    if not plan["python"]:
        os.execve(argv[0], argv, plan["env"])  # noqa: S606 - runs the bot's program
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # authors forget to flush
    sys.excepthook = print_error
    sys.path[:0] = plan["path"]
    sys.argv = argv
    module = sys.modules["__main__"] = ModuleType("__main__")
    module.__file__ = argv[0]
    with open(argv[0], "rb") as file:
        code = compile(file.read(), argv[0], "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102 - runs the bot's code


def main() -> None:
    """Complete the sandbox and run the bot."""
    plan = json.loads(sys.argv[1])
    complete_sandbox(plan)
    run_bot(plan)


if __name__ == "__main__":
    main()
