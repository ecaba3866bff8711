"""Translations of `ftk`: messages gathered from its commands and the kit's code, and compiled into the kit.

The kit is installed alone, where nothing compiles, so its compiled catalogue is committed beside the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import typer.main
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from deploy.kit_patterns import patterns
from ftk_core.kit import cli, tongue
from ftk_core.kit.remedies import REMEDIES

FILE = tongue.FOLDER / tongue.CHINESE / "LC_MESSAGES" / f"{tongue.DOMAIN}.po"
KIT = tongue.FOLDER.parent
CORE = sorted([*KIT.parent.glob("*.py"), *(KIT.parent / "games").glob("*.py")])
"""Modules of the pure core, which has no translations: the messages of their exceptions are gathered by text."""
PARSER = "the parser of the command line"
PARSERS = (
    "Aborted.",
    "Arguments",
    "Commands",
    "Error",
    "Missing command.",
    "No such command {name!r}.",
    "Options",
    "[default: {}]",
    "[env var: {}]",
    "[required]",
)
"""Messages of the command-line parser that go through gettext."""
OTHERS = (
    "Did you mean {names}?",
    "Got unexpected extra argument ({words})",
    "Got unexpected extra arguments ({words})",
    "Invalid value for {name}: {error}",
    "Missing argument {name}.",
    "Missing option {name}.",
    "No such option: {name}",
    "No such option: {name} Did you mean {names}?",
    "No such option: {name} (Possible options: {names})",
    "Option {name} requires an argument.",
    "{value} is not a valid integer.",
    "{value} is not a valid float.",
    "{value} is not in the range {span}.",
    "{value} is not one of {names}.",
    "[Errno {number}] {error}: {file}",
    "File exists",
    "Is a directory",
    "No such file or directory",
    "No space left on device",
    "Not a directory",
    "Permission denied",
    "Connection refused",
    "Input should be a valid integer, unable to parse string as an integer",
    "Input should be a valid number, unable to parse string as a number",
    "as it could have been",
    "as it was",
    "left; the bot's matches wait for it for a while",
    "the connection is lost; dialing again ...",
    "the server does not know this token",
    "ok: {where}{game}, {entries} entries in {pages} pages, head {head}",
    "crashed: the process ended without a word",
    "stopped at question {number}",
)
"""Messages that do not go through gettext, and the operating system's names of errors."""
STATES = ("less", "wrong", "all")
"""Words in the cells of tables."""


def said() -> Iterator[tuple[str, str]]:
    """Yield (place, text) of all messages: helps, arguments of gettext, the parser's own."""
    for one in tongue.helped(typer.main.get_command(cli.app)):
        yield from (("help", text) for name in tongue.HELP if (text := getattr(one, name, None)))
    for file in sorted(KIT.glob("*.py")):
        for _, text, _, _ in extract("python", BytesIO(file.read_bytes()), keywords={"_": None}):
            yield file.name, str(text)
    yield from patterns(sorted([*KIT.glob("*.py"), *CORE]))
    yield from (("remedies.py", text) for text in REMEDIES.values())
    yield from ((PARSER, text) for text in (*PARSERS, *OTHERS, *STATES))


def gathered() -> Catalog:
    """Return a catalogue of all messages, in English."""
    catalog = Catalog(project="ftk", version="", fuzzy=False, header_comment="# What ftk says.")
    for place, text in said():
        catalog.add(text, locations=[(place, 0)])
    return catalog


def read(file: Path = FILE) -> Catalog:
    """Return the stored catalogue."""
    with file.open("rb") as source:
        catalog = read_po(source, locale=tongue.CHINESE)
    for row in catalog:
        row.flags.discard("python-format")  # a per cent sign is no placeholder
    return catalog


def write(catalog: Catalog) -> None:
    """Store a catalogue and its compiled form."""
    with FILE.open("wb") as file:
        write_po(file, catalog, width=120, include_lineno=False, sort_output=True, omit_header=False)
    with FILE.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)


def gather() -> None:
    """Update the catalogue: new messages are empty, obsolete ones are removed."""
    old, new = read(), gathered()
    for row in new:
        if row.id and (kept := old.get(row.id)):
            row.string = kept.string
    new.locale, new.creation_date, new.revision_date = old.locale, old.creation_date, old.creation_date
    write(new)


if __name__ == "__main__":
    gather()
