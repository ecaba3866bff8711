"""The check behind `ftk check`: reads a bot like an upload, sandboxes it, and plays the trial."""

from __future__ import annotations

import warnings
from dataclasses import replace
from gettext import gettext as _
from pathlib import Path

import msgspec

from ftk_core.fold import check_options
from ftk_core.games import game
from ftk_core.kit.archive import Upload, read_upload
from ftk_core.kit.calls import Refused, call, check_server
from ftk_core.kit.compiling import lacks
from ftk_core.kit.holding import BuildFailed, held
from ftk_core.kit.house import locate
from ftk_core.kit.languages import LANGUAGES
from ftk_core.kit.limits import UPLOAD
from ftk_core.kit.packing import packed
from ftk_core.kit.trial import Onlooker, Trial, not_compiled, play_trial


def languages_here() -> str:
    """Return one line that lists the languages this machine can compile and run."""
    can = [name for name in LANGUAGES if not lacks(name)]
    cannot = [name for name in LANGUAGES if name not in can]
    said = _("this machine builds and plays {languages}").format(languages=", ".join(can))
    return said + (_("; not {languages}").format(languages=", ".join(cannot)) if cannot else "")


def languages_there(server: str) -> str:
    """Return one line that lists the languages an arena can build and play, or the reason why it is unknown."""
    try:
        rows = msgspec.convert(call(f"{check_server(server)}/api/v1/languages/"), _Offered).languages
    except (Refused, msgspec.ValidationError) as error:
        return f"what {server} can build is not known: {error}"
    can = [row.name for row in rows if row.workers]
    return f"{server} builds and plays {', '.join(can)}" if can else f"{server} has not said yet what it can build"


class _Row(msgspec.Struct):
    name: str
    workers: int


class _Offered(msgspec.Struct):
    languages: list[_Row]


class Checked(msgspec.Struct, frozen=True):
    """Result of a check."""

    held: str
    """Description of the sandbox that was used, as one line."""
    trial: Trial


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a check, as printed by `ftk check --json`."""

    schema: str = "ftk.check/1"
    game: str
    bot: str
    held: str
    """Description of the sandbox that was used, as one line."""
    passed: bool
    reason: str
    """Reason for the refusal; empty if the bot passed."""
    log: str
    """Faults, notes and standard error."""


def report_of(game_name: str, bot: str, checked: Checked) -> CheckReport:
    """Return the result of a check as one JSON document."""
    return CheckReport(game=game_name, bot=bot, held=checked.held, **msgspec.structs.asdict(checked.trial))


def check_bot(game_name: str, bot: str, seats: int, cage: str, onlooker: Onlooker | None = None) -> Checked:
    """Run the trial of a bot, given by its built-in name or path, and return the result; nothing is stored.

    Raises UnknownGame, NoSuchBot, BadUpload, NotStarted, ValueError (the game has no table of that size), HostFault
    and OSError.
    """
    rules = game(game_name)
    check_options(rules, seats or rules.seats.start, rules.options())
    file, body = packed(locate(game_name, bot))
    upload = read_upload(file, body, replace(UPLOAD, prebuilt=True))
    try:
        _compile(upload)
        with held(cage, Path(file).stem, upload) as (how, player):
            return Checked(how, play_trial(game_name, player, seats, onlooker))
    except BuildFailed as error:
        return Checked("not started: its source does not compile", not_compiled(error))


def _compile(upload: Upload) -> None:
    """Raise BuildFailed, naming the line, for a Python program with a syntax error; the program is not run."""
    runtime, program, *_ = upload.command
    if runtime != "python":
        return
    source = dict(upload.files)[program]
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(source, program, "exec", dont_inherit=True)
    except SyntaxError as error:
        line = f"\n    {error.text.strip()}" if error.text else ""
        raise BuildFailed(f"{program}, line {error.lineno}: {error.msg}{line}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise BuildFailed(f"{program}: {error or type(error).__name__}") from error
