"""The language of `ftk`: `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` or `LANG` choose it, and English is the default.

Like the command-line parser, the kit uses the standard library's gettext. In English no catalogue is loaded.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import typer

DOMAIN, CHINESE = "ftk", "zh_Hant"
FOLDER = Path(__file__).parent / "locale"
ASKING = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables in gettext's order of precedence."""
TRADITIONAL = re.compile(r"zh[_-](tw|hk|mo|hant)\b", re.IGNORECASE)
OURS = re.compile(r"(en|c|posix)\b", re.IGNORECASE)
FIELD = re.compile(r"\{(\w+)\}")
QUOTED = {"text", "last_words"}
"""Fields of patterns that contain a bot's own output, which is not translated."""
JOINTS = (("; ", "；"), (": ", "："), (". ", "。"))
"""Separators between two texts of a line, in English and Chinese. Only a field in brackets, or the last one, contains
such a line."""
HELP = ("help", "short_help", "epilog")


def asked(environment: Mapping[str, str]) -> str:
    """Return the name of the catalogue for an environment's language; empty for English.

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
    """Translate a command, its subcommands and the command-line parser to the language of the environment."""
    if tongue := asked(os.environ):
        os.environ["LANGUAGE"] = tongue  # gettext does not know that zh_TW and zh_HK both read this catalogue
        gettext.bindtextdomain(DOMAIN, str(FOLDER))
        gettext.textdomain(DOMAIN)
        for one in helped(command):
            for name in HELP:
                if said := getattr(one, name, None):
                    setattr(one, name, gettext.gettext(said))


def helped(command: Any) -> Iterator[Any]:
    """Yield all parts of a command with a help text: itself, its parameters, `--help`, and its subcommands."""
    yield command
    yield from command.params
    if help_option := command.get_help_option(typer.Context(command)):
        yield help_option
    for inner in getattr(command, "commands", {}).values():
        yield from helped(inner)


@lru_cache(maxsize=1000)
def spoken(text: str) -> str:
    """Translate an English line of the kit; an unknown line is returned unchanged.

    A text may be a pattern of the catalogue with its fields filled in, and each field may be such a text. Texts of
    one word are names and stay. Because the translation happens where a text is shown, the pure core, logs and JSON
    output stay English.
    """
    line = text.strip()
    if gettext.textdomain() != DOMAIN or " " not in line:
        return text
    known = _catalogue()
    there = known.get(line) or next(filter(None, (_filled(line, *row) for row in _patterns())), "") or _in_parts(line)
    return text.replace(line, there, 1)


def headed(word: str) -> str:
    """Translate a heading, which may be a single word."""
    return gettext.gettext(word) if word and gettext.textdomain() == DOMAIN else word


def _filled(line: str, own: str, pattern: str, translation: str) -> str:
    """Translate a line that matches a pattern, and its fields; return an empty string if it does not match."""
    found = re.fullmatch(_expression(pattern), line, re.DOTALL) if own in line else None
    fields = found.groupdict() if found else {}
    fields = {name: one if name in QUOTED else spoken(one) for name, one in fields.items()}
    return translation.format_map(fields) if found else ""


def _in_parts(line: str) -> str:
    for joint, theirs in JOINTS:
        before, found, after = line.partition(joint)
        if found and (told := (spoken(before), spoken(after))) != (before, after):
            return told[0].removesuffix(theirs) + theirs + told[1]
    return line


@cache
def _catalogue() -> dict[str, str]:
    rows = vars(gettext.translation(DOMAIN, FOLDER, [CHINESE]))["_catalog"]
    return {english: chinese for english, chinese in rows.items() if isinstance(english, str) and english}


@cache
def _patterns() -> list[tuple[str, str, str]]:
    """Return (longest literal part, pattern, translation) rows, those with the most literal text first."""
    rows = [(FIELD.split(one)[::2], one, there) for one, there in _catalogue().items() if FIELD.search(one)]
    rows.sort(key=lambda row: (-sum(map(len, row[0])), not QUOTED.isdisjoint(FIELD.findall(row[1]))))
    return [(max(own, key=len), one, there) for own, one, there in rows]


@cache
def _expression(pattern: str) -> str:
    said = ""
    for at, part in enumerate(parts := FIELD.split(pattern)):
        whole = at % 2 and ((at == len(parts) - 2 and not parts[-1]) or parts[at - 1].endswith("("))
        field = ".*?" if whole else "(?:(?!; |: |：).)*?"
        said += f"(?P<{part}>{field})" if at % 2 else re.escape(part)
    return said
