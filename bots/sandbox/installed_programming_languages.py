"""Detection of the programming languages that this machine can compile and run."""

from __future__ import annotations

import platform
import shutil
import subprocess
from importlib.metadata import distributions

from bots.sandbox import SandboxConfig
from bots.sandbox.language_runtimes import SEARCH_PATH, SandboxUnavailable, find_runtime
from ftk_core.kit.uploads.bot_compilation import CompilerMissing, InstalledCompiler, find_compiler
from ftk_core.kit.uploads.programming_languages import LANGUAGES

FORKSERVER = "forkserver"


def describe_missing(sandbox: SandboxConfig, language: str) -> str:
    """Return the reason why this machine cannot run bots in a language, or an empty string if it can."""
    if LANGUAGES[language].prebuilt and not sandbox.prebuilt:
        return "this arena takes no compiled programs (BOT_PREBUILT)"
    try:
        program = find_runtime(language)
        _find_compiler(language)
    except (SandboxUnavailable, CompilerMissing) as error:
        return str(error)
    if sandbox.backend == FORKSERVER and program.settings_files:
        needs = program.settings_files[0]
        return f"in the tier {FORKSERVER} all bots see the same, and {language} needs {needs}; BOT_CAGE=bwrap plays it"
    return ""


def find_playable_languages(sandbox: SandboxConfig) -> list[str]:
    """Return the languages that this machine can compile and run."""
    return [language for language in LANGUAGES if not describe_missing(sandbox, language)]


def list_playable_languages(sandbox: SandboxConfig) -> dict[str, str]:
    """Return the languages that this machine can run, each with its compiler or interpreter version."""
    return {language: _version_line(language) for language in find_playable_languages(sandbox)}


def describe_libraries(sandbox: SandboxConfig) -> str:
    """Return the names and versions of the libraries that Python bots may import, as one text."""
    found = distributions(path=[sandbox.wheels]) if sandbox.wheels else ()
    return ", ".join(sorted({f"{library.name} {library.version}" for library in found}))


def _find_compiler(language: str) -> InstalledCompiler | None:
    """Return the installed compiler of a language, or None if it needs none."""
    # Raises CompilerMissing if it is not installed, and SandboxUnavailable if bwrap is not installed.
    if LANGUAGES[language].compiler is None:
        return None
    if shutil.which("bwrap") is None:
        raise SandboxUnavailable("bots are compiled in bwrap, which is not installed; Debian: apt install bubblewrap")
    return find_compiler(language, SEARCH_PATH)


def _version_line(language: str) -> str:
    if language == "python":
        return f"Python {platform.python_version()}"
    if LANGUAGES[language].prebuilt:
        return f"ELF for {platform.machine()}"
    if compiler := _find_compiler(language):
        return compiler.version()
    runner = str(find_runtime(language).path or LANGUAGES[language].runner[0])
    done = subprocess.run([runner, "--version"], capture_output=True, text=True, check=False)
    return f"{LANGUAGES[language].runner[0]} {done.stdout.strip()}"
