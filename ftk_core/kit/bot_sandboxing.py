"""Start of a bot for `ftk check`, in the server's sandbox or an imitation of it."""
# The server software registers its sandbox as an entry point, because `ftk` is also installed without the server.

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from gettext import gettext as _
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import NamedTuple

from ftk_core.i18n import N_
from ftk_core.kit.built_in_bots import resolve_command, start_command
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.sandboxing.sandbox_emulation import list_untried, start_imitated
from ftk_core.kit.sandboxing.sandbox_files_and_environment import BOT_FOLDER, HELPER_FOLDER, LIBRARY_FOLDERS
from ftk_core.kit.uploads.bot_compilation import CompileError, CompilerMissing
from ftk_core.kit.uploads.upload_packing import write_read_only
from ftk_core.kit.uploads.upload_validation import ValidatedUpload

ENTRY_POINT_GROUP = "ftk.cages"
AUTO, NONE, HOOKS = "auto", "none", "hooks"
ARENA = N_("the sandbox comes with the arena: `pip install -e .` in a checkout of it")
FREELY = N_("`--sandbox none` runs the bot with your own rights")
IMITATED = {
    AUTO: N_(
        "imitated: there is no sandbox here, so audit hooks of Python refuse what a server's sandbox refuses"
        " (the sandbox comes with the arena: `pip install -e .` in a checkout of it)"
    ),
    HOOKS: N_("imitated: audit hooks of Python refuse what a server's sandbox refuses (--sandbox hooks)"),
}
"""Value of `--sandbox` that permits an imitated sandbox -> line that tells the user about the imitation."""
UNSANDBOXED = N_("no sandbox: the bot ran with your rights (--sandbox none)")
EVERYTHING = N_("everything that a server's sandbox refuses")

StartSandboxed = Callable[[str, str, ValidatedUpload], AbstractContextManager[tuple[str, BotProcessPlayer]]]
"""Type of the arena's entry point: a function that starts a bot in the sandbox and returns a context manager.

Its arguments are `AUTO` or the name of a sandbox backend, the bot's name, and the bot's upload. The context manager
yields the pair (name of the backend, bot as a player). Raises BotStartError and BotBuildError."""


class BotStartError(Exception):
    """Raised if a bot cannot be started as requested; the message gives the reason and the remedy."""


class BotBuildError(Exception):
    """Raised for a bot that does not compile; the message is the compiler's output."""

    bot = ""
    """The bot's name and version, if several bots are built together."""


class StartedBot(NamedTuple):
    """A bot that was started for `ftk check`, with a description of its sandbox."""

    sandbox_text: str
    """Description of the bot's sandbox, as one line."""
    player: BotProcessPlayer
    untried: Sequence[str] = ()
    """Operations that the arena's sandbox would refuse, but that the bot may do on this machine."""
    folders: Mapping[str, str] = MappingProxyType({})
    """Folder on this machine -> its path in the sandbox."""


@contextmanager
def start_sandboxed(sandbox: str, name: str, upload: ValidatedUpload) -> Iterator[StartedBot]:
    """Start a bot in the sandbox that `sandbox` names. Raises BotStartError, BotBuildError, OSError.

    `AUTO` is the server's sandbox if it is installed, else the imitation. `HOOKS` is the imitation by audit hooks.
    `NONE` is no sandbox. Other values name a sandbox backend of the server.
    """
    hold = None if sandbox in (HOOKS, NONE) else load_arena_sandbox()
    if hold is not None:
        with hold(sandbox, name, upload) as (tier, player):
            yield StartedBot(_("sandboxed as on a server: {tier}").format(tier=tier), player)
        return
    if sandbox not in (*IMITATED, NONE):
        raise BotStartError(
            _("--sandbox {sandbox}: there is no sandbox here; {arena}. {freely}").format(
                sandbox=sandbox, arena=_(ARENA), freely=_(FREELY)
            )
        )
    with start_in_folder(sandbox, name, upload) as bot:
        yield bot


def load_arena_sandbox() -> StartSandboxed | None:
    """Load the server's sandbox, or return None if it is not installed. Raises BotStartError if it is broken."""
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        try:
            hold: StartSandboxed = entry.load()
            return hold
        except (ImportError, AttributeError) as error:
            if not _is_module_missing(entry, error):
                raise BotStartError(
                    _("the sandbox {entry_point} cannot be loaded: {error}; {remedy}").format(
                        entry_point=entry.value, error=error, remedy=_(FREELY)
                    )
                ) from error
    return None


def _is_module_missing(entry: EntryPoint, error: Exception) -> bool:
    # `ftk` and server share the metadata of one package: the entry point is listed also where the server is not
    # installed.
    return isinstance(error, ModuleNotFoundError) and f"{entry.module}.".startswith(f"{error.name}.")


@contextmanager
def start_in_folder(sandbox: str, name: str, upload: ValidatedUpload) -> Iterator[StartedBot]:
    """Start a bot in a temporary folder. Raises BotStartError, BotBuildError, OSError.

    Audit hooks imitate the server's sandbox unless `sandbox` is `NONE`.
    """
    with TemporaryDirectory(prefix="ftk-check-") as scratch:
        folder, helper = Path(scratch).resolve() / "bot", Path(scratch).resolve() / "helper"
        write_read_only(upload.files, folder)
        try:
            child = (
                start_command(resolve_command(upload.command, folder), folder)
                if sandbox == NONE
                else start_imitated(upload.command, folder, helper)
            )
        except CompilerMissing as error:
            raise BotStartError(str(error)) from error
        except CompileError as error:
            raise BotBuildError(str(error).replace(f"{folder}{os.sep}", "")) from error
        except FileNotFoundError as error:
            raise BotStartError(_("there is no {command} on this machine").format(command=upload.command[0])) from error
        with BotProcessPlayer(name, child) as player:
            if sandbox == NONE:
                yield StartedBot(_(UNSANDBOXED), player, [_(EVERYTHING)])
            else:
                names = {str(folder): BOT_FOLDER, str(helper): HELPER_FOLDER, **LIBRARY_FOLDERS}
                yield StartedBot(_(IMITATED[sandbox]), player, list_untried(upload.command[0]), names)
