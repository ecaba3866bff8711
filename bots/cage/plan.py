"""The plan for the bootstrap: program, paths, limits and filter."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bots.cage import Cage
from bots.cage.filter.bpf import assembled
from bots.cage.filter.policy import Kind
from bots.cage.limits import CAGE
from bots.cage.runtime import ENVIRONMENT, helper_folder, program_of, rlimits
from ftk_core.kit.languages import LANGUAGES
from ftk_core.kit.remedies import BINARY


@dataclass(frozen=True, slots=True)
class Seen:
    """Paths of a bot's files: inside the sandbox, or on the host if the backend has no namespaces."""

    bot: str
    helper: str
    wheels: str


INSIDE = Seen("/bot", "/helper", "/wheels")


@dataclass(frozen=True, slots=True)
class BotProgram:
    """A bot to be started."""

    folder: Path
    """The bot's read-only folder."""
    command: Sequence[str]
    """``("python", "bot.py")`` or another runtime and a file of the folder."""

    @property
    def kind(self) -> Kind:
        """The filter of the bot's runtime."""
        return program_of(self.command[0]).kind


def in_place(cage: Cage, entry: BotProgram) -> Seen:
    """Return the paths on the host."""
    return Seen(str(entry.folder), str(helper_folder(cage.folder)), cage.wheels)


@cache
def _filter(kind: Kind) -> str:
    return base64.b64encode(assembled(kind)).decode()


def plan(cage: Cage, entry: BotProgram, seen: Seen, **more: Any) -> str:
    """Return the plan as JSON; `more` may name the worker to die with and the folders that Landlock opens."""
    program = program_of(entry.command[0])
    name, *arguments = entry.command[1:]
    row = LANGUAGES[entry.command[0]]
    file = f"{seen.bot}/{BINARY if row.compiler else name}"
    own = {**row.environment, **({"LD_LIBRARY_PATH": program.libraries} if program.libraries else {})}
    python = program.kind == "python"
    return json.dumps(
        {
            "python": python,
            "argv": [file, *arguments] if python else [*program.argv_in(seen.bot == INSIDE.bot), file, *arguments],
            "path": [seen.bot, seen.helper, *([seen.wheels] if cage.wheels else [])],
            "env": {**ENVIRONMENT, **own, "OPENSSL_CONF": f"{seen.bot}/none"},  # node reads it at start
            "folder": seen.bot,
            "executes": not python and not program.argv,
            "limits": rlimits(CAGE, threads=program.kind == "threads", counted_alone=seen == INSIDE),
            "filter": _filter(program.kind),
            **more,
        }
    )
