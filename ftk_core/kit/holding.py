"""How a bot is held while it is checked: in the cage of an arena installed beside the kit, or not at all.

An arena says by an entry point what it offers; the kit, which is installed without one too, knows no more of it.
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
"""When a bot is not held, and how that is said."""

Hold = Callable[[str, str, Upload], AbstractContextManager[tuple[str, PipePlayer]]]
"""What an arena offers: given `AUTO` or a tier, the bot's name and its upload, yield the tier and the bot in its seat.

Raises NotStarted and BuildFailed.
"""


class NotStarted(Exception):
    """Raised when a bot cannot be started as asked; the message says why, and what to do."""


class BuildFailed(Exception):
    """Raised for a source that does not compile; the message is the compiler's."""

    bot = ""
    """The bot's name and version, where several sit at a table."""


@contextmanager
def held(cage: str, name: str, upload: Upload) -> Iterator[tuple[str, PipePlayer]]:
    """Yield how the bot is held, as one line, and the bot in its seat; raises NotStarted, BuildFailed, OSError."""
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
    """Return what an arena offers, None where the kit was installed alone; raises NotStarted for a broken one."""
    for entry in entry_points(group=GROUP):
        try:
            hold: Hold = entry.load()
            return hold
        except (ImportError, AttributeError) as error:
            if not _is_away(entry, error):
                raise NotStarted(f"the cage {entry.value} cannot be loaded: {error}; {FREELY}") from error
    return None


def _is_away(entry: EntryPoint, error: Exception) -> bool:
    """Tell whether the module itself is not there: kit and arena share their metadata, also where only one is."""
    return isinstance(error, ModuleNotFoundError) and f"{entry.module}.".startswith(f"{error.name}.")


@contextmanager
def free(name: str, upload: Upload) -> Iterator[PipePlayer]:
    """Yield the bot in its seat without any cage, in a folder of its own as on a server.

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
