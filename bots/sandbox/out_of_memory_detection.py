"""Detection of bots that were killed because the machine ran out of memory."""
# Then the host is at fault, not the bot.

from __future__ import annotations

from pathlib import Path
from typing import Final

from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.players import HostOverloadError, NoAnswerError, PlayerAnswer, QuestionToSeat

VMSTAT: Final = Path("/proc/vmstat")
"""File whose `oom_kill` counts the processes on this machine that the kernel killed for lack of memory."""
CGROUP_EVENTS: Final = "memory.events"
"""File of a cgroup: `oom_kill` counts its processes that the kernel killed, `oom` how often it hit its own limit."""


class HostMemoryError(HostOverloadError):
    """Raised if the kernel killed a bot because the machine, not the bot, used too much memory."""


def read_count(file: Path, name: str) -> int:
    """Return a counter from a file with lines such as ``oom_kill 3``; 0 if the file or the counter is missing."""
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.split()[:1] == [name]), 0)


class BotMemoryCounters:
    """Kernel counters that show if the kernel has killed a bot for lack of memory since the bot's start."""

    def __init__(self, group: Path | None, vmstat: Path = VMSTAT) -> None:
        """Store the machine's present number of out-of-memory kills. `group` is the bot's cgroup, if it has one."""
        self._group, self._vmstat, self._before = group, vmstat, read_count(vmstat, "oom_kill")

    def was_killed(self) -> bool:
        """Return True if the kernel killed the bot although the bot had not reached its own memory limit."""
        # Without a cgroup: True if the kernel killed any process of the machine since the bot's start.
        if self._group is None:
            return read_count(self._vmstat, "oom_kill") > self._before
        events = self._group / CGROUP_EVENTS
        return read_count(events, "oom_kill") > 0 and read_count(events, "oom") == 0


class SandboxedProcessPlayer(BotProcessPlayer):
    """Player for a sandboxed bot that detects if the machine, not the bot, ran out of memory."""

    bot_memory: BotMemoryCounters | None = None

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Send the bot a question and return its answer.

        Raises NoAnswerError if the bot is at fault, HostOverloadError if the machine was too slow, and HostMemoryError
        if the machine ran out of memory.
        """
        alive = not self._over
        try:
            return super().choose(ask)
        except NoAnswerError as silence:
            by_us = any(detail.startswith("ended by the arena") for _, detail in self.faults)
            if alive and silence.excuse == "crash" and not by_us and self.bot_memory and self.bot_memory.was_killed():
                raise HostMemoryError(
                    f"{self.name} was ended by the kernel: the machine had no memory left"
                ) from silence
            raise
