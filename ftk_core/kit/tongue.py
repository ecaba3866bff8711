"""In which tongue `ftk` speaks to whoever typed it: as `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` or `LANG` ask, else English.

The words of the parser of the command line come from the standard library's gettext, and so do ours: whoever wants
English loads no catalogue.
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
"""The variables that ask for a tongue, the first that says anything before others, as gettext reads them."""
TRADITIONAL = re.compile(r"zh[_-](tw|hk|mo|hant)\b", re.IGNORECASE)
OURS = re.compile(r"(en|c|posix)\b", re.IGNORECASE)
FIELD = re.compile(r"\{(\w+)\}")
QUOTED = {"text", "last_words"}
"""The fields of patterns in which a bot's own words stand, which are left as they are."""
JOINTS = (("; ", "；"), (": ", "："), (". ", "。"))
"""What joins two texts into a line, in both tongues; only a field in brackets, or the last one, has such a line."""
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


@lru_cache(maxsize=1000)
def spoken(text: str) -> str:
    """Return an English line of the kit in the tongue that is spoken; what nobody has translated is left as it is.

    A text may be a pattern of the catalogue with its fields filled in, each of which may be such a text; texts of one
    word are names. So it is said where it is shown, and programs, logs and the pure core need not know of tongues.
    """
    line = text.strip()
    if gettext.textdomain() != DOMAIN or " " not in line:
        return text
    known = _catalogue()
    there = known.get(line) or next(filter(None, (_filled(line, *row) for row in _patterns())), "") or _in_parts(line)
    return text.replace(line, there, 1)


def headed(word: str) -> str:
    """Return a heading, which may be one word, in the tongue that is spoken."""
    return gettext.gettext(word) if word and gettext.textdomain() == DOMAIN else word


def _filled(line: str, own: str, pattern: str, translation: str) -> str:
    """Return a line as a pattern with its fields is said; empty for a line that is not of it."""
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
    """Return (its longest words, pattern, its translation), those that say most of their own first."""
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
