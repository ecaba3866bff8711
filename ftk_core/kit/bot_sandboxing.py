"""Start of a bot for `ftk check`: in the sandbox of the arena (the server software) if that is installed, else without.

The arena registers its sandbox as an entry point, because the kit is also installed without the arena.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from gettext import gettext as _
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from tempfile import TemporaryDirectory

from ftk_core.i18n import N_
from ftk_core.kit.built_in_bots import resolve_command, start_command
from ftk_core.kit.protocol.process_player import ProcessPlayer
from ftk_core.kit.uploads.bot_compilation import CompileError, CompilerMissing
from ftk_core.kit.uploads.upload_packing import write_read_only
from ftk_core.kit.uploads.upload_validation import ValidatedUpload

ENTRY_POINT_GROUP = "ftk.cages"
AUTO, NONE = "auto", "none"
ARENA = N_("the cage comes with the arena: `pip install -e .` in a checkout of it")
FREELY = N_("`--cage none` runs the bot with your own rights")
UNSANDBOXED = {
    AUTO: N_(
        "not held: there is no cage here, so the bot ran with your rights"
        " (the cage comes with the arena: `pip install -e .` in a checkout of it)"
    ),
    NONE: N_("not held: the bot ran with your rights (--cage none)"),
}
"""Values of `--cage` with which a bot may run without a sandbox -> line that informs the user."""

StartSandboxed = Callable[[str, str, ValidatedUpload], AbstractContextManager[tuple[str, ProcessPlayer]]]
"""Type of the arena's entry point: a context manager that takes `AUTO` or a sandbox backend, the bot's name and its
upload. It yields the backend and the bot as a player. Raises BotStartError and BuildError."""


class BotStartError(Exception):
    """Raised if a bot cannot be started as requested; the message gives the reason and the remedy."""


class BuildError(Exception):
    """Raised for a bot that does not compile; the message is the compiler's output."""

    bot = ""
    """The bot's name and version, if several bots are built together."""


@contextmanager
def start_sandboxed(cage: str, name: str, upload: ValidatedUpload) -> Iterator[tuple[str, ProcessPlayer]]:
    """Start a bot in a sandbox if possible; yield a line that describes the sandbox, and the bot as a player.

    `cage` is `AUTO`, `NONE` or the name of a sandbox backend, which needs an installed arena.

    Raises BotStartError, BuildError, OSError.
    """
    hold = None if cage == NONE else load_arena_sandbox()
    if hold is not None:
        with hold(cage, name, upload) as (tier, player):
            yield _("held as on a server: {tier}").format(tier=tier), player
        return
    if cage not in UNSANDBOXED:
        raise BotStartError(
            _("--cage {cage}: there is no cage here; {arena}. {freely}").format(
                cage=cage, arena=_(ARENA), freely=_(FREELY)
            )
        )
    with start_unsandboxed(name, upload) as player:
        yield UNSANDBOXED[cage], player


def load_arena_sandbox() -> StartSandboxed | None:
    """Load the arena's sandbox; return None if no arena is installed. Raises BotStartError if it is broken."""
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        try:
            hold: StartSandboxed = entry.load()
            return hold
        except (ImportError, AttributeError) as error:
            if not _is_module_missing(entry, error):
                raise BotStartError(
                    _("the cage {entry_point} cannot be loaded: {error}; {remedy}").format(
                        entry_point=entry.value, error=error, remedy=_(FREELY)
                    )
                ) from error
    return None


def _is_module_missing(entry: EntryPoint, error: Exception) -> bool:
    """Return True if an import failed because the arena is not installed.

    Its entry point is listed anyway: kit and arena share their package metadata.
    """
    return isinstance(error, ModuleNotFoundError) and f"{entry.module}.".startswith(f"{error.name}.")


@contextmanager
def start_unsandboxed(name: str, upload: ValidatedUpload) -> Iterator[ProcessPlayer]:
    """Start a bot without a sandbox, in a temporary folder, and yield it as a player.

    Raises BotStartError, BuildError and OSError.
    """
    with TemporaryDirectory(prefix="ftk-check-") as folder:
        write_read_only(upload.files, Path(folder))
        try:
            child = start_command(resolve_command(upload.command, Path(folder)), Path(folder))
        except CompilerMissing as error:
            raise BotStartError(str(error)) from error
        except CompileError as error:
            raise BuildError(str(error).replace(f"{Path(folder).resolve()}/", "")) from error
        except FileNotFoundError as error:
            raise BotStartError(_("there is no {command} on this machine").format(command=upload.command[0])) from error
        with ProcessPlayer(name, child) as player:
            yield player
