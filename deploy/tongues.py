"""Translations of the site: gathered from templates and code into catalogues, and compiled for Django.

`python -m deploy.tongues gather` updates the catalogues from the code; `compile` compiles them for Django, and refuses
an incomplete catalogue. Both use Babel and need no system program.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from ftk_core.kit.languages import LANGUAGES
from ftk_core.league.formats import formats

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "frontend" / "locale"
TONGUES = ("zh_Hant",)
"""Target languages, named as Django's locale folders."""
CODE = ("bots", "foundation", "frontend", "notices", "people", "replays", "tournaments")
SHAPES: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
"""Functions that mark texts, with the positions of the text arguments."""
TABLES = (
    ("ftk_core.kit.names", "BOT_NAME_RULE"),
    ("ftk_core.kit.tokens", "SCOPES"),
    ("ftk_core.league.tiebreaks", "TIEBREAKS"),
)
"""Modules that do not depend on Django, with their tables of texts that pages show."""
BEGUN = datetime(2026, 11, 22, tzinfo=UTC)
"""Fixed creation date of the catalogues; a changing one would cause needless diffs."""
WIDTH = 120


class Untranslated(Exception):
    """Raised for an incomplete catalogue."""


@dataclass(frozen=True, slots=True)
class Said:
    """A marked text: its place, its text (or both plural forms), and its context."""

    place: str
    text: str | tuple[str, ...]
    context: str | None = None


def gathered() -> Catalog:
    """Return a catalogue of all marked texts, in English."""
    catalog = Catalog(
        project="The Court", version="", fuzzy=False, creation_date=BEGUN, header_comment="# What the site says."
    )
    for said in sorted([*_of_templates(), *_of_code(), *_of_tables()], key=lambda said: said.place):
        flags = ("python-format",) if "%" in "".join(said.text) else ()
        catalog.add(said.text, locations=[(said.place, 0)], flags=flags, context=said.context)
    return catalog


def _of_templates() -> Iterator[Said]:
    for file in sorted((ROOT / "frontend" / "templates").rglob("*")):
        if file.suffix in (".html", ".txt"):
            yield from _in(file, templatize(file.read_text()))


def _of_code() -> Iterator[Said]:
    for app in CODE:
        for file in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in file.parts:
                yield from _in(file, file.read_text())


def _in(file: Path, source: str) -> Iterator[Said]:
    for _, text, _, context in extract("python", BytesIO(source.encode()), keywords=SHAPES):
        if text:
            yield Said(str(file.relative_to(ROOT)), text, context)


def _of_tables() -> Iterator[Said]:
    """Yield the texts of tables in modules without gettext."""
    for module, name in TABLES:
        for text in _texts(getattr(import_module(module), name)):
            yield Said(f"{module.replace('.', '/')}.py", text.replace("%", "%%"))
    for name in formats():
        words = name.replace("_", " ")
        yield from (Said("ftk_core/league/formats/__init__.py", text) for text in (words, words.capitalize()))
    yield from (Said("ftk_core/kit/languages.py", LANGUAGES[name].title) for name in ("elf",))


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


def file_of(tongue: str) -> Path:
    """Return the path of a language's catalogue."""
    return FOLDER / tongue / "LC_MESSAGES" / "django.po"


def read(tongue: str) -> Catalog:
    """Return the stored catalogue of a language."""
    with file_of(tongue).open("rb") as file:
        return read_po(file, locale=tongue)


def gather() -> None:
    """Update the catalogues: new texts are empty, obsolete ones are removed."""
    for tongue in TONGUES:
        catalog = read(tongue)
        catalog.update(gathered(), no_fuzzy_matching=True)
        catalog.obsolete.clear()
        catalog.revision_date = BEGUN
        catalog.project, catalog.version, catalog.msgid_bugs_address = "The Court", "", ""
        catalog.last_translator = catalog.language_team = "The maintainers of the For the King arena"
        with file_of(tongue).open("wb") as file:
            write_po(file, catalog, width=WIDTH, include_lineno=False, sort_output=True)


def missing(catalog: Catalog) -> list[str]:
    """Return the texts that lack a translation or have other placeholders in it."""
    rows = [row for row in catalog if row.id]
    empty = [str(row.id) for row in rows if not all(row.string if isinstance(row.string, tuple) else (row.string,))]
    return empty + [f"{row.id}: {error}" for row in rows if row.string for error in row.check(catalog)]


def compile_all() -> None:
    """Compile the catalogues for Django; raises Untranslated, naming the missing texts."""
    for tongue in TONGUES:
        catalog = read(tongue)
        if lacking := missing(catalog):
            raise Untranslated(f"{file_of(tongue)} lacks {len(lacking)}, such as {lacking[0]!r}: translate it there")
        with file_of(tongue).with_suffix(".mo").open("wb") as file:
            write_mo(file, catalog)


def main(words: list[str]) -> None:
    """Run the command of the command line."""
    known = {"gather": gather, "compile": compile_all}
    if len(words) != 1 or words[0] not in known:
        sys.exit(f"deploy.tongues: one of {', '.join(known)}")
    try:
        known[words[0]]()
    except Untranslated as error:
        sys.exit(f"deploy.tongues: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
