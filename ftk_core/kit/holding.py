"""Sandboxing of a bot during a check: the sandbox of an arena installed beside the kit, or none.

An arena registers its sandbox as an entry point, because the kit is also installed without an arena.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from tempfile import TemporaryDirectory

from ftk_core.kit.archive import Upload
from ftk_core.kit.compiling import NoCompiler, NotCompiled
from ftk_core.kit.house import made, started
from ftk_core.kit.packing import lay_out
from ftk_core.kit.pipe import PipePlayer

GROUP = "ftk.cages"
AUTO, NONE = "auto", "none"
ARENA = "the cage comes with the arena: `pip install -e .` in a checkout of it"
FREELY = "`--cage none` runs the bot with your own rights"
FREE = {
    AUTO: f"not held: there is no cage here, so the bot ran with your rights ({ARENA})",
    NONE: "not held: the bot ran with your rights (--cage none)",
}
"""Values of `--cage` that allow no sandbox, with the line that describes the result."""

Hold = Callable[[str, str, Upload], AbstractContextManager[tuple[str, PipePlayer]]]
"""Type of an arena's entry point: takes `AUTO` or a sandbox backend, the bot's name and its upload; yields the backend
and the bot as a player. Raises NotStarted and BuildFailed."""


class NotStarted(Exception):
    """Raised if a bot cannot be started as requested; the message gives the reason and the remedy."""


class BuildFailed(Exception):
    """Raised for a source that does not compile; the message is the compiler's."""

    bot = ""
    """The bot's name and version, if several bots are built together."""


@contextmanager
def held(cage: str, name: str, upload: Upload) -> Iterator[tuple[str, PipePlayer]]:
    """Start the bot and yield a description of its sandbox, and the player; raises NotStarted, BuildFailed, OSError."""
    hold = None if cage == NONE else arena()
    if hold is not None:
        with hold(cage, name, upload) as (tier, player):
            yield f"held as on a server: {tier}", player
        return
    if cage not in FREE:
        raise NotStarted(f"--cage {cage}: there is no cage here; {ARENA}. {FREELY}")
    with free(name, upload) as player:
        yield FREE[cage], player


def arena() -> Hold | None:
    """Return the arena's sandbox, or None if no arena is installed; raises NotStarted for a broken one."""
    for entry in entry_points(group=GROUP):
        try:
            hold: Hold = entry.load()
            return hold
        except (ImportError, AttributeError) as error:
            if not _is_away(entry, error):
                raise NotStarted(f"the cage {entry.value} cannot be loaded: {error}; {FREELY}") from error
    return None


def _is_away(entry: EntryPoint, error: Exception) -> bool:
    """Return True if the arena's module is not installed.

    Kit and arena share their package metadata, even where only the kit is installed.
    """
    return isinstance(error, ModuleNotFoundError) and f"{entry.module}.".startswith(f"{error.name}.")


@contextmanager
def free(name: str, upload: Upload) -> Iterator[PipePlayer]:
    """Start the bot without a sandbox, in a temporary folder, and yield the player.

    Raises NotStarted, BuildFailed and OSError.
    """
    with TemporaryDirectory(prefix="ftk-check-") as folder:
        lay_out(upload.files, Path(folder))
        try:
            child = started(made(upload.command, Path(folder)), Path(folder))
        except NoCompiler as error:
            raise NotStarted(str(error)) from error
        except NotCompiled as error:
            raise BuildFailed(str(error).replace(f"{Path(folder).resolve()}/", "")) from error
        except FileNotFoundError as error:
            raise NotStarted(f"there is no {upload.command[0]} on this machine") from error
        with PipePlayer(name, child) as player:
            yield player
