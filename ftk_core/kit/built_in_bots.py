"""Built-in bots of each game, and functions that find and start any bot on the author's own machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from gettext import gettext as _
from pathlib import Path

from ftk_core.games import game_folder
from ftk_core.kit.protocol.child_process import ChildProcess, make_python_variables, wrap_process
from ftk_core.kit.protocol.child_termination import add_parent_death_signal
from ftk_core.kit.uploads.bot_compilation import compile_source
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_error_hints import ENTRY_POINT, MANIFEST
from ftk_core.kit.uploads.upload_packing import files_in
from ftk_core.kit.uploads.upload_validation import manifest_command
from ftk_core.native.shared_rules_library import ENGINE_VARIABLE, library_path, load_library

UNSTEADY_BOTS = frozenset({"crashy", "dozer", "slow"})
"""Built-in bots that demonstrate faults and slowness; they are unsuitable as opponents for measuring a bot."""
SEARCH_BOTS = Path(__file__).with_name("search_bots")
"""Folder of the search bots, which simulate matches of any game whose rules also exist in C++ (native rules)."""


class BotNotFound(LookupError):
    """Raised if a name or path leads to no bot."""


def list_built_in_bots(game: str) -> dict[str, Path]:
    """Return the built-in bots of a game as name -> file, in alphabetical order."""
    folder = game_folder(game) / "built_in_bots"
    return {path.name.removesuffix("_bot.py"): path for path in sorted(folder.glob("*_bot.py"))}


def list_search_bots(game: str) -> dict[str, Path]:
    """Return name -> file of a game's search bots (bots that simulate matches), the weakest first.

    They need the game's rules in C++: the result is empty if these do not exist or are not built.
    """
    library = load_library()
    if library is None or not library.ftk_game_version(game.encode()):
        return {}
    return {name: SEARCH_BOTS / f"{name}_bot.py" for name in ("gentle", "club", "master")}


def list_opponents(game: str, against: Sequence[str]) -> tuple[str, ...]:
    """Replace "house" in a list of bots by all built-in bots that are neither faulty nor slow."""
    steady = [name for name in list_built_in_bots(game) if name not in UNSTEADY_BOTS]
    return tuple(bot for name in against for bot in (steady if name == "house" else [name]))


def locate_bot(game: str, name: str) -> Path:
    """Return the file or folder of a bot given by built-in name or path; raises BotNotFound."""
    house = list_built_in_bots(game) | list_search_bots(game)
    path = house.get(name, Path(name))
    if path.is_file() or path.is_dir():
        return path
    raise BotNotFound(
        _("{name} is neither a file nor a built-in bot of {game}; its built-in bots: {house}").format(
            name=repr(name), game=game, house=", ".join(house)
        )
    )


def find_command(game: str, name: str) -> tuple[str, ...]:
    """Return the command that starts a bot: language, absolute path of its program, and options.

    `name` is the name of a built-in bot or a path. The program is compiled if needed. Raises BotNotFound,
    InvalidUploadError for an invalid manifest, or CompileError.
    """
    path = locate_bot(game, name)
    command = _command_in_folder(path) if path.is_dir() else (_language_of(path), path.name)
    return resolve_command(command, locate_folder(game, name))


def locate_folder(game: str, name: str) -> Path:
    """Return the absolute path of a bot's own folder, in which its process starts. Raises BotNotFound."""
    path = locate_bot(game, name)
    return (path if path.is_dir() else path.parent).resolve()


def resolve_command(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Return a bot's command with the absolute path of its program, which is compiled if needed.

    Raises CompileError.
    """
    language, program, *options = command
    if LANGUAGES[language].prebuilt and not os.access(folder / program, os.X_OK):
        (folder / program).chmod(0o755)
    file = compile_source(language, folder, program) if LANGUAGES[language].compiler else folder / program
    return (language, str(file), *options)


def _command_in_folder(folder: Path) -> tuple[str, ...]:
    if (folder / MANIFEST).is_file():
        return manifest_command(
            (folder / MANIFEST).read_bytes(), [file.relative_to(folder).as_posix() for file in files_in(folder)]
        )
    if (folder / ENTRY_POINT).is_file():
        return "python", ENTRY_POINT
    raise BotNotFound(
        _("there is no {entry_point}, and no {manifest}, in the folder {folder}").format(
            entry_point=ENTRY_POINT, manifest=MANIFEST, folder=repr(str(folder))
        )
    )


def _language_of(program: Path) -> str:
    """Return the language of a source file by its suffix; raises BotNotFound."""
    by_suffix = {language.suffix: name for name, language in LANGUAGES.items()}
    if program.suffix in by_suffix:
        return by_suffix[program.suffix]
    message = _("{path} is not a source file of a bot ({suffixes}); unpack an archive, and name its folder")
    raise BotNotFound(message.format(path=program, suffixes=", ".join(by_suffix)))


def start_bot(game: str, name: str) -> ChildProcess:
    """Start a bot in its own folder, without a sandbox: use it only for code you trust.

    `name` is the name of a built-in bot or a path. Raises BotNotFound, InvalidUploadError, CompileError, OSError.
    """
    return start_command(find_command(game, name), locate_folder(game, name))


def start_command(command: Sequence[str], folder: Path | None = None) -> ChildProcess:
    """Start a bot's command without a sandbox: use it only for code you trust. Raises OSError.

    The first word of the command is its language.
    """
    language, *arguments = command
    more = {**LANGUAGES[language].environment, **make_python_variables(), ENGINE_VARIABLE: str(library_path())}
    runner = (sys.executable,) if language == "python" else find_runner(language)
    return start_process([*runner, *arguments], folder, {**os.environ, **more})


def find_runner(language: str) -> tuple[str, ...]:
    """Return the path of a language's interpreter and its options. Raises FileNotFoundError if it is not installed.

    The result is empty for compiled languages. It is also empty for Python, because the caller chooses the interpreter.
    """
    if language == "python" or not LANGUAGES[language].runner:
        return ()
    name, *options = LANGUAGES[language].runner
    if (program := shutil.which(name)) is None:
        raise FileNotFoundError(_("there is no {command} on this machine").format(command=name))
    return (os.path.abspath(program), *options)


def start_process(command: Sequence[str], folder: Path | None, environment: Mapping[str, str]) -> ChildProcess:
    """Start a command as a child in its own process group. Raises OSError."""
    # On Linux the child dies with this process.
    process = subprocess.Popen(
        add_parent_death_signal(command),
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )
    return wrap_process(process)
