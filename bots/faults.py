"""Public sentences for failures, which name the party at fault."""

from __future__ import annotations

from typing import Final

from bots.cage.oom import HostMemoryError
from bots.cage.runtime import CageUnavailable
from ftk_core.kit.holding import BuildFailed
from ftk_core.players import HostFault

SENTENCES: Final = {
    BuildFailed: "a bot could not be built",
    CageUnavailable: "the arena's machine could not start a bot in its sandbox",
    HostMemoryError: "the arena's machine ran out of memory",
    HostFault: "the arena's machine was too slow",
}


def blame(error: Exception) -> str:
    """Return the public sentence for an error.

    The error's own message may contain paths and addresses, so it goes to the log only.
    """
    if isinstance(error, BuildFailed) and error.bot:
        return f"the bot {error.bot} brought a program that cannot be started here"
    own = (sentence for kind, sentence in SENTENCES.items() if isinstance(error, kind))
    return next(own, f"the arena failed ({type(error).__name__})")
