"""Runs between the worker and a bot: closes doors, then becomes the bot. Standard library only.

Started as ``python -I -S -B launch.py <plan as JSON>``. It unshares the user, network, IPC, UTS, mount
and process namespaces, hides the given folders under empty read-only mounts, forks the bot as the
first process of its own process namespace (so that killing it kills all it started), sets the
limits, gives up every capability and executes the bot. A door that does not close ends everything:
no bot runs in half a cage.
"""

import ctypes
import json
import os
import resource
import signal
import sys
from typing import Any

CLONE = {"mnt": 0x00020000, "uts": 0x04000000, "ipc": 0x08000000, "user": 0x10000000, "pid": 0x20000000}
CLONE_NEWNET = 0x40000000
MS_RDONLY, MS_REC, MS_PRIVATE, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 0x4000, 0x40000, 2, 4, 8
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38
LAST_CAPABILITY = 40

libc = ctypes.CDLL(None, use_errno=True)


def must(result: int, what: str) -> None:
    """Exit with the reason unless a call succeeded."""
    if result != 0:
        sys.exit(f"cage: {what}: {os.strerror(ctypes.get_errno())}")


def close_namespaces(hide: list[str]) -> None:
    """Leave the host's network, processes and the hidden folders behind."""
    uid, gid = os.getuid(), os.getgid()
    must(libc.unshare(sum(CLONE.values()) | CLONE_NEWNET), "namespaces are not available")
    with open("/proc/self/setgroups", "w") as f:
        f.write("deny")
    with open("/proc/self/uid_map", "w") as f:
        f.write(f"65534 {uid} 1")
    with open("/proc/self/gid_map", "w") as f:
        f.write(f"65534 {gid} 1")
    must(libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None), "private mounts")
    for folder in hide:
        flags = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC
        must(libc.mount(b"none", folder.encode(), b"tmpfs", flags, b"size=4k,mode=000"), f"hiding {folder}")


def limit(limits: dict[str, int]) -> None:
    """Set the hard limits."""
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, name), (value, value))


def give_up_capabilities() -> None:
    """Drop every capability for good, also the ones the new user namespace gave."""
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    must(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    must(libc.capset(header, (ctypes.c_uint32 * 6)()), "dropping capabilities")


def become_bot(plan: dict[str, Any]) -> None:
    """Close the last doors and execute the bot; does not return."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.chdir(plan["folder"])
    limit(plan["limits"])
    give_up_capabilities()
    os.execve(plan["argv"][0], plan["argv"], plan["env"])  # noqa: S606 - this is what it is for


def main() -> None:
    """Build the cage, report the bot's process id, and wait for its end."""
    plan = json.loads(sys.argv[1])
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != plan["worker"]:
        sys.exit("cage: the worker is gone")
    close_namespaces(plan["hide"])
    report, go = plan["report"], os.pipe()
    child = os.fork()
    if child == 0:
        os.close(report)
        os.close(go[1])
        os.read(go[0], 1)
        os.close(go[0])
        become_bot(plan)
    os.write(report, f"{child}\n".encode())
    os.close(report)
    for descriptor in (0, 1, 2):  # the pipes are the bot's alone, or its end would not be seen
        os.close(descriptor)
    os.close(go[0])
    os.close(go[1])
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


if __name__ == "__main__":
    main()
