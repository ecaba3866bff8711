"""Runs an attempting bot without any cage, where it must succeed: an attack that never bites proves nothing.

Some bite only as root, which the tests give up: ``python -m tests.support.hostile.control`` as root tries those
as well.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.support.hostile.harness import Played, play, store, sweep, uncaged
from tests.support.hostile.suite import Hostile, hostile_bots
from tests.support.hostile.world import adopting_orphans, descendants, end, rival, world

UNKNOWN = ("Function not implemented", "not supported")
"""What a kernel says that was built without the thing."""


def controlled() -> list[Hostile]:
    """Return the bots that must bite here: all that attempt something, some only where the tests run as root."""
    out_of_reach = "none" if os.geteuid() == 0 else ("none", "needs root")
    return [bot for bot in hostile_bots() if bot.attempts and not bot.control.startswith(out_of_reach)]


def bites(bot: Hostile, played: Played) -> bool:
    """Tell whether the attempt succeeded, or failed only because this kernel knows nothing of the kind."""
    unknown = any(text in note for note in played.notes for text in UNKNOWN)
    return played.outcome == "BREACH" or ("if the kernel has it" in bot.control and unknown)


def play_control(bot: Hostile, folder: Path, hints: dict[str, Any]) -> Played:
    """Play without a cage, then leave the machine as it was."""
    told = store(bot, folder, hints)
    before = descendants()
    try:
        return play(bot, folder, uncaged)
    finally:
        end(lambda: {pid: name for pid, name in descendants().items() if pid not in before})
        sweep(told["mark"], folder)


def main() -> int:
    """Run every control that can be run here, and name those that do not bite."""
    blunt = []
    with tempfile.TemporaryDirectory() as name, world(Path(name)) as hints:
        for number, bot in enumerate(controlled()):
            folder = Path(name) / str(number)
            folder.mkdir()
            with adopting_orphans(), rival() as pid:
                played = play_control(bot, folder, {**hints, "rival_pid": pid})
            if not bites(bot, played):
                blunt.append(f"{bot}: {played}")
    sys.stdout.write("\n".join([*blunt, f"{len(controlled()) - len(blunt)} of {len(controlled())} bite"]) + "\n")
    return bool(blunt)


if __name__ == "__main__":
    sys.exit(main())
