"""Start of stored bots in the sandbox."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bots.sandbox import SandboxConfig, bwrap, cgroup, forkserver, landlock
from bots.sandbox.bot_start_settings import BotStartCommand
from bots.sandbox.language_runtimes import SandboxUnavailable
from bots.sandbox.out_of_memory_detection import BotMemoryCounters, SandboxedProcessPlayer
from bots.sandbox.resource_watchdog import watch_bots
from bots.sandbox.sandboxed_bot_process import StartedBotProcess
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.kit.protocol.answer_time_rounding import RecentAnswerTimes
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.sandboxing.sandbox_limits import MIB, SANDBOX_LIMITS
from ftk_core.kit.uploads.elf_validation import MAGIC, find_elf_flaw
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE, COMPILER_OUTPUT_FILE

CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")
"""Memory limit of this container in bytes; the machine itself has no such file."""
MEMORY_SHARE = 0.75
"""Share of a machine's memory that the bots of one match may use."""
SpawnFunction = Callable[[SandboxConfig, BotStartCommand], StartedBotProcess]
BACKENDS: dict[str, SpawnFunction] = {
    "bwrap": bwrap.spawn,
    "forkserver": forkserver.spawn,
    "landlock": landlock.spawn,
}


def find_spawn_function(sandbox: SandboxConfig) -> SpawnFunction:
    """Return the start function of a sandbox backend; raises SandboxUnavailable for an unknown name."""
    if sandbox.backend not in BACKENDS:
        raise SandboxUnavailable(f"there is no sandbox {sandbox.backend!r}; it must be one of {', '.join(BACKENDS)}")
    return BACKENDS[sandbox.backend]


def refuse_compiled_programs(sandbox: SandboxConfig, entry: BotStartCommand) -> None:
    """Raise BotBuildError if a bot's folder contains a compiled program that may not be started.

    The program that the server compiled from the bot's source is allowed. The uploaded program in the bot's command is
    allowed if the settings permit such uploads and it can run on this machine.
    """
    language = LANGUAGES[entry.command[0]]
    allowed_program = entry.folder / COMPILED_BOT_FILE if language.compiler else None
    if language.prebuilt and sandbox.prebuilt:
        allowed_program = entry.folder / entry.command[1]
        if flaw := find_elf_flaw(allowed_program.read_bytes()):
            raise BotBuildError(f"{entry.command[1]} cannot be started: {flaw}")
    for path in entry.folder.rglob("*"):
        if path.is_file() and path != allowed_program:
            with open(path, "rb", opener=_open_without_access_time) as file:
                if file.read(len(MAGIC)) == MAGIC:
                    raise BotBuildError(f"{path.relative_to(entry.folder)} is a compiled program")


def check_memory(bots: int) -> None:
    """Raise SandboxUnavailable if the given number of bots may use more memory than the machine can spare."""
    needed, available = bots * SANDBOX_LIMITS.memory_bytes, physical_memory()
    if needed > available * MEMORY_SHARE:
        raise SandboxUnavailable(
            f"{bots} bots at one table may use {needed // MIB} MiB of memory ({SANDBOX_LIMITS.memory_bytes // MIB}"
            f" each), and this machine spares {int(available * MEMORY_SHARE) // MIB} of its {available // MIB} MiB;"
            " add memory, or play with fewer seats"
        )


def physical_memory() -> int:
    """Return the size in bytes of this machine's memory, or of the part that its container may use."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        limit = CONTAINER_LIMIT.read_text().strip()
    except OSError:
        return machine
    return min(machine, int(limit)) if limit.isdigit() else machine


def _open_without_access_time(path: str, flags: int) -> int:
    """Open a file without changing its access time, which a bot could read in its next match."""
    return os.open(path, flags | os.O_NOATIME)


def _end_all(started: list[StartedBotProcess]) -> None:
    for process in started:
        process.end()


@contextmanager
def start_all_in_sandbox(
    sandbox: SandboxConfig,
    bots: Sequence[tuple[str, BotStartCommand]],
    *,
    waiting: Callable[[], None] = lambda: None,
    metered: bool = True,
) -> Iterator[list[BotProcessPlayer]]:
    """Start bots in the sandbox and yield their players in the same order; kill the bots at the end.

    Calls `waiting` regularly while a bot computes. If `metered` is False, the match log contains no answer times.
    Raises SandboxUnavailable or BotBuildError.
    """
    # A bot that has no question to answer is stopped with SIGSTOP.
    spawn = find_spawn_function(sandbox)
    check_memory(len(bots))
    with ExitStack() as stack:
        started: list[StartedBotProcess] = []
        stack.callback(_end_all, started)
        for name, entry in bots:
            try:
                refuse_compiled_programs(sandbox, entry)
            except BotBuildError as error:
                error.bot = name
                raise
            started.append(spawn(sandbox, entry))
        players, timing_mask = list[BotProcessPlayer](), RecentAnswerTimes(sandbox.grid)
        for name, entry in bots:
            built = entry.folder / COMPILER_OUTPUT_FILE
            child = started[0].await_boot()
            group = stack.enter_context(cgroup.bot_cgroup(sandbox, child.pid, entry.kind))
            started.pop(0)
            player = SandboxedProcessPlayer(
                name, child, waiting=waiting, metered=metered, suspends_when_idle=True, rounded_times=timing_mask
            )
            player.bot_memory = BotMemoryCounters(group)
            player.built = built.read_text("utf-8") if built.is_file() else ""
            players.append(stack.enter_context(player))
        stack.enter_context(watch_bots([(player, bot.kind) for player, (_, bot) in zip(players, bots, strict=True)]))
        yield players


@contextmanager
def start_in_sandbox(
    sandbox: SandboxConfig,
    name: str,
    folder: Path,
    command: Sequence[str],
    *,
    waiting: Callable[[], None] = lambda: None,
) -> Iterator[BotProcessPlayer]:
    """Start one bot in the sandbox and yield its player; kill the bot at the end.

    Raises SandboxUnavailable or BotBuildError.
    """
    with start_all_in_sandbox(sandbox, [(name, BotStartCommand(folder, command))], waiting=waiting) as players:
        yield players[0]
