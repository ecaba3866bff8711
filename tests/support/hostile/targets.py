"""Targets of hostile bots: secrets, a rival process, open sockets, the referee's own memory.

All targets are made for the tests and placed where the real ones would be, and the bots know their locations: a sandbox
must hold against an attacker with inside knowledge.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import django

PROJECT = Path(__file__).parents[3]
PLACES = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path("/dev/mqueue"), Path("/"), Path.home(), PROJECT)
"""Folders searched for files of a bot, besides its own folder."""
PR_SET_CHILD_SUBREAPER = 36


@contextmanager
def place_targets(folder: Path) -> Iterator[dict[str, Any]]:
    """Place all targets, and yield the hints for the bots."""
    word = secrets.token_hex(12)
    for name in ("var", "rival"):
        (folder / name).mkdir()
        (folder / name / "bot.py").write_text(f"# {word}\n")
    with ExitStack() as stack:
        buffer = ctypes.create_string_buffer(word.encode())
        os.environ["FTK_HOSTILE_SECRET"] = word
        stack.callback(os.environ.pop, "FTK_HOSTILE_SECRET")
        yield {
            "parent": os.getpid(),
            "node": os.uname().nodename,
            "drow": word[::-1],  # backwards, so that finding it is not finding this hint
            "address": ctypes.addressof(buffer),
            "secret": str(folder / "var" / "bot.py"),
            "rival": str(folder / "rival" / "bot.py"),
            "project": str(PROJECT),
            "packages": str(Path(django.__file__).parent),
            "descriptor": stack.enter_context(_open_descriptor(folder / "var" / "bot.py")),
            **stack.enter_context(_listeners(folder)),
        }


@contextmanager
def adopt_orphans() -> Iterator[None]:
    """Become the parent of processes that a bot leaves behind, so that they are found."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


@contextmanager
def start_rival_process() -> Iterator[int]:
    """Yield a process that stands for a rival's bot, and may be killed."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        yield process.pid
        process.kill()


@contextmanager
def _open_descriptor(path: Path) -> Iterator[int]:
    """Yield a descriptor that a careless launcher would leak to its children."""
    descriptor = os.open(path, os.O_RDONLY)
    os.set_inheritable(descriptor, True)  # noqa: FBT003 - it takes no name
    yield descriptor
    os.close(descriptor)


@contextmanager
def _listeners(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the addresses of listening sockets."""
    with ExitStack() as stack:

        def listening(family: int, kind: int, address: Any) -> Any:
            listener = stack.enter_context(socket.socket(family, kind))
            listener.bind(address)
            if kind == socket.SOCK_STREAM:
                listener.listen(64)
            return listener.getsockname()

        hidden = "\0ftk-hostile-" + secrets.token_hex(8)
        listening(socket.AF_UNIX, socket.SOCK_STREAM, hidden)
        yield {
            "tcp": listening(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))[1],
            "udp": listening(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))[1],
            "socket": listening(socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "socket")),
            "abstract": hidden[1:],
        }


def list_descendants() -> dict[int, str]:
    """Return the living descendants of this process with their names, without the database's."""
    parents: dict[int, tuple[int, str]] = {}
    for entry in os.listdir("/proc"):
        with suppress(OSError, ValueError):
            text = Path(f"/proc/{int(entry)}/stat").read_text(errors="replace")
            name, _, rest = text.partition("(")[2].rpartition(")")
            state, parent = rest.split()[:2]
            if state not in "ZX":
                parents[int(entry)] = (int(parent), name)
    found: dict[int, str] = {}
    for pid, (_, name) in parents.items():
        ancestor = pid
        while ancestor in parents and ancestor != os.getpid():
            ancestor = parents[ancestor][0]
        if ancestor == os.getpid() != pid and name != "postgres":
            found[pid] = name
    return found


def end_processes(pids: Callable[[], dict[int, str]]) -> None:
    """Kill stray processes until none are left."""
    while strays := pids():
        for pid in strays:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def find_marked_files(mark: str, folder: Path) -> list[Path]:
    """Return all files with a bot's mark, from every writable place."""
    return [path for place in (*PLACES, folder) if place.is_dir() for path in place.glob(f"*{mark}*")]
