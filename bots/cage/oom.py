"""Detection of bots that the kernel killed because the machine ran out of memory, which is the host's fault."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ftk_core.kit.pipe import PipePlayer
from ftk_core.players import Answer, Ask, HostFault, NoAnswer

VMSTAT: Final = Path("/proc/vmstat")
"""Its `oom_kill` counts the processes of the whole machine that the kernel killed for lack of memory."""
EVENTS: Final = "memory.events"
"""A cgroup's file: `oom_kill` counts its processes that the kernel killed, `oom` how often it reached its own limit."""


class HostMemoryError(HostFault):
    """Raised if the kernel killed a bot because the machine, not the bot, used too much memory."""


def read_count(file: Path, name: str) -> int:
    """Return a counter of a file with one counter per line; 0 if it is missing."""
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.split()[:1] == [name]), 0)


class BotMemory:
    """Memory counters before a bot's start, to decide later if the machine's lack of memory killed it."""

    def __init__(self, group: Path | None, vmstat: Path = VMSTAT) -> None:
        """Read the counters; without a cgroup only the machine's counter is known, not which process was killed."""
        self._group, self._vmstat, self._before = group, vmstat, read_count(vmstat, "oom_kill")

    def was_killed(self) -> bool:
        """Return True if the kernel has killed the bot although it had not reached its own limit."""
        if self._group is None:
            return read_count(self._vmstat, "oom_kill") > self._before
        events = self._group / EVENTS
        return read_count(events, "oom_kill") > 0 and read_count(events, "oom") == 0


class CagedPlayer(PipePlayer):
    """A bot in its sandbox; a death caused by the machine's lack of memory is a host fault."""

    bot_memory: BotMemory | None = None

    def choose(self, ask: Ask) -> Answer:
        """Send the question and wait for its answer; raises NoAnswer, or HostFault if the machine is to blame."""
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
