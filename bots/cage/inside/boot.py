"""The bootstrap: runs inside the sandbox, completes it, reports that, and becomes the bot. Standard library only.

Started as ``python -s -P -S -B boot.pyc <plan as JSON>``. All its imports happen before the bot's folder is on the
path, or a bot that ships a ``ctypes.py`` would run first. It holds no secret, since the bot can read its frames.
"""

import binascii
import ctypes
import json
import os
import resource
import signal
import struct
import sys
from types import ModuleType

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
SECCOMP_MODE_FILTER = 2
CAPABILITIES_VERSION = 0x20080522
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_VERSION, PATH_BENEATH = 1, 1
EXECUTE, READ_FILE, READ_DIR = 1, 4, 8
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
MOST_DESCRIPTORS = 1024
OOM_SCORE = 1000
"""If memory runs out, the kernel kills processes with the highest score first: bots before everything else."""
BOOTED = b'{"boot":1}\n'

Plan = dict  # parsed JSON; importing `typing` takes longer than all the rest
libc = ctypes.CDLL(None, use_errno=True)


def must(result: int, what: str) -> None:
    """Exit with the reason unless a call succeeded."""
    if result < 0:
        sys.exit(f"cage: {what}: {os.strerror(ctypes.get_errno())}")


def die_first(pid: str = "self") -> None:
    """Give a process the highest OOM score, so that the kernel kills it first if memory runs out; raises OSError."""
    with open(f"/proc/{pid}/oom_score_adj", "w") as file:
        file.write(str(OOM_SCORE))


def limit(limits: dict[str, int]) -> None:
    """Set the hard limits."""
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, name), (value, value))


def landlock(folders: list[str]) -> None:
    """Restrict the file system to reading these folders, and forbid TCP; for machines without namespaces."""
    version = libc.syscall(LANDLOCK_CREATE, None, 0, LANDLOCK_VERSION)
    must(version, "Landlock is not available")
    rights = FILE_RIGHTS.get(version, FILE_RIGHTS[5])
    ruleset = struct.pack("=QQQ", rights, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    handle = libc.syscall(LANDLOCK_CREATE, ruleset, size, 0)
    must(handle, "a Landlock rule set")
    for folder in folders:
        try:
            place = os.open(folder, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        may = EXECUTE | READ_FILE | (READ_DIR if os.path.isdir(folder) else 0)
        must(libc.syscall(LANDLOCK_ADD, handle, PATH_BENEATH, struct.pack("=Qi", may, place), 0), f"allowing {folder}")
        os.close(place)
    must(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    must(libc.syscall(LANDLOCK_RESTRICT, handle, 0), "Landlock")
    os.close(handle)


def seal(program: bytes) -> None:
    """Install the seccomp filter, which cannot be removed again."""
    must(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    code = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    must(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, head, 0, 0), "the filter of system calls")


def change_uid(uid: int) -> None:
    """Switch to the bot's unprivileged uid; this clears the parent-death signal, so set it again."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    must(libc.capset(struct.pack("=Ii", CAPABILITIES_VERSION, 0), bytes(24)), "dropping capabilities")
    must(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the worker")


def close_doors(plan: Plan) -> None:  # type: ignore[type-arg]  # what JSON made of it
    """Complete the sandbox and report that in one line."""
    if "stdin" in plan:  # until now it was the pipe that tethers bwrap to the worker
        os.dup2(plan["stdin"], 0)
        must(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with bwrap")
    os.closerange(3, MOST_DESCRIPTORS)
    if plan.get("worker"):  # without namespaces nothing else ends us with the worker
        must(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "a death with the worker")
        if os.getppid() != plan["worker"]:
            sys.exit("cage: the worker is gone")
    if plan.get("uid"):
        change_uid(plan["uid"])
    os.chdir(plan["folder"])
    if plan.get("landlock"):
        die_first()
        landlock(plan["landlock"])
    limit(plan["limits"])
    seal(binascii.a2b_base64(plan["filter"]))
    os.write(1, BOOTED)
    if not os.read(0, 1):  # the bot begins when it is first asked, and not before
        sys.exit("cage: the worker is gone")


def become(plan: Plan) -> None:  # type: ignore[type-arg]  # what JSON made of it
    """Run the bot; a program in another language replaces this process."""
    argv = plan["argv"]
    if not plan["python"]:
        os.execve(argv[0], argv, plan["env"])  # noqa: S606 - this is what it is for
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # authors forget to flush
    sys.path[:0] = plan["path"]
    sys.argv = argv
    module = sys.modules["__main__"] = ModuleType("__main__")
    module.__file__ = argv[0]
    with open(argv[0], "rb") as file:
        code = compile(file.read(), argv[0], "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102 - this is what it is for


def main() -> None:
    """Complete the sandbox and become the bot."""
    plan = json.loads(sys.argv[1])
    close_doors(plan)
    become(plan)


if __name__ == "__main__":
    main()
