"""The sandbox backend ``bwrap`` (bubblewrap): all namespaces, nothing writable, no /proc, no /dev, no network."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bots.cage import Cage
from bots.cage.filter.bpf import assembled
from bots.cage.filter.policy import Kind
from bots.cage.inside import boot, nobody
from bots.cage.plan import INSIDE, BotProgram, plan
from bots.cage.runtime import (
    ENVIRONMENT,
    FLAGS,
    LIBRARIES,
    CageUnavailable,
    boot_file,
    helper_folder,
    program_of,
    python,
)
from bots.cage.started_process import StartedProcess, pipes
from bots.cage.tether import Tether

ALONE = """
--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try
--uid 65534 --gid 65534 --hostname cage --cap-drop ALL --clearenv --new-session --as-pid-1
""".split()  # noqa: SIM905 - a table to be read
"""Options without ``--die-with-parent``: see `bots.cage.tether`."""
NO_MORE_NAMESPACES = ("--disable-userns",)
CHANGES_UID = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--userns-block-fd")
"""Passed with a descriptor on which bwrap waits for its id maps; the filters forbid it further namespaces."""
WORKER_INSIDE = 65533
"""The worker's uid in a bot's user namespace until the bootstrap switches to the bot's."""
FOLDERS = ("/usr", "/py", "/py/bin", "/py/lib", "/cage", "/run")
"""Created explicitly before the mounts, because bwrap would create them accessible to the worker only."""
PYTHON_INSIDE, BOOT_INSIDE = "/py/bin/python", "/cage/boot.pyc"


@cache
def sealed_file(kind: Kind) -> int:
    """Return a descriptor of a filter in memory, created once; each start reopens it to read from the beginning."""
    memory = os.memfd_create("filter", os.MFD_CLOEXEC)
    os.write(memory, assembled(kind))
    return memory


@cache
def _mounts(cage: Cage) -> list[str]:
    """Return the mounts of all bots: system libraries, the interpreter without its packages, the bootstrap."""
    mounts = [word for folder in FOLDERS for word in ("--perms", "0755", "--dir", folder)]
    for folder in LIBRARIES:
        mounts += ["--symlink", os.readlink(folder), folder] if os.path.islink(folder) else []
    runtime = python()
    mounts += _shown(runtime.libraries(cage.wheels))
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


def _shown(paths: Sequence[str]) -> list[str]:
    """Return options that mount files at their own paths, in folders that everybody may enter."""
    folders = dict.fromkeys(str(folder) for path in paths for folder in reversed(Path(path).parents[:-1]))
    words = [word for folder in folders for word in ("--perms", "0755", "--dir", folder)]
    return words + [word for path in paths for word in ("--ro-bind", path, path)]


def _argv(cage: Cage, entry: BotProgram, ids: Sequence[str], seccomp: int, info: int, stdin: int) -> list[str]:
    environment = [word for name, value in ENVIRONMENT.items() for word in ("--setenv", name, value)]
    program = program_of(entry.command[0])
    runtime = ["--ro-bind", str(program.path), program.argv[0]] if program.path else []
    common = python().libraries(cage.wheels)
    runtime += _shown([path for path in program.around if path not in common])
    more = {"stdin": stdin, **({"uid": nobody.NOBODY} if ids[0] == CHANGES_UID[0] else {})}
    return [
        "bwrap", *ALONE, *ids, *environment, "--setenv", "LD_LIBRARY_PATH", "/py/lib",
        *_mounts(cage), *runtime, "--ro-bind", str(entry.folder), INSIDE.bot, "--remount-ro", "/",
        "--seccomp", str(seccomp), "--info-fd", str(info), "--chdir", INSIDE.bot,
        "--", PYTHON_INSIDE, *FLAGS, BOOT_INSIDE, plan(cage, entry, INSIDE, **more),
    ]  # fmt: skip


def spawn(cage: Cage, entry: BotProgram) -> StartedProcess:
    """Start a bot without waiting until the sandbox is complete; raises CageUnavailable if bwrap is not installed."""
    inside, outside = pipes()
    info_out, info_in = os.pipe()
    waits, goes = os.pipe()
    ids = (*CHANGES_UID, str(waits)) if nobody.uids() else NO_MORE_NAMESPACES
    tether = Tether()
    seccomp = os.open(f"/proc/self/fd/{sealed_file('start')}", os.O_RDONLY)
    try:
        with nobody.kept_back():
            process = subprocess.Popen(
                _argv(cage, entry, ids, seccomp, info_in, inside[0]),
                stdin=tether.stdin, stdout=inside[1], stderr=inside[2], env={"PATH": os.defpath},
                # As bwrap has a reader of its own for the info pipe, writing to it cannot kill it when we are gone.
                pass_fds=(seccomp, info_in, info_out, waits, inside[0]), start_new_session=True,
            )  # fmt: skip
    except FileNotFoundError as error:
        tether.close()
        for descriptor in (*outside, info_out, goes):
            os.close(descriptor)
        raise CageUnavailable("bwrap is not installed; Debian: apt install bubblewrap") from error
    finally:
        for descriptor in (*inside, info_in, seccomp, waits):
            os.close(descriptor)
    return StartedProcess(
        pipes=outside, pid=lambda: _let_go(info_out, goes) or process.pid, process=process, tether=tether
    )


def _let_go(info_out: int, goes: int) -> int:
    """Map the ids of bwrap's child, let it continue, and return its pid; 0 if it ended before."""
    pid, own = _told_by(info_out), nobody.uids()
    with contextlib.suppress(OSError):  # it has ended, and its stderr gives the reason
        if pid:
            boot.die_first(str(pid))
        if pid and own:
            theirs = own[0] + pid % own[1]
            nobody.map_ids(pid, ((WORKER_INSIDE, nobody.NOBODY, 1), (nobody.NOBODY, theirs, 1)))
        os.write(goes, b"\n")
    os.close(goes)
    return pid


def _told_by(info_out: int) -> int:
    """Return the pid of bwrap's child; 0 if it ended before, in which case its stderr gives the reason."""
    with os.fdopen(info_out) as info:
        told = info.read()
    try:
        return int(json.loads(told)["child-pid"])
    except (ValueError, KeyError):
        return 0
