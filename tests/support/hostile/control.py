"""Runs of hostile bots without a sandbox, where each attack must succeed: otherwise it proves nothing about a sandbox.

Some attacks succeed only as root: ``python -m tests.support.hostile.control`` as root runs those, too.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.support.hostile.harness import (
    DialogueResult,
    play,
    remove_written_files,
    start_without_sandbox,
    write_hostile_bot,
)
from tests.support.hostile.suite import HostileBot, list_hostile_bots
from tests.support.hostile.targets import (
    adopt_orphans,
    end_processes,
    list_descendants,
    place_targets,
    start_rival_process,
)

UNKNOWN = ("Function not implemented", "not supported")
"""Error messages of a kernel that was built without the feature."""


def bots_with_control() -> list[HostileBot]:
    """Return the bots whose attack must succeed without a sandbox; some of them only if the tests run as root."""
    out_of_reach = "none" if os.geteuid() == 0 else ("none", "needs root")
    return [bot for bot in list_hostile_bots() if bot.attempts and not bot.control.startswith(out_of_reach)]


def attack_succeeds(bot: HostileBot, played: DialogueResult) -> bool:
    """Return True if the attack succeeded, or failed only because this kernel lacks the feature."""
    unknown = any(text in note for note in played.notes for text in UNKNOWN)
    return played.outcome == "BREACH" or ("if the kernel has it" in bot.control and unknown)


def play_control(bot: HostileBot, folder: Path, hints: dict[str, Any]) -> DialogueResult:
    """Play without a sandbox; then end the processes and remove the files that the bot left behind."""
    stored_hints = write_hostile_bot(bot, folder, hints)
    before = list_descendants()
    try:
        return play(bot, folder, start_without_sandbox)
    finally:
        end_processes(lambda: {pid: name for pid, name in list_descendants().items() if pid not in before})
        remove_written_files(stored_hints["mark"], folder)


def main() -> int:
    """Run every attack that this machine allows without a sandbox, and print the attacks that fail."""
    blunt = []
    with tempfile.TemporaryDirectory() as name, place_targets(Path(name)) as hints:
        for number, bot in enumerate(bots_with_control()):
            folder = Path(name) / str(number)
            folder.mkdir()
            with adopt_orphans(), start_rival_process() as pid:
                played = play_control(bot, folder, {**hints, "rival_pid": pid})
            if not attack_succeeds(bot, played):
                blunt.append(f"{bot}: {played}")
    sys.stdout.write(
        "\n".join([*blunt, f"{len(bots_with_control()) - len(blunt)} of {len(bots_with_control())} bite"]) + "\n"
    )
    return bool(blunt)


if __name__ == "__main__":
    sys.exit(main())
