"""Entry point of the sandbox: start stored bots in the requested sandbox backend, and remove all their processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bots.cage import Cage, bwrap, cgroup, forkserver, landlock
from bots.cage.limits import CAGE, MIB
from bots.cage.oom import BotMemory, CagedPlayer
from bots.cage.plan import BotProgram
from bots.cage.runtime import CageUnavailable
from bots.cage.started_process import StartedProcess
from bots.cage.watch import watching
from ftk_core.kit.elf import MAGIC, flaw_of
from ftk_core.kit.holding import BuildFailed
from ftk_core.kit.languages import LANGUAGES
from ftk_core.kit.pipe import PipePlayer
from ftk_core.kit.remedies import BINARY, BUILT
from ftk_core.kit.rhythm import Rhythm

MEMORY_SHARE = 0.75
"""Share of a machine's memory that the bots of one table may use."""
Spawn = Callable[[Cage, BotProgram], StartedProcess]
TIERS: dict[str, Spawn] = {
    "bwrap": bwrap.spawn,
    "forkserver": forkserver.spawn,
    "landlock": landlock.spawn,
}


def spawn_of(cage: Cage) -> Spawn:
    """Return the start function of a sandbox backend; raises CageUnavailable for an unknown name."""
    if cage.tier not in TIERS:
        raise CageUnavailable(f"there is no cage {cage.tier!r}; it must be one of {', '.join(TIERS)}")
    return TIERS[cage.tier]


def refuse_programs(cage: Cage, entry: BotProgram) -> None:
    """Raise BuildFailed if a bot contains a compiled program, under whatever name.

    Exceptions are the program that we compiled ourselves, and the static one that its command names, if that is
    allowed.
    """
    row = LANGUAGES[entry.command[0]]
    ours = entry.folder / BINARY if row.compiler else None
    if row.prebuilt and cage.prebuilt:
        ours = entry.folder / entry.command[1]
        if flaw := flaw_of(ours.read_bytes()):
            raise BuildFailed(f"{entry.command[1]} cannot be started: {flaw}")
    for path in entry.folder.rglob("*"):
        if path.is_file() and path != ours:
            with open(path, "rb", opener=_unnoticed) as file:
                if file.read(len(MAGIC)) == MAGIC:
                    raise BuildFailed(f"{path.relative_to(entry.folder)} is a compiled program")


def check_memory(bots: int) -> None:
    """Raise CageUnavailable if the bots of one table may use more memory than the machine can spare."""
    needed, has = bots * CAGE.memory_bytes, physical_memory()
    if needed > has * MEMORY_SHARE:
        raise CageUnavailable(
            f"{bots} bots at one table may use {needed // MIB} MiB of memory ({CAGE.memory_bytes // MIB} each), and"
            f" this machine spares {int(has * MEMORY_SHARE) // MIB} of its {has // MIB} MiB; add memory, or play with"
            " fewer seats"
        )


def physical_memory() -> int:
    """Return the size of this machine's memory in bytes."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _unnoticed(path: str, flags: int) -> int:
    """Open a file of our own without changing its access time, which a bot could read in its next match."""
    return os.open(path, flags | os.O_NOATIME)


def _end_all(started: list[StartedProcess]) -> None:
    for held in started:
        held.end()


@contextmanager
def caged_all(
    cage: Cage,
    bots: Sequence[tuple[str, BotProgram]],
    *,
    waiting: Callable[[], None] = lambda: None,
    metered: bool = True,
) -> Iterator[list[PipePlayer]]:
    """Start the bots (name, entry) and yield their players, each frozen while it is not asked.

    All are started before any is awaited. Their processes are gone when the block is left, whichever way. Raises
    CageUnavailable if the machine cannot contain one of them; then none has run.
    """
    spawn = spawn_of(cage)
    check_memory(len(bots))
    with ExitStack() as stack:
        started: list[StartedProcess] = []
        stack.callback(_end_all, started)
        for name, entry in bots:
            try:
                refuse_programs(cage, entry)
            except BuildFailed as error:
                error.bot = name
                raise
            started.append(spawn(cage, entry))
        players, rhythm = list[PipePlayer](), Rhythm(cage.grid)
        for name, entry in bots:
            built = entry.folder / BUILT
            child = started[0].await_boot()
            group = stack.enter_context(cgroup.holding(cage, child.pid, entry.kind))
            started.pop(0)
            player = CagedPlayer(name, child, waiting=waiting, metered=metered, freezes=True, rhythm=rhythm)
            player.bot_memory = BotMemory(group)
            player.built = built.read_text("utf-8") if built.is_file() else ""
            players.append(stack.enter_context(player))
        kinds = [entry.kind for _, entry in bots]
        stack.enter_context(watching(list(zip(players, kinds, strict=True))))
        yield players


@contextmanager
def caged(
    cage: Cage,
    name: str,
    folder: Path,
    command: Sequence[str],
    *,
    waiting: Callable[[], None] = lambda: None,
    metered: bool = True,
) -> Iterator[PipePlayer]:
    """Start one bot and yield its player; see `caged_all`."""
    with caged_all(cage, [(name, BotProgram(folder, command))], waiting=waiting, metered=metered) as players:
        yield players[0]
