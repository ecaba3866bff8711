"""How root becomes nobody before it starts bots: in a user namespace, where the kernel gives it no rights.

Standard library only, because deploy/launch.py reads this file by its path.
"""

import ctypes
import os

CLONE_NEWUSER = 0x10000000
CAPABILITIES_VERSION = 0x20080522
NOBODY = 65534

libc = ctypes.CDLL(None, use_errno=True)


def must(result: int, what: str) -> None:
    """Raise OSError unless a call succeeded."""
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def enter_namespace() -> None:
    """Enter a user namespace where we are nobody; the kernel still sees our own uid. Raises OSError."""
    uid, gid = os.getuid(), os.getgid()
    must(libc.unshare(CLONE_NEWUSER), "no user namespace")
    for name, line in (("setgroups", "deny"), ("uid_map", f"{NOBODY} {uid} 1"), ("gid_map", f"{NOBODY} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(line)


def give_up_capabilities() -> None:
    """Drop what a new namespace gave; a command that is executed next loses it anyway. Raises OSError."""
    must(libc.capset((ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0), (ctypes.c_uint32 * 6)()), "capabilities stay")


def step_down() -> None:
    """Make this process, which must have one thread, nobody for good; raises OSError where it cannot be."""
    enter_namespace()
    give_up_capabilities()
