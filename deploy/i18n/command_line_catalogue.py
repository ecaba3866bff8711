"""Gettext catalogue of the command-line program `ftk`."""
# Bot authors install `ftk` without Babel, which compiles catalogues. So the compiled catalogue is committed too.

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import typer.main
from babel.messages.catalog import Catalog
from babel.messages.extract import extract

from deploy.i18n.catalogue_files import GettextDomainCatalogues
from ftk_core.kit import cli
from ftk_core.kit.i18n import locale as i18n_locale
from ftk_core.kit.uploads.upload_error_hints import REMEDIES

KIT = i18n_locale.FOLDER.parent
SOURCES = sorted(file for file in KIT.parent.rglob("*.py") if "new" not in file.parts)
KEYWORDS = ("_", "gettext", "N_")
"""Names of the functions that mark messages in the kit and the core."""
LEAGUE_SOURCES = sorted(
    file for part in ("formats", "pairing", "publication") for file in (KIT.parent / "league" / part).rglob("*.py")
)
"""Files of the league's code (formats, pairing and publication) with error messages that `ftk league` shows."""
LEAGUE_KEYWORDS = {"CommandRejected": None, "Message": None}
PARSER = "the parser of the command line"
PARSER_MESSAGES = (
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
"""Messages of the command-line parser, which the parser itself passes to gettext."""
OTHER_MESSAGES = (
    *i18n_locale.USAGE_MESSAGES,
    "[Errno {number}] {error}: {file}",
    "File exists",
    "Is a directory",
    "No such file or directory",
    "No space left on device",
    "Not a directory",
    "Permission denied",
    "Connection refused",
    "ok: {where}{game}, {entries} entries in {pages} pages, head {head}",
    "crashed: the process ended without a word",
    "stopped at question {number}",
)
"""Messages that no gettext function marks in the code, among them the operating system's error messages."""
STATES = ("less", "wrong", "all")
"""Words in cells of tables that `ftk` prints, for example the result of a check in `ftk doctor`."""


def list_messages() -> Iterator[tuple[str, str]]:
    """Yield (source, text) for each message of `ftk`.

    The source tells translators where the text is from, such as a file name or ``help``.
    """
    ftk: Any = typer.main.get_command(cli.app)
    ftk.commands.load_all()
    for one in i18n_locale.list_help_parts(ftk):
        yield from (("help", text) for name in i18n_locale.HELP_ATTRIBUTES if (text := getattr(one, name, None)))
    for file in SOURCES:
        for _, text, _, _ in extract("python", BytesIO(file.read_bytes()), keywords=dict.fromkeys(KEYWORDS)):
            yield file.name, str(text)
    for file in LEAGUE_SOURCES:
        for _, text, _, _ in extract("python", BytesIO(file.read_bytes()), keywords=LEAGUE_KEYWORDS):
            yield file.name, str(text)
    yield from (("upload_error_hints.py", text) for text in REMEDIES.values())
    yield from ((PARSER, text) for text in (*PARSER_MESSAGES, *OTHER_MESSAGES, *STATES))


def collect_catalogue() -> Catalog:
    """Return a catalogue of all messages of `ftk`, in English."""
    catalog = Catalog(header_comment="# What ftk says.")
    for place, text in list_messages():
        catalog.add(text, locations=[(place, 0)])
    return catalog


KIT_CATALOGUE = GettextDomainCatalogues(domain=i18n_locale.DOMAIN, folder=i18n_locale.FOLDER, collect=collect_catalogue)
