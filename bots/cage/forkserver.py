"""The sandbox backend ``forkserver``: the same layers as ``bwrap``, forked from a running interpreter.

A bot starts in a few milliseconds. All bots of a worker share one address space layout; nothing else.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import socket
import subprocess
from pathlib import Path
from typing import BinaryIO

from bots.cage import Cage
from bots.cage.filter.calls import NUMBERS, machine
from bots.cage.inside import nobody
from bots.cage.plan import INSIDE, BotProgram, plan
from bots.cage.runtime import (
    ENVIRONMENT,
    FILES,
    FLAGS,
    LIBRARIES,
    CageUnavailable,
    helper_folder,
    program_of,
    python,
)
from bots.cage.started_process import StartedProcess, pipes
from ftk_core.kit.languages import LANGUAGES

SERVER = FILES / "server.py"
SERVED = ("boot.py", "nobody.py", "root.py", SERVER.name)
"""Source files of the server."""
PYTHON_INSIDE = "/py/bin/python"
START_SECONDS = 10


def _root(cage: Cage, root: str, door: int) -> str:
    """Return the server's plan as JSON: the mounts, links and covered folders of its root, and its settings."""
    runtime = python()
    shown = [(path, path) for path in runtime.libraries(cage.wheels)]
    shown += [(str(runtime.program), PYTHON_INSIDE), (str(runtime.library), runtime.inside)]
    shown += [(str(file), f"/py/lib/{file.name}") for file in runtime.shared]
    shown += [(str(FILES / name), f"/cage/{name}") for name in SERVED]
    shown.append((str(helper_folder(cage.folder)), INSIDE.helper))
    if cage.wheels:
        shown.append((cage.wheels, INSIDE.wheels))
    for name in LANGUAGES:
        with contextlib.suppress(CageUnavailable):
            program = program_of(name)
            if program.path:
                shown.append((str(program.path), program.argv[0]))
            if not program.elsewhere:
                shown += [(path, path) for path in program.around]
    return json.dumps(
        {
            "worker": os.getpid(),
            "root": root,
            "links": [(folder, os.readlink(folder)) for folder in LIBRARIES if os.path.islink(folder)],
            "shown": list(dict.fromkeys(shown)),
            "covered": runtime.covered,
            "python": PYTHON_INSIDE,
            "flags": FLAGS,
            "uids": nobody.uids(),
            "calls": {name: NUMBERS[machine()][name] for name in ("clone", "pivot_root")},
            "helper": INSIDE.helper,
            "env": {**ENVIRONMENT, "LD_LIBRARY_PATH": "/py/lib"},
            "socket": door,
        }
    )


class ForkServer:
    """A running interpreter that forks bots on requests over a socket; it dies with the process that started it."""

    def __init__(self, cage: Cage) -> None:
        self.shows = _shown_by(cage)
        self._door, theirs = socket.socketpair()
        root = cage.folder / "root"
        root.mkdir(parents=True, exist_ok=True)  # only a mount point; it stays empty outside the namespace
        with nobody.kept_back():
            self.process = subprocess.Popen(
                [str(python().program), *FLAGS, str(SERVER), "build", _root(cage, str(root), theirs.fileno())],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                env=ENVIRONMENT, cwd="/", pass_fds=(theirs.fileno(),), start_new_session=True,
            )  # fmt: skip
        theirs.close()
        self._door.settimeout(START_SECONDS)
        if not self._is_ready():
            assert self.process.stderr
            self.process.kill()
            reason = self.process.stderr.read().decode(errors="replace").strip()
            self.close()
            raise CageUnavailable(reason or "the fork server ended without a word")

    def _is_ready(self) -> bool:
        """Map the server's ids, if this process has a range of them, and wait until it is ready."""
        own = nobody.uids()
        if own:
            if self._answer() != b"apart":
                return False
            nobody.map_ids(self.process.pid, ((nobody.NOBODY, nobody.NOBODY, 1), (own[0], *own)))
            self._door.send(b"\n")
        return self._answer() == b"ready"

    def _answer(self) -> bytes:
        try:
            return self._door.recv(4096)
        except OSError:
            return b""

    def fork(self, text: str, folder: Path, descriptors: tuple[int, int, int]) -> int:
        """Fork a new bot and return its pid; raises CageUnavailable if the server is gone or the kernel refuses.

        The plan and the bot's files are passed in a memory file; the server forwards only its descriptor.
        """
        told = os.memfd_create("plan", os.MFD_CLOEXEC)
        try:
            with open(told, "wb", closefd=False) as file:
                file.write(text.encode() + b"\n")
                _append_files(folder, file)
            os.lseek(told, 0, os.SEEK_SET)
            socket.send_fds(self._door, [b"\n"], [*descriptors, told])
            answer = json.loads(self._answer())
        except (OSError, ValueError) as error:
            raise CageUnavailable(f"the fork server is gone: {error}") from error
        finally:
            os.close(told)
        if answer["pid"] < 0:
            raise CageUnavailable(f"the kernel does not fork into namespaces: {os.strerror(answer['error'])}")
        return int(answer["pid"])

    def close(self) -> None:
        """Kill the server and all its bots."""
        self._door.close()
        self.process.kill()
        self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()


_servers: dict[int, ForkServer] = {}


def _shown_by(cage: Cage) -> tuple[Path, str]:
    """Return the settings that cannot change while a server runs."""
    return cage.folder, cage.wheels


def server(cage: Cage) -> ForkServer:
    """Return this process's fork server, and start one if none runs or the settings have changed.

    Raises CageUnavailable.
    """
    known = _servers.get(os.getpid())
    if known is None or known.process.poll() is not None or known.shows != _shown_by(cage):
        if known is not None:
            known.close()
        _servers.clear()  # a server inherited over a fork belongs to the parent process
        known = _servers[os.getpid()] = ForkServer(cage)
    return known


@atexit.register
def close() -> None:
    """End this process's fork server, if it has one; the next bot starts another."""
    known = _servers.pop(os.getpid(), None)
    if known is not None:
        known.close()


def _append_files(folder: Path, target: BinaryIO) -> None:
    """Append a stored bot's files, each after a JSON line with its path and size, without a copy in the worker."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as source:
                size = os.fstat(source.fileno()).st_size
                target.write(json.dumps({"path": str(path.relative_to(folder)), "size": size}).encode() + b"\n")
                shutil.copyfileobj(source, target)


def spawn(cage: Cage, entry: BotProgram) -> StartedProcess:
    """Start a bot without waiting until the sandbox is complete."""
    inside, outside = pipes()
    try:
        pid = server(cage).fork(plan(cage, entry, INSIDE), entry.folder, inside)
    except CageUnavailable:
        for descriptor in outside:
            os.close(descriptor)
        raise
    finally:
        for descriptor in inside:
            os.close(descriptor)
    return StartedProcess(pipes=outside, pid=lambda: pid)
