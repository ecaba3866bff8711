"""A watchdog behind the kernel's limits: a thread that measures the bots of a match and kills one over its limits.

The limits and the filter of system calls should make such use impossible. The watchdog catches ways that we do not
know: memory of every kind (private, shared, swapped out, page tables) and threads, of the bot and of its descendants.
Measuring a bot costs about 40 microseconds.
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
"""Interval between two measurements."""
_COUNTED = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap|VmPTE):\s+(\d+) kB$", re.MULTILINE)
_THREADS = re.compile(rb"^Threads:\s+(\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Usage:
    """Resources used by a process and its descendants."""

    memory: int
    """Bytes, without file pages, which are shared."""
    threads: int


def family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in _read(f"/proc/{pid}/task/{thread}/children").split():
                yield from family(int(child))


def usage(pid: int) -> Usage:
    """Measure a process and its descendants; zero once it has ended."""
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
    """Return a description of the exceeded limit; empty if there is none."""
    threads = CAGE.threads if kind == "threads" else 1
    if used.memory > CAGE.memory_bytes:
        return f"{used.memory // MIB} MiB of memory, {CAGE.memory_bytes // MIB} are allowed"
    return f"{used.threads} threads, {threads} are allowed" if used.threads > threads else ""


@dataclass(frozen=True, slots=True)
class Watched:
    """A bot, with our own pidfd of its process."""

    player: PipePlayer
    kind: Kind
    handle: int

    def look(self) -> bool:
        """Kill the bot if it exceeds a limit, with a message for its author; return False once it has ended."""
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
        """Kill the process and its descendants; stop them first, so that no new ones appear."""
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
        last = over.wait(SECONDS)  # once more at the end, as a short match is over before the first measurement
        watched = [one for one in watched if one.look()]
