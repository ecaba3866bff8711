"""The door of the cage: start a stored bot in the tier that the settings name, and leave nothing of it behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from django.conf import settings

from bots.cage import bwrap, cgroup, forkserver, landlock
from bots.cage.held import Held
from bots.cage.plan import Entry
from bots.cage.runtime import CageUnavailable
from ftk_core.kit.pipe import PipePlayer

TIERS: dict[str, Callable[[Entry], Held]] = {
    "bwrap": bwrap.spawn,
    "forkserver": forkserver.spawn,
    "landlock": landlock.spawn,
}


def tier() -> str:
    """Return the tier that the settings name, as it is recorded with each match; raises CageUnavailable."""
    if settings.BOT_CAGE not in TIERS:
        raise CageUnavailable(f"BOT_CAGE is {settings.BOT_CAGE!r}; it must be one of {', '.join(TIERS)}")
    return str(settings.BOT_CAGE)


def _end_all(started: list[Held]) -> None:
    for held in started:
        held.end()


@contextmanager
def caged_all(
    bots: Sequence[tuple[str, Entry]], *, waiting: Callable[[], None] = lambda: None, metered: bool = True
) -> Iterator[list[PipePlayer]]:
    """Yield the bots (name, entry) in their seats, each frozen while it is not asked.

    All are started before any is awaited. Their processes are gone when the block is left, whichever way.
    Raises CageUnavailable when the machine cannot contain one of them; then none has run.
    """
    spawn = TIERS[tier()]
    with ExitStack() as stack:
        started: list[Held] = []
        stack.callback(_end_all, started)
        for _, entry in bots:
            started.append(spawn(entry))
        players = []
        for name, entry in bots:
            child = started[0].await_boot()
            stack.enter_context(cgroup.holding(child.pid, entry.kind))
            started.pop(0)
            player = PipePlayer(name, child, waiting=waiting, metered=metered, freezes=True)
            players.append(stack.enter_context(player))
        yield players


@contextmanager
def caged(
    name: str,
    folder: Path,
    command: Sequence[str],
    *,
    waiting: Callable[[], None] = lambda: None,
    metered: bool = True,
) -> Iterator[PipePlayer]:
    """Yield one bot in its seat; see `caged_all`."""
    with caged_all([(name, Entry(folder, command))], waiting=waiting, metered=metered) as players:
        yield players[0]
