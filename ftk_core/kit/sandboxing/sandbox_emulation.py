"""Imitation of a server's sandbox: the same files and limits, but no isolation."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from gettext import gettext as _
from pathlib import Path

from ftk_core.i18n import N_
from ftk_core.kit.built_in_bots import find_runner, resolve_command, start_process
from ftk_core.kit.protocol.child_process import ChildProcess
from ftk_core.kit.sandboxing.sandbox_files_and_environment import (
    ENVIRONMENT,
    INTERPRETER_FLAGS,
    WHEELS_VARIABLE,
    write_importable_files,
)
from ftk_core.kit.sandboxing.sandbox_limits import MIB, SANDBOX_LIMITS, list_rlimits
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.native.shared_rules_library import ENGINE_FILE, ENGINE_VARIABLE, load_library

BOOT_FILE = Path(__file__).with_name("sandbox_emulation_bootstrap.py")
UNTRIED_IN_PYTHON = (N_("system calls of C code (ctypes)"),)
UNTRIED_IN_PROGRAMS = (N_("reading other files"), N_("writing files"), N_("the network"), N_("threads and processes"))
"""Operations that the imitation cannot refuse to programs in other languages than Python. `UNTRIED_IN_PYTHON` lists
those that it cannot refuse to bots in Python."""


def start_imitated(command: Sequence[str], folder: Path, helper: Path) -> ChildProcess:
    """Start a bot's command in an imitated sandbox, and return the process.

    `helper` is an empty folder for the files that bots can import. Raises CompileError, FileNotFoundError if a program
    is missing, OSError.
    """
    write_importable_files(helper)
    language, *arguments = resolve_command(command, folder)
    is_python, argv = language == "python", [*find_runner(language), *arguments]
    environment, wheels = _environment(language, folder, helper), os.environ.get(WHEELS_VARIABLE)
    plan = {
        "python": is_python,
        "argv": argv,
        "path": [str(folder), str(helper), *([os.path.abspath(wheels)] if wheels else [])],
        "env": environment,
        "limits": list_rlimits(
            SANDBOX_LIMITS,
            threads=LANGUAGES[language].filter == "threads",
            has_user_namespace=False,
            code_bytes=LANGUAGES[language].code_bytes,
        ),
    }
    boot = [sys.executable, *INTERPRETER_FLAGS, str(BOOT_FILE), json.dumps(plan)]
    return start_process(boot if is_python or hasattr(os, "fork") else argv, folder, environment)


def _environment(language: str, folder: Path, helper: Path) -> dict[str, str]:
    needed = {
        name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ
    }  # Windows starts no process without it
    if language == "python":
        return {**needed, **ENVIRONMENT}
    engine = {ENGINE_VARIABLE: str(helper / ENGINE_FILE)} if load_library() is not None else {}
    return {**needed, **ENVIRONMENT, **LANGUAGES[language].environment, **engine, "OPENSSL_CONF": str(folder / "none")}


def list_untried(language: str) -> list[str]:
    """Return the restrictions of a server's sandbox that the imitation does not enforce, as translated texts.

    `language` is the programming language of the bot.
    """
    untried = [_(thing) for thing in (UNTRIED_IN_PYTHON if language == "python" else UNTRIED_IN_PROGRAMS)]
    if sys.platform != "linux":
        untried.append(_("the memory limit of {mib} MiB").format(mib=SANDBOX_LIMITS.memory_bytes // MIB))
    return untried
