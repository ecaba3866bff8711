"""Public error messages about failed jobs, without internal details of the server."""

from __future__ import annotations

from typing import Final

from bots.sandbox.language_runtimes import SandboxUnavailable
from bots.sandbox.out_of_memory_detection import HostMemoryError
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.players import HostOverloadError

SENTENCES: Final = {
    BotBuildError: "a bot could not be built",
    SandboxUnavailable: "the arena's machine could not start a bot in its sandbox",
    HostMemoryError: "the arena's machine ran out of memory",
    HostOverloadError: "the arena's machine was too slow",
}


def describe_fault(error: Exception) -> str:
    """Return the public message for an error that ended a job."""
    # The error's own message may reveal internals such as file paths, so only the server's log contains it.
    if isinstance(error, BotBuildError) and error.bot:
        return f"the bot {error.bot} brought a program that cannot be started here"
    matching_sentences = (sentence for kind, sentence in SENTENCES.items() if isinstance(error, kind))
    return next(matching_sentences, f"the arena failed ({type(error).__name__})")
