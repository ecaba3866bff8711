"""Sandbox backend for machines that forbid Linux namespaces, with Landlock."""
# Landlock limits the files that a bot can read. This backend is weaker than the others: a bot can find out if a path
# exists.

from __future__ import annotations

import os
import subprocess

from bots.sandbox import SandboxConfig
from bots.sandbox.bot_start_settings import BotStartCommand, build_plan, host_paths
from bots.sandbox.inside import user_namespace
from bots.sandbox.language_runtimes import (
    PACKAGE_FOLDERS,
    SandboxUnavailable,
    compile_bootstrap,
    create_helper_folder,
    find_interpreter,
    find_runtime,
)
from bots.sandbox.sandboxed_bot_process import StartedBotProcess, create_pipes
from ftk_core.kit.sandboxing.sandbox_files_and_environment import ENVIRONMENT, INTERPRETER_FLAGS


def _list_readable_paths(sandbox: SandboxConfig, entry: BotStartCommand) -> list[str]:
    """Return the paths of the files and folders that the bot `entry` may read."""
    # Python's library folder is listed entry by entry, to leave out its folders of installed packages.
    runtime = find_interpreter()
    library = [str(path) for path in sorted(runtime.library.iterdir()) if path.name not in PACKAGE_FOLDERS]
    program = find_runtime(entry.command[0])
    shared = [str(path) for path in runtime.shared]
    wheels = [sandbox.wheels] if sandbox.wheels else []
    own = [str(entry.folder), str(create_helper_folder(sandbox.folder)), *([str(program.path)] if program.path else [])]
    own += program.extra_paths
    return [*runtime.libraries(sandbox.wheels), *library, *shared, *wheels, *own]


def spawn(sandbox: SandboxConfig, entry: BotStartCommand) -> StartedBotProcess:
    """Start a bot with Landlock. Raises SandboxUnavailable if this process has root rights."""
    # Returns before the sandbox is complete.
    if user_namespace.has_root_rights():
        raise SandboxUnavailable("without namespaces the bots of root would be root; start the worker as another user")
    inside, outside = create_pipes()
    paths = host_paths(sandbox, entry)
    text = build_plan(sandbox, entry, paths, worker=os.getpid(), landlock=_list_readable_paths(sandbox, entry))
    try:
        process = subprocess.Popen(
            [str(find_interpreter().program), *INTERPRETER_FLAGS, str(compile_bootstrap(sandbox.folder)), text],
            stdin=inside[0], stdout=inside[1], stderr=inside[2],
            env=ENVIRONMENT, cwd="/", start_new_session=True,
        )  # fmt: skip
    finally:
        for descriptor in inside:
            os.close(descriptor)
    return StartedBotProcess(pipes=outside, pid=lambda: process.pid, process=process)
