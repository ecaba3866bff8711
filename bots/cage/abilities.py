"""Detection of the languages that this machine can compile and run."""

from __future__ import annotations

import platform
import shutil
import subprocess

from bots.cage import Cage
from bots.cage.runtime import PLACES, CageUnavailable, program_of
from ftk_core.kit.compiling import FoundCompiler, NoCompiler, found
from ftk_core.kit.languages import LANGUAGES

FORKSERVER = "forkserver"


def lacking(cage: Cage, language: str) -> str:
    """Return what this machine lacks to play bots in a language, with the remedy; empty if nothing is missing."""
    if LANGUAGES[language].prebuilt and not cage.prebuilt:
        return "this arena takes no compiled programs (BOT_PREBUILT)"
    try:
        program = program_of(language)
        _compiler(language)
    except (CageUnavailable, NoCompiler) as error:
        return str(error)
    if cage.tier == FORKSERVER and program.elsewhere:
        needs = program.elsewhere[0]
        return f"in the tier {FORKSERVER} all bots see the same, and {language} needs {needs}; BOT_CAGE=bwrap plays it"
    return ""


def able(cage: Cage) -> dict[str, str]:
    """Return the playable languages with the version line of their compiler or interpreter."""
    return {language: _version(language) for language in LANGUAGES if not lacking(cage, language)}


def _compiler(language: str) -> FoundCompiler | None:
    """Return a language's compiler, None if it needs none; raises NoCompiler and CageUnavailable."""
    if LANGUAGES[language].compiler is None:
        return None
    if shutil.which("bwrap") is None:
        raise CageUnavailable("bots are compiled in bwrap, which is not installed; Debian: apt install bubblewrap")
    return found(language, PLACES)


def _version(language: str) -> str:
    if language == "python":
        return f"Python {platform.python_version()}"
    if LANGUAGES[language].prebuilt:
        return f"ELF for {platform.machine()}"
    if compiler := _compiler(language):
        return compiler.version()
    runner = str(program_of(language).path or LANGUAGES[language].runner[0])
    done = subprocess.run([runner, "--version"], capture_output=True, text=True, check=False)
    return f"{LANGUAGES[language].runner[0]} {done.stdout.strip()}"
