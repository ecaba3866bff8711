"""Start plan of a bot: its program, paths and limits, read by the script that starts the bot in the sandbox."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bots.sandbox import SandboxConfig
from bots.sandbox.filter.bpf import assemble_filter
from bots.sandbox.filter.system_call_policy import Kind
from bots.sandbox.language_runtimes import create_helper_folder, find_runtime
from ftk_core.kit.sandboxing.sandbox_files_and_environment import BOT_FOLDER, ENVIRONMENT, HELPER_FOLDER, WHEELS_FOLDER
from ftk_core.kit.sandboxing.sandbox_limits import SANDBOX_LIMITS, list_rlimits
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE
from ftk_core.native.shared_rules_library import ENGINE_FILE, ENGINE_VARIABLE, load_library


@dataclass(frozen=True, slots=True)
class BotPaths:
    """Paths of a bot's files, inside the sandbox or on the host."""

    bot: str
    helper: str
    wheels: str


PATHS_INSIDE = BotPaths(BOT_FOLDER, HELPER_FOLDER, WHEELS_FOLDER)


@dataclass(frozen=True, slots=True)
class BotStartCommand:
    """A bot to be started: its folder and its command."""

    folder: Path
    """Read-only folder with the bot's files, on the host."""
    command: Sequence[str]
    """Language and file to run, such as ``("python", "bot.py")``, perhaps with arguments."""

    @property
    def kind(self) -> Kind:
        """Name of the seccomp filter for the bot's runtime."""
        return find_runtime(self.command[0]).kind


def host_paths(sandbox: SandboxConfig, entry: BotStartCommand) -> BotPaths:
    """Return the paths of a bot's files on the host, for a backend without namespaces."""
    return BotPaths(str(entry.folder), str(create_helper_folder(sandbox.folder)), sandbox.wheels)


@cache
def _encoded_filter(kind: Kind) -> str:
    return base64.b64encode(assemble_filter(kind)).decode()


def build_plan(sandbox: SandboxConfig, entry: BotStartCommand, paths: BotPaths, **extra: Any) -> str:
    """Return the start plan of a bot as JSON."""
    # `extra` contains additional fields for one sandbox backend, such as the paths that Landlock allows.
    program = find_runtime(entry.command[0])
    name, *arguments = entry.command[1:]
    language = LANGUAGES[entry.command[0]]
    file = f"{paths.bot}/{COMPILED_BOT_FILE if language.compiler else name}"
    language_environment = {
        **language.environment,
        **({"LD_LIBRARY_PATH": program.libraries} if program.libraries else {}),
        **({ENGINE_VARIABLE: f"{paths.helper}/{ENGINE_FILE}"} if load_library() is not None else {}),
    }
    python = program.kind == "python"
    return json.dumps(
        {
            "python": python,
            "argv": [file, *arguments]
            if python
            else [*program.argv_in(paths.bot == PATHS_INSIDE.bot), file, *arguments],
            "path": [paths.bot, paths.helper, *([paths.wheels] if sandbox.wheels else [])],
            "env": {
                **ENVIRONMENT,
                **language_environment,
                "OPENSSL_CONF": f"{paths.bot}/none",
            },  # node reads OPENSSL_CONF at start
            "folder": paths.bot,
            "executes": not python and not program.argv,
            "limits": list_rlimits(
                SANDBOX_LIMITS,
                threads=program.kind == "threads",
                has_user_namespace=paths == PATHS_INSIDE,
                code_bytes=language.code_bytes,
            ),
            "filter": _encoded_filter(program.kind),
            **extra,
        }
    )
