"""Remedies for the most frequent faults of bots, shown in reports of trial matches."""

from __future__ import annotations

import re
from collections.abc import Iterable
from gettext import gettext as _

from ftk_core.i18n import N_
from ftk_core.kit.sandboxing.sandbox_limits import MIB, SANDBOX_LIMITS

_HINTS = {
    r"crashed: the process ended without a word": N_(
        "it ended before it answered: a bot reads questions until its input ends, as run(choose) does in Python"
    ),
    r"crashed: ModuleNotFoundError|crashed: Error: Cannot find module": N_(
        "it imports what is not here: put the module into the archive, or use a library of the arena (/write-a-bot/)"
    ),
    r"crashed: .*(Operation not permitted|can't start new thread)": N_(
        "the sandbox refused it: a bot has no network, no threads and no other processes, and writes no files"
    ),
    r"crashed: .*(No such file or directory|No usable temporary directory)": N_(
        "the file is not in the sandbox: a bot reads the files of its archive, by paths relative to its folder"
    ),
    r"crashed: (MemoryError|FATAL ERROR: .*memory)": N_(
        "its memory is full: a bot may use {mib} MiB, including its interpreter and libraries"
    ),
    r"malformed: b": N_(
        "a line of its output is not an answer: write only answers to standard output, and all else to standard error"
    ),
    r"late:": N_("it waited instead of answering: read one line at a time, answer with its id, and flush the line"),
}
"""Beginning of a fault's description, as a regular expression -> remedy."""


def list_hints(faults: Iterable[str]) -> list[str]:
    """Return the known remedies for the faults of a bot.

    >>> list_hints(["crashed: MemoryError", "refused: choose is 7"])
    ['its memory is full: a bot may use 256 MiB, including its interpreter and libraries']
    """
    descriptions = list(faults)
    return [
        _(hint).format(mib=SANDBOX_LIMITS.memory_bytes // MIB)
        for pattern, hint in _HINTS.items()
        if any(re.match(pattern, fault) for fault in descriptions)
    ]
