"""The sandbox backend ``bwrap`` (bubblewrap): all namespaces, nothing writable, no /proc, no /dev, no network."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bots.sandbox import SandboxConfig
from bots.sandbox.bot_start_settings import PATHS_INSIDE, BotStartCommand, build_plan
from bots.sandbox.filter.bpf import assemble_filter
from bots.sandbox.filter.system_call_policy import Kind
from bots.sandbox.inside import boot, user_namespace
from bots.sandbox.language_runtimes import (
    LIBRARIES,
    SandboxUnavailable,
    compile_bootstrap,
    create_helper_folder,
    find_interpreter,
    find_runtime,
)
from bots.sandbox.parent_death_pipe import ParentDeathPipe
from bots.sandbox.sandboxed_bot_process import StartedBotProcess, create_pipes
from ftk_core.kit.sandboxing.sandbox_files_and_environment import ENVIRONMENT, INTERPRETER_FLAGS

ISOLATION_OPTIONS = """
--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try
--uid 65534 --gid 65534 --hostname cage --cap-drop ALL --clearenv --new-session --as-pid-1
""".split()  # noqa: SIM905 - a table to be read
"""Options of bwrap that isolate a bot. A pipe (`bots.sandbox.parent_death_pipe`) replaces ``--die-with-parent``."""
NO_NAMESPACES_OPTIONS = ("--disable-userns",)
UID_OPTIONS = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--userns-block-fd")
"""Options of bwrap if each bot gets its own uid. Append the file descriptor on which bwrap waits until the worker has
written the id maps. ``--disable-userns`` is left out, because the seccomp filters forbid namespaces.
"""
WORKER_UID_INSIDE = 65533
"""Uid that stands for the worker in a bot's user namespace; in use until the bootstrap switches to the bot's uid."""
MOUNT_FOLDERS = ("/usr", "/py", "/py/bin", "/py/lib", "/cage", "/run")
"""Folders created explicitly before the mounts, because bwrap would make them accessible to the worker only."""
PYTHON_INSIDE, BOOT_INSIDE = "/py/bin/python", "/cage/boot.pyc"


@cache
def filter_descriptor(kind: Kind) -> int:
    """Return the descriptor of an in-memory file (memfd) with the seccomp filter for a process of this kind.

    To read the file from its beginning, open it again through /proc/self/fd.
    """
    memory = os.memfd_create("filter", os.MFD_CLOEXEC)
    os.write(memory, assemble_filter(kind))
    return memory


@cache
def _mounts(sandbox: SandboxConfig) -> list[str]:
    """Return the options of bwrap for the mounts that all bots get."""
    mounts = [option for folder in MOUNT_FOLDERS for option in ("--perms", "0755", "--dir", folder)]
    for folder in LIBRARIES:
        mounts += ["--symlink", os.readlink(folder), folder] if os.path.islink(folder) else []
    runtime = find_interpreter()
    mounts += _mount_options(runtime.libraries(sandbox.wheels))
    mounts += ["--ro-bind", str(runtime.program), PYTHON_INSIDE, "--ro-bind", str(runtime.library), runtime.inside]
    for file in runtime.shared:
        mounts += ["--ro-bind", str(file), f"/py/lib/{file.name}"]
    for folder in runtime.hidden_packages:
        mounts += ["--tmpfs", folder, "--remount-ro", folder]
    mounts += ["--ro-bind", str(compile_bootstrap(sandbox.folder)), BOOT_INSIDE]
    mounts += ["--ro-bind", str(create_helper_folder(sandbox.folder)), PATHS_INSIDE.helper]
    if sandbox.wheels:
        mounts += ["--ro-bind", sandbox.wheels, PATHS_INSIDE.wheels]
    return mounts


def _mount_options(paths: Sequence[str]) -> list[str]:
    """Return the options of bwrap that mount files at the same paths as on the host."""
    # Parent folders are created first, for every uid: bwrap itself would let only the worker's uid enter them.
    folders = dict.fromkeys(str(folder) for path in paths for folder in reversed(Path(path).parents[:-1]))
    options = [option for folder in folders for option in ("--perms", "0755", "--dir", folder)]
    return options + [option for path in paths for option in ("--ro-bind", path, path)]


def _bwrap_command(
    sandbox: SandboxConfig, entry: BotStartCommand, ids: Sequence[str], seccomp: int, info: int, stdin: int
) -> list[str]:
    environment = [option for name, value in ENVIRONMENT.items() for option in ("--setenv", name, value)]
    program = find_runtime(entry.command[0])
    runtime = ["--ro-bind", str(program.path), program.argv[0]] if program.path else []
    common = find_interpreter().libraries(sandbox.wheels)
    runtime += _mount_options([path for path in program.extra_paths if path not in common])
    extra_plan = {"stdin": stdin, **({"uid": user_namespace.NOBODY} if ids[0] == UID_OPTIONS[0] else {})}
    return [
        "bwrap", *ISOLATION_OPTIONS, *ids, *environment, "--setenv", "LD_LIBRARY_PATH", "/py/lib",
        *_mounts(sandbox), *runtime, "--ro-bind", str(entry.folder), PATHS_INSIDE.bot, "--remount-ro", "/",
        "--seccomp", str(seccomp), "--info-fd", str(info), "--chdir", PATHS_INSIDE.bot,
        "--", PYTHON_INSIDE, *INTERPRETER_FLAGS, BOOT_INSIDE, build_plan(sandbox, entry, PATHS_INSIDE, **extra_plan),
    ]  # fmt: skip


def spawn(sandbox: SandboxConfig, entry: BotStartCommand) -> StartedBotProcess:
    """Start a bot with bwrap. Raises SandboxUnavailable if bwrap is not installed."""
    # Returns before the sandbox is complete.
    inside, outside = create_pipes()
    info_out, info_in = os.pipe()
    ids_mapped_out, ids_mapped_in = os.pipe()
    ids = (*UID_OPTIONS, str(ids_mapped_out)) if user_namespace.bot_uids() else NO_NAMESPACES_OPTIONS
    death_pipe = ParentDeathPipe()
    seccomp = os.open(f"/proc/self/fd/{filter_descriptor('start')}", os.O_RDONLY)
    try:
        with user_namespace.without_ambient_capabilities():
            process = subprocess.Popen(
                _bwrap_command(sandbox, entry, ids, seccomp, info_in, inside[0]),
                stdin=death_pipe.stdin, stdout=inside[1], stderr=inside[2], env={"PATH": os.defpath},
                # bwrap also gets the pipe's reading end; without it, a write after the worker's death would kill bwrap.
                pass_fds=(seccomp, info_in, info_out, ids_mapped_out, inside[0]), start_new_session=True,
            )  # fmt: skip
    except FileNotFoundError as error:
        death_pipe.close()
        for descriptor in (*outside, info_out, ids_mapped_in):
            os.close(descriptor)
        raise SandboxUnavailable("bwrap is not installed; Debian: apt install bubblewrap") from error
    finally:
        for descriptor in (*inside, info_in, seccomp, ids_mapped_out):
            os.close(descriptor)
    return StartedBotProcess(
        pipes=outside,
        pid=lambda: _release_child(info_out, ids_mapped_in) or process.pid,
        process=process,
        death_pipe=death_pipe,
    )


def _release_child(info_out: int, ids_mapped_in: int) -> int:
    """Set the OOM score and the user id map of bwrap's waiting child, and let it continue. Return its process id."""
    # bwrap makes the child wait until the map is written, which is needed if this worker has a range of uids for bots.
    # Returns 0 if bwrap ended before it reported the process id.
    pid, worker_uids = _read_child_pid(info_out), user_namespace.bot_uids()
    with contextlib.suppress(OSError):  # bwrap has ended, and its stderr gives the reason
        if pid:
            boot.raise_oom_score(str(pid))
        if pid and worker_uids:
            bot_uid = worker_uids[0] + pid % worker_uids[1]
            user_namespace.map_ids(
                pid, ((WORKER_UID_INSIDE, user_namespace.NOBODY, 1), (user_namespace.NOBODY, bot_uid, 1))
            )
        os.write(ids_mapped_in, b"\n")
    os.close(ids_mapped_in)
    return pid


def _read_child_pid(info_out: int) -> int:
    """Return the pid of bwrap's child process, read from bwrap's info pipe; 0 if bwrap ended without reporting it."""
    with os.fdopen(info_out) as info:
        message = info.read()
    try:
        return int(json.loads(message)["child-pid"])
    except (ValueError, KeyError):
        return 0
