"""Gettext catalogue of the site, with messages from templates and code.

`python -m deploy.i18n.site_catalogue compile` compiles it for Django.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from django.utils.translation.template import templatize

from deploy.i18n.catalogue_files import GettextDomainCatalogues, InvalidCatalogueError
from ftk_core.i18n import TRANSLATED_LANGUAGES
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.league.formats import list_formats

ROOT = Path(__file__).resolve().parents[2]
LOCALE_FOLDER = ROOT / "frontend" / "locale"
CODE_FOLDERS = ("bots", "foundation", "frontend", "notices", "people", "replays", "tournaments")
GETTEXT_KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
"""Functions that mark texts, with the positions of the text arguments."""
LEAGUE_FOLDER = ROOT / "ftk_core" / "league"
LEAGUE_KEYWORDS: dict[str, Any] = {"CommandRejected": None, "Message": None}
"""Names of the classes whose texts are collected for translation from the modules in `LEAGUE_FOLDER`.

Pages show these texts as reasons why a league refused a command. The package `event_audit` is excluded, because only
`ftk verify` shows its texts.
"""
TABLE_MODULES = (
    ("ftk_core.analysis.bot_play_summary", "PHASES"),
    ("ftk_core.kit.uploads.bot_names", "BOT_NAME_RULE"),
    ("ftk_core.kit.client.api_token_format", "SCOPES"),
    ("ftk_core.league.scoring.tiebreaks", "BUILT_IN_TIEBREAKS"),
)
"""Constants with texts that pages show, as pairs (module, constant); the modules do not depend on Django."""


@dataclass(frozen=True, slots=True)
class ExtractedMessage:
    """Text marked for translation, with its source file and gettext context."""

    place: str
    text: str | tuple[str, ...]
    context: str | None = None


def collect_catalogue() -> Catalog:
    """Return a catalogue of all texts of the site that are marked for translation, in English."""
    catalog = Catalog(header_comment="# What the site says.")
    for said in sorted(
        [*_messages_of_templates(), *_messages_of_code(), *_messages_of_tables()], key=lambda said: said.place
    ):
        flags = ("python-format",) if "%" in "".join(said.text) else ()
        catalog.add(said.text, locations=[(said.place, 0)], flags=flags, context=said.context)
    return catalog


def _messages_of_templates() -> Iterator[ExtractedMessage]:
    for file in sorted((ROOT / "frontend" / "templates").rglob("*")):
        if file.suffix in (".html", ".txt"):
            yield from _messages_in(file, templatize(file.read_text()))


def _messages_of_code() -> Iterator[ExtractedMessage]:
    for app in CODE_FOLDERS:
        for file in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in file.parts:
                yield from _messages_in(file, file.read_text())
    for file in sorted(LEAGUE_FOLDER.rglob("*.py")):
        if "event_audit" not in file.parts:
            yield from _messages_in(file, file.read_text(), LEAGUE_KEYWORDS)


def _messages_in(file: Path, source: str, keywords: dict[str, Any] = GETTEXT_KEYWORDS) -> Iterator[ExtractedMessage]:
    for _, text, _, context in extract("python", BytesIO(source.encode()), keywords=keywords):
        if text:
            yield ExtractedMessage(str(file.relative_to(ROOT)), text, context)


def _messages_of_tables() -> Iterator[ExtractedMessage]:
    """Yield the texts in constants that the code does not mark for translation, such as the names of tie-breaks."""
    # The modules of these constants do not depend on Django, so they cannot mark texts with its gettext functions.
    for module, name in TABLE_MODULES:
        for text in _texts(getattr(import_module(module), name)):
            yield ExtractedMessage(f"{module.replace('.', '/')}.py", text.replace("%", "%%"))
    for name, form in list_formats().items():
        words = name.replace("_", " ")
        texts = (words, words.capitalize(), form.groups_title, form.groups_text, form.fixed)
        yield from (ExtractedMessage("ftk_core/league/formats/__init__.py", text) for text in texts if text)
    yield from (
        ExtractedMessage("ftk_core/kit/uploads/programming_languages.py", LANGUAGES[name].title) for name in ("elf",)
    )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _texts(one)
    else:
        yield from (value.name, value.what)


SITE_CATALOGUE = GettextDomainCatalogues(
    domain="django", folder=LOCALE_FOLDER, collect=collect_catalogue, uses_percent=True
)


def main(words: list[str]) -> None:
    """Compile the site's catalogue in every language."""
    if words != ["compile"]:
        sys.exit("usage: python -m deploy.i18n.site_catalogue compile")
    try:
        for language in TRANSLATED_LANGUAGES:
            SITE_CATALOGUE.compile(language.folder)
    except InvalidCatalogueError as error:
        sys.exit(f"deploy.i18n.site_catalogue: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
