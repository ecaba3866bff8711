"""The sandbox backend ``landlock``: no namespaces, for machines that forbid them.

Landlock allows reading the interpreter, the libraries and the bot's own folder; the filter of system calls and the
limits are those of every backend. A bot can find out whether a path exists.
"""

from __future__ import annotations

import os
import subprocess

from bots.cage import Cage
from bots.cage.inside import nobody
from bots.cage.plan import BotProgram, in_place, plan
from bots.cage.runtime import (
    ENVIRONMENT,
    FLAGS,
    PACKAGES,
    CageUnavailable,
    boot_file,
    helper_folder,
    program_of,
    python,
)
from bots.cage.started_process import StartedProcess, pipes


def _readable(cage: Cage, entry: BotProgram) -> list[str]:
    """Return the readable paths: the library folder by folder, without the installed packages."""
    runtime = python()
    library = [str(path) for path in sorted(runtime.library.iterdir()) if path.name not in PACKAGES]
    program = program_of(entry.command[0])
    shared = [str(path) for path in runtime.shared]
    wheels = [cage.wheels] if cage.wheels else []
    own = [str(entry.folder), str(helper_folder(cage.folder)), *([str(program.path)] if program.path else [])]
    own += program.around
    return [*runtime.libraries(cage.wheels), *library, *shared, *wheels, *own]


def spawn(cage: Cage, entry: BotProgram) -> StartedProcess:
    """Start a bot without waiting until the sandbox is complete; raises CageUnavailable if the worker is root."""
    if nobody.is_roots():
        raise CageUnavailable("without namespaces the bots of root would be root; start the worker as another user")
    inside, outside = pipes()
    seen = in_place(cage, entry)
    text = plan(cage, entry, seen, worker=os.getpid(), landlock=_readable(cage, entry))
    try:
        process = subprocess.Popen(
            [str(python().program), *FLAGS, str(boot_file(cage.folder)), text],
            stdin=inside[0], stdout=inside[1], stderr=inside[2],
            env=ENVIRONMENT, cwd="/", start_new_session=True,
        )  # fmt: skip
    finally:
        for descriptor in inside:
            os.close(descriptor)
    return StartedProcess(pipes=outside, pid=lambda: process.pid, process=process)
