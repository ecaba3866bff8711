"""A wall behind the kernel's limits: what the bots of a match use is looked at from outside, and too much is the end.

The limits and the filter of system calls leave no way to so much. Should there be one that we do not know, a thread of
the worker finds what has come of it: memory of every kind (its own, shared, swapped out, page tables) and threads, of
the bot and of whatever it has started. One look at a bot costs about 40 microseconds.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from bots.cage.filter.policy import Kind
from bots.cage.limits import CAGE, MIB
from bots.cage.waiting import readable
from ftk_core.kit.pipe import PipePlayer

SECONDS = 0.02
"""How long a bot may go unseen."""
_COUNTED = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap|VmPTE):\s+(\d+) kB$", re.MULTILINE)
_THREADS = re.compile(rb"^Threads:\s+(\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process uses, with all that come from it."""

    memory: int
    """Bytes. Files that others read too are not counted."""
    threads: int


def family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in _read(f"/proc/{pid}/task/{thread}/children").split():
                yield from family(int(child))


def usage(pid: int) -> Usage:
    """Return what a process and its descendants use; nothing once it is gone."""
    status = [_read(f"/proc/{one}/status") for one in family(pid)]
    memory = sum(int(kib) for text in status for kib in _COUNTED.findall(text)) * 1024
    return Usage(memory, sum(int(count) for text in status for count in _THREADS.findall(text)))


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # it has ended
        return b""


def excess(used: Usage, kind: Kind) -> str:
    """Return in what a bot has gone beyond its limits; empty when in nothing."""
    threads = CAGE.threads if kind == "threads" else 1
    if used.memory > CAGE.memory_bytes:
        return f"{used.memory // MIB} MiB of memory, {CAGE.memory_bytes // MIB} are allowed"
    return f"{used.threads} threads, {threads} are allowed" if used.threads > threads else ""


@dataclass(frozen=True, slots=True)
class Watched:
    """A bot, with a handle of our own on its process."""

    player: PipePlayer
    kind: Kind
    handle: int

    def look(self) -> bool:
        """End it if it uses too much, and tell its author; False once it has ended."""
        if readable(self.handle, 0):
            return False
        used = usage(self.player.pid)
        self.player.memory = max(self.player.memory or 0, used.memory)
        why = excess(used, self.kind)
        if why:
            self._end()
            self.player.faults.append((0, f"ended by the arena: it used {why}"))
        return not why

    def _end(self) -> None:
        """Kill the whole family: stopped first, so that it does not grow meanwhile."""
        for sign in (signal.SIGSTOP, signal.SIGKILL):
            _, *others = family(self.player.pid)
            for pid in others:
                with contextlib.suppress(OSError):
                    os.kill(pid, sign)
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self.handle, sign)


@contextmanager
def watching(bots: Sequence[tuple[PipePlayer, Kind]]) -> Iterator[None]:
    """Watch bots that wait for their start, until the block is left."""
    over = threading.Event()
    with ExitStack() as stack:
        watched = []
        for player, kind in bots:
            try:
                handle = os.pidfd_open(player.pid)
            except ProcessLookupError:
                continue
            stack.callback(os.close, handle)
            watched.append(Watched(player, kind, handle))
        thread = threading.Thread(target=_watch, args=(watched, over), name="cage-watch", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _watch(watched: list[Watched], over: threading.Event) -> None:
    last = False
    while not last:
        last = over.wait(SECONDS)  # once more at the end, as a short match is over before the first look
        watched = [one for one in watched if one.look()]
