"""Sandbox backend that forks bots from a running Python interpreter."""
# The isolation is the same as with `bwrap`, but a bot starts in a few milliseconds. The bots of one worker share the
# address space layout and nothing else.

from __future__ import annotations

import atexit
import contextlib
import json
import mmap
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from bots.sandbox import SandboxConfig
from bots.sandbox.bot_start_settings import PATHS_INSIDE, BotStartCommand, build_plan
from bots.sandbox.filter.system_call_numbers import NUMBERS, find_architecture
from bots.sandbox.inside import user_namespace
from bots.sandbox.language_runtimes import (
    INSIDE_FOLDER,
    LIBRARIES,
    SandboxUnavailable,
    create_helper_folder,
    find_interpreter,
    find_runtime,
)
from bots.sandbox.sandboxed_bot_process import StartedBotProcess, create_pipes
from ftk_core.kit.sandboxing.sandbox_files_and_environment import ENVIRONMENT, INTERPRETER_FLAGS
from ftk_core.kit.uploads.programming_languages import LANGUAGES

SERVER = INSIDE_FOLDER / "fork_server.py"
SERVER_FILES = ("boot.py", "user_namespace.py", "root_file_system.py", SERVER.name)
"""Source files of the fork server, which are mounted in its root file system."""
PYTHON_INSIDE = "/py/bin/python"
START_SECONDS = 10
"""Timeout in seconds for each answer of the fork server."""
TMPFS_MARGIN_BYTES = 1 << 20
"""Room in bytes of a bot's file system beyond the bot's files."""


def _server_plan(sandbox: SandboxConfig, root: str, socket_descriptor: int) -> str:
    """Return the fork server's settings as JSON."""
    runtime = find_interpreter()
    mounts = [(path, path) for path in runtime.libraries(sandbox.wheels)]
    mounts += [(str(runtime.program), PYTHON_INSIDE), (str(runtime.library), runtime.inside)]
    mounts += [(str(file), f"/py/lib/{file.name}") for file in runtime.shared]
    mounts += [(str(INSIDE_FOLDER / name), f"/cage/{name}") for name in SERVER_FILES]
    mounts.append((str(create_helper_folder(sandbox.folder)), PATHS_INSIDE.helper))
    if sandbox.wheels:
        mounts.append((sandbox.wheels, PATHS_INSIDE.wheels))
    for name in LANGUAGES:
        with contextlib.suppress(SandboxUnavailable):
            program = find_runtime(name)
            if program.path:
                mounts.append((str(program.path), program.argv[0]))
            if not program.settings_files:
                mounts += [(path, path) for path in program.extra_paths]
    return json.dumps(
        {
            "worker": os.getpid(),
            "root": root,
            "links": [(folder, os.readlink(folder)) for folder in LIBRARIES if os.path.islink(folder)],
            "shown": list(dict.fromkeys(mounts)),
            "covered": runtime.hidden_packages,
            "python": PYTHON_INSIDE,
            "flags": INTERPRETER_FLAGS,
            "uids": user_namespace.bot_uids(),
            "calls": {name: NUMBERS[find_architecture()][name] for name in ("clone", "pivot_root")},
            "helper": PATHS_INSIDE.helper,
            "env": {**ENVIRONMENT, "LD_LIBRARY_PATH": "/py/lib"},
            "socket": socket_descriptor,
        }
    )


