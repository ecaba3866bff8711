"""Bots that the kernel ended because the machine ran out of memory: the host's fault, so the match is tried again."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ftk_core.kit.pipe import PipePlayer
from ftk_core.players import Answer, Ask, HostFault, NoAnswer

VMSTAT: Final = Path("/proc/vmstat")
"""Counts as `oom_kill` the processes of the whole machine that the kernel ended for want of memory."""
EVENTS: Final = "memory.events"
"""A cgroup's file: `oom_kill` counts its processes that the kernel ended, `oom` how often it reached its own limit."""


class HostMemoryError(HostFault):
    """Raised when the kernel ended a bot because the machine, not the bot, used too much memory."""


def read_count(file: Path, name: str) -> int:
    """Return a counter of a file with one on each line; 0 where it has none."""
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.split()[:1] == [name]), 0)


class BotMemory:
    """Knows whether a bot that has ended was ended for want of the machine's memory."""

    def __init__(self, group: Path | None, vmstat: Path = VMSTAT) -> None:
        """Count from here. Without a cgroup only the machine's counter is known, not which process it ended."""
        self._group, self._vmstat, self._before = group, vmstat, read_count(vmstat, "oom_kill")

    def was_killed(self) -> bool:
        """Tell whether the kernel has ended the bot, which had not reached its own limit."""
        if self._group is None:
            return read_count(self._vmstat, "oom_kill") > self._before
        events = self._group / EVENTS
        return read_count(events, "oom_kill") > 0 and read_count(events, "oom") == 0


class CagedPlayer(PipePlayer):
    """A bot in its cage, which is not charged with a death that the machine is to blame for."""

    bot_memory: BotMemory | None = None

    def choose(self, ask: Ask) -> Answer:
        """Send the question and wait for its answer; raises NoAnswer, or HostFault where the machine is to blame."""
        alive = not self._over
        try:
            return super().choose(ask)
        except NoAnswer as silence:
            by_us = any(detail.startswith("ended by the arena") for _, detail in self.faults)
            if alive and silence.excuse == "crash" and not by_us and self.bot_memory and self.bot_memory.was_killed():
                raise HostMemoryError(
                    f"{self.name} was ended by the kernel: the machine had no memory left"
                ) from silence
            raise
