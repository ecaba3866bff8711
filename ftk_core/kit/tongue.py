"""In which tongue `ftk` speaks to whoever typed it: as `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` or `LANG` ask, else English.

The words of the parser of the command line come from the standard library's gettext, and so do ours: whoever wants
English loads no catalogue.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

DOMAIN, CHINESE = "ftk", "zh_Hant"
FOLDER = Path(__file__).parent / "locale"
ASKING = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that ask for a tongue, the first that says anything before others, as gettext reads them."""
TRADITIONAL = re.compile(r"zh[_-](tw|hk|mo|hant)\b", re.IGNORECASE)
OURS = re.compile(r"(en|c|posix)\b", re.IGNORECASE)
HELP = ("help", "short_help", "epilog")


def asked(environment: Mapping[str, str]) -> str:
    """Return the tongue that an environment asks for, as its catalogue is named; empty for English.

    >>> asked({"LANG": "zh_TW.UTF-8"}), asked({"LANGUAGE": "de:zh_HK"}), asked({"LC_ALL": "C", "LANG": "zh_TW"})
    ('zh_Hant', 'zh_Hant', '')
    """
    said = next((value for name in ASKING if (value := environment.get(name))), "")
    for one in said.replace("_Hant", "-hant").replace(".", " ").split(":"):
        if TRADITIONAL.match(one.replace("_", "-")):
            return CHINESE
        if OURS.match(one.replace("_", " ")):
            return ""
    return ""


def speak(command: Any) -> None:
    """Let a command, those within it and the parser of the command line speak the tongue that is asked for."""
    if tongue := asked(os.environ):
        os.environ["LANGUAGE"] = tongue  # gettext knows zh_TW and zh_HK, and not that both read this
        gettext.bindtextdomain(DOMAIN, str(FOLDER))
        gettext.textdomain(DOMAIN)
        for one in helped(command):
            for name in HELP:
                if said := getattr(one, name, None):
                    setattr(one, name, gettext.gettext(said))


def helped(command: Any) -> Iterator[Any]:
    """Yield everything of a command that has a help: itself, what it takes, `--help`, and the commands within it."""
    yield command
    yield from command.params
    if help_option := command.get_help_option(typer.Context(command)):
        yield help_option
    for inner in getattr(command, "commands", {}).values():
        yield from helped(inner)