class ForkServer:
    """Python interpreter that forks a bot for each request over a socket."""

    def __init__(self, sandbox: SandboxConfig) -> None:
        self.settings = _fixed_settings(sandbox)
        self._lock, self._requests = threading.Lock(), 0
        self._socket, theirs = socket.socketpair()
        root = sandbox.folder / "root"
        root.mkdir(parents=True, exist_ok=True)  # only a mount point; it stays empty outside the namespace
        server_plan = _server_plan(sandbox, str(root), theirs.fileno())
        with user_namespace.without_ambient_capabilities():
            self.process = subprocess.Popen(
                [str(find_interpreter().program), *INTERPRETER_FLAGS, str(SERVER), "build", server_plan],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                env=ENVIRONMENT, cwd="/", pass_fds=(theirs.fileno(),), start_new_session=True,
            )  # fmt: skip
        theirs.close()
        self._socket.settimeout(START_SECONDS)
        if not self._await_ready():
            assert self.process.stderr
            self.process.kill()
            reason = self.process.stderr.read().decode(errors="replace").strip()
            self.close()
            raise SandboxUnavailable(reason or "the fork server ended without a word")

    def _await_ready(self) -> bool:
        """Wait for the server. Return False if it ends or does not answer in time."""
        # If this worker has a range of uids for bots, the server first asks this process to write its uid and gid maps.
        uids = user_namespace.bot_uids()
        if uids:
            if self._answer() != b"apart":
                return False
            user_namespace.map_ids(
                self.process.pid, ((user_namespace.NOBODY, user_namespace.NOBODY, 1), (uids[0], *uids))
            )
            self._socket.send(b"\n")
        return self._answer() == b"ready"

    def _answer(self) -> bytes:
        try:
            return self._socket.recv(4096)
        except OSError:
            return b""

    def fork(self, text: str, folder: Path, descriptors: tuple[int, int, int]) -> int:
        """Start a new bot and return its process id. Raises SandboxUnavailable if this fails.

        `text` is the bot's start plan, `folder` contains its files, and `descriptors` are its stdin, stdout and
        stderr.
        """
        # Without a valid answer the server is ended: a late answer would be read as the answer to the next request. An
        # error before the request was sent must not end it, because all its other bots would end with it.
        request = os.memfd_create("plan", os.MFD_CLOEXEC)
        try:
            try:
                with open(request, "wb", closefd=False) as file:
                    file.write(text.encode() + b"\n")
                    _append_files(folder, file)
                os.lseek(request, 0, os.SEEK_SET)
            except OSError as error:
                raise SandboxUnavailable(f"the bot's files cannot be read: {error}") from error
            answer = self._exchange_or_end((*descriptors, request))
        finally:
            os.close(request)
        if answer["pid"] < 0:
            raise SandboxUnavailable(f"the kernel does not fork into namespaces: {os.strerror(answer['error'])}")
        return int(answer["pid"])

    def _exchange_or_end(self, descriptors: Sequence[int]) -> dict[str, int]:
        """Send a request and return the answer. Without a valid answer, end the server and raise SandboxUnavailable."""
        try:
            return self._exchange(descriptors)
        except BaseException as error:
            discard_server(self)
            if isinstance(error, (OSError, ValueError)):
                raise SandboxUnavailable(f"the fork server is gone: {error}") from error
            raise

    def _exchange(self, descriptors: Sequence[int]) -> dict[str, int]:
        """Send a numbered request and return the answer. Raises OSError, or ValueError if the numbers differ."""
        with self._lock:
            self._requests += 1
            number = self._requests
            socket.send_fds(self._socket, [str(number).encode()], descriptors)
            answer: dict[str, int] = json.loads(self._answer())
        if answer["request"] != number:
            raise ValueError(f"it answered request {answer['request']} in place of request {number}")
        return answer

    def close(self) -> None:
        """Kill the server and all its bots."""
        self._socket.close()
        self.process.kill()
        self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()


_servers: dict[int, ForkServer] = {}


def _fixed_settings(sandbox: SandboxConfig) -> tuple[Path, str]:
    """Return the settings that a running fork server cannot change: sandbox folder, and folder of Python libraries."""
    return sandbox.folder, sandbox.wheels


def get_server(sandbox: SandboxConfig) -> ForkServer:
    """Return this process's fork server; start one if needed. Raises SandboxUnavailable."""
    running = _servers.get(os.getpid())
    if running is None or running.process.poll() is not None or running.settings != _fixed_settings(sandbox):
        if running is not None:
            running.close()
        _servers.clear()  # a server inherited over a fork belongs to the parent process
        running = _servers[os.getpid()] = ForkServer(sandbox)
    return running


@atexit.register
def close_server() -> None:
    """End this process's fork server, if it has one."""
    running = _servers.pop(os.getpid(), None)
    if running is not None:
        running.close()


def discard_server(server: ForkServer) -> None:
    """End a fork server that gave no valid answer."""
    # A new server is started with the next bot.
    if _servers.get(os.getpid()) is server:
        del _servers[os.getpid()]
    server.close()


def _tmpfs_bytes(folder: Path) -> int:
    """Return the size in bytes of a tmpfs with room for a bot's files."""
    # Each file occupies whole pages.
    page = mmap.PAGESIZE
    return TMPFS_MARGIN_BYTES + sum(
        -(-path.stat().st_size // page) * page for path in folder.rglob("*") if path.is_file()
    )


def _append_files(folder: Path, target: BinaryIO) -> None:
    """Append the files of a bot to a stream. Before each file, write a JSON line with its path and size."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as source:
                size = os.fstat(source.fileno()).st_size
                target.write(json.dumps({"path": str(path.relative_to(folder)), "size": size}).encode() + b"\n")
                shutil.copyfileobj(source, target)


def spawn(sandbox: SandboxConfig, entry: BotStartCommand) -> StartedBotProcess:
    """Start a bot with the fork server. Raises SandboxUnavailable if this fails."""
    # Returns before the sandbox is complete.
    inside, outside = create_pipes()
    try:
        plan = build_plan(sandbox, entry, PATHS_INSIDE, files_bytes=_tmpfs_bytes(entry.folder))
        pid = get_server(sandbox).fork(plan, entry.folder, inside)
    except SandboxUnavailable:
        for descriptor in outside:
            os.close(descriptor)
        raise
    finally:
        for descriptor in inside:
            os.close(descriptor)
    return StartedBotProcess(pipes=outside, pid=lambda: pid)
