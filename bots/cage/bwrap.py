"""The tier ``bwrap``: every namespace, nothing writable, no /proc, no /dev, no network, by bubblewrap."""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache

from bots.cage import Cage
from bots.cage.bpf import assembled
from bots.cage.held import Held, pipes
from bots.cage.plan import INSIDE, Entry, plan
from bots.cage.policy import Kind
from bots.cage.runtime import ENVIRONMENT, LIBRARIES, CageUnavailable, boot_file, helper_folder, program_of, python

ALONE = """
--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try --disable-userns
--uid 65534 --gid 65534 --hostname cage --cap-drop ALL --clearenv --new-session --die-with-parent --as-pid-1
""".split()  # noqa: SIM905 - a table to be read
PYTHON_INSIDE, BOOT_INSIDE = "/py/bin/python", "/cage/boot.pyc"


@cache
def sealed_file(kind: Kind) -> int:
    """Return a descriptor of a filter, written once; each start reads it through one of its own."""
    memory = os.memfd_create("filter", os.MFD_CLOEXEC)
    os.write(memory, assembled(kind))
    return memory


@cache
def _mounts(cage: Cage) -> list[str]:
    """Return what all bots see: the system's libraries, the interpreter without its packages, the bootstrap."""
    mounts: list[str] = []
    for folder in LIBRARIES:
        if os.path.islink(folder):
            mounts += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            mounts += ["--ro-bind", folder, folder]
    runtime = python()
    mounts += ["--ro-bind", str(runtime.program), PYTHON_INSIDE, "--ro-bind", str(runtime.library), runtime.inside]
    for file in runtime.shared:
        mounts += ["--ro-bind", str(file), f"/py/lib/{file.name}"]
    for folder in runtime.covered:
        mounts += ["--tmpfs", folder, "--remount-ro", folder]
    mounts += ["--ro-bind", str(boot_file(cage.folder)), BOOT_INSIDE]
    mounts += ["--ro-bind", str(helper_folder(cage.folder)), INSIDE.helper]
    if cage.wheels:
        mounts += ["--ro-bind", cage.wheels, INSIDE.wheels]
    return mounts


def _argv(cage: Cage, entry: Entry, seccomp: int, info: int) -> list[str]:
    environment = [word for name, value in ENVIRONMENT.items() for word in ("--setenv", name, value)]
    program = program_of(entry.command[0])
    runtime = ["--ro-bind", str(program.path), program.argv[0]] if program.path else []
    return [
        "bwrap", *ALONE, *environment, "--setenv", "LD_LIBRARY_PATH", "/py/lib",
        *_mounts(cage), *runtime, "--ro-bind", str(entry.folder), INSIDE.bot, "--remount-ro", "/",
        "--seccomp", str(seccomp), "--info-fd", str(info), "--chdir", INSIDE.bot,
        "--", PYTHON_INSIDE, "-I", "-S", "-B", BOOT_INSIDE, plan(cage, entry, INSIDE),
    ]  # fmt: skip


def spawn(cage: Cage, entry: Entry) -> Held:
    """Start a bot; it is not yet known whether the cage has closed. Raises CageUnavailable where there is no bwrap."""
    inside, outside = pipes()
    info_out, info_in = os.pipe()
    seccomp = os.open(f"/proc/self/fd/{sealed_file('start')}", os.O_RDONLY)
    try:
        process = subprocess.Popen(
            _argv(cage, entry, seccomp, info_in), stdin=inside[0], stdout=inside[1], stderr=inside[2],
            env={"PATH": os.defpath}, pass_fds=(seccomp, info_in), start_new_session=True,
        )  # fmt: skip
    except FileNotFoundError as error:
        for descriptor in (*outside, info_out):
            os.close(descriptor)
        raise CageUnavailable("bwrap is not installed; Debian: apt install bubblewrap") from error
    finally:
        for descriptor in (*inside, info_in, seccomp):
            os.close(descriptor)
    return Held(outside, lambda: _told_by(info_out) or process.pid, process)


def _told_by(info_out: int) -> int:
    """Return the process that bwrap has become the parent of; 0 if it ended before, for its stderr to say why."""
    with os.fdopen(info_out) as info:
        told = info.read()
    try:
        return int(json.loads(told)["child-pid"])
    except (ValueError, KeyError):
        return 0
