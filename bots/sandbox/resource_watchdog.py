"""Watchdog thread that kills each bot that exceeds a resource limit."""
# The kernel's limits and the seccomp filter should make an excess impossible; the watchdog is for unknown gaps in them.
# It counts memory of every kind and threads, of the bot and its descendants. Measuring a bot takes about 40
# microseconds.

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from bots.sandbox.file_descriptor_polling import is_readable
from bots.sandbox.filter.system_call_policy import Kind
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.sandboxing.sandbox_limits import MIB, SANDBOX_LIMITS

MEASURE_SECONDS = 0.02
"""Seconds between two measurements of a bot."""
_MEMORY_LINES = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap|VmPTE):\s+(\d+) kB$", re.MULTILINE)
_THREAD_LINES = re.compile(rb"^Threads:\s+(\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """Memory and number of threads that a process and its descendants use together."""

    memory: int
    """Memory in bytes, without file-backed pages, because processes share these."""
    threads: int


def list_family(pid: int) -> Iterator[int]:
    """Yield the pids of a process and its descendants."""
    yield pid
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in _read(f"/proc/{pid}/task/{thread}/children").split():
                yield from list_family(int(child))


def measure_usage(pid: int) -> ResourceUsage:
    """Return the memory and threads of a process and its descendants; zeros once the process has ended."""
    status = [_read_status(member) for member in list_family(pid)]
    memory = sum(int(kib) for text in status for kib in _MEMORY_LINES.findall(text)) * 1024
    return ResourceUsage(memory, sum(int(count) for text in status for count in _THREAD_LINES.findall(text)))


def _read_status(pid: int) -> bytes:
    """Return the status of a process. If its first thread has ended, which shows no memory, return another thread's."""
    status = _read(f"/proc/{pid}/status")
    if not _MEMORY_LINES.search(status):
        with contextlib.suppress(OSError):
            threads = (_read(f"/proc/{pid}/task/{thread}/status") for thread in os.listdir(f"/proc/{pid}/task"))
            return next((other for other in threads if _MEMORY_LINES.search(other)), status)
    return status


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # the process has ended
        return b""


def describe_excess(used: ResourceUsage, kind: Kind) -> str:
    """Return a sentence about the limit that a bot exceeds; empty if none."""
    threads = SANDBOX_LIMITS.threads if kind == "threads" else 1
    if used.memory > SANDBOX_LIMITS.memory_bytes:
        return f"{used.memory // MIB} MiB of memory, {SANDBOX_LIMITS.memory_bytes // MIB} are allowed"
    return f"{used.threads} threads, {threads} are allowed" if used.threads > threads else ""


@dataclass(frozen=True, slots=True)
class WatchedBot:
    """A bot that the watchdog measures, with a pidfd of the bot's process."""

    player: BotProcessPlayer
    kind: Kind
    pidfd: int

    def check(self) -> bool:
        """Kill the bot if it exceeds a limit. Return True if the bot still runs."""
        if is_readable(self.pidfd, 0):
            return False
        used = measure_usage(self.player.pid)
        self.player.memory = max(self.player.memory or 0, used.memory)
        exceeded = describe_excess(used, self.kind)
        if exceeded:
            self._kill()
            self.player.faults.append((0, f"ended by the arena: it used {exceeded}"))
        return not exceeded

    def _kill(self) -> None:
        """Kill the bot and its descendants."""
        # All of them are stopped first, so that they start no new processes.
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):
            _, *others = list_family(self.player.pid)
            for pid in others:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal_number)
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self.pidfd, signal_number)


@contextmanager
def watch_bots(bots: Sequence[tuple[BotProcessPlayer, Kind]]) -> Iterator[None]:
    """Kill each bot that exceeds a resource limit, until the end of the `with` block.

    `bots` contains a pair (player, kind) for each bot. Only a bot of the kind ``threads`` may start threads.
    """
    over = threading.Event()
    with ExitStack() as stack:
        watched = []
        for player, kind in bots:
            try:
                handle = os.pidfd_open(player.pid)
            except ProcessLookupError:
                continue
            stack.callback(os.close, handle)
            watched.append(WatchedBot(player, kind, handle))
        thread = threading.Thread(target=_watch_until, args=(watched, over), name="cage-watch", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _watch_until(watched: list[WatchedBot], over: threading.Event) -> None:
    last = False
    while not last:
        last = over.wait(MEASURE_SECONDS)  # the last measurement also covers very short matches
        watched = [bot for bot in watched if bot.check()]
