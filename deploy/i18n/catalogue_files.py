"""Files of gettext catalogues, updated, checked and compiled by Babel. The GNU gettext programs are not needed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

CREATED_AT = datetime(2026, 11, 22, tzinfo=UTC)
"""Fixed date in the catalogues; a changing one would cause needless diffs."""
TRANSLATORS = "The maintainers of the For the King arena"
WIDTH = 120
FIELD = re.compile(r"\{(\w*)\}")


class InvalidCatalogueError(Exception):
    """Raised for a catalogue that lacks a translation or has an invalid one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GettextDomainCatalogues:
    """The catalogue files of one gettext domain (such as ``django``): one file for each language."""

    domain: str
    folder: Path
    collect: Callable[[], Catalog]
    """Function that returns a Babel catalogue of all messages in the code, in English."""
    translators: str | None = TRANSLATORS
    """Translators to name in the header of each catalogue; None keeps the names in the file."""
    uses_percent: bool = False
    """True if placeholders are written ``%(name)s``; False if ``{name}``, so that a per cent sign is plain text."""

    def path(self, language: str) -> Path:
        """Return the path of a language's catalogue; `language` is the name of its folder, such as ``pt_BR``."""
        return self.folder / language / "LC_MESSAGES" / f"{self.domain}.po"

    def read(self, language: str) -> Catalog:
        """Return the stored catalogue of a language, which is empty if the file does not exist."""
        if not self.path(language).exists():
            return Catalog(locale=language)
        with self.path(language).open("rb") as file:
            catalog = read_po(file, locale=language)
        for row in catalog:
            if not self.uses_percent:
                row.flags.discard("python-format")
        return catalog

    def update(self, language: str) -> None:
        """Update a catalogue from the code: add new messages without translation, and remove obsolete messages."""
        old, new = self.read(language), self.collect()
        for row in new:
            if row.id and (stored := old.get(row.id, row.context)):
                row.string, row.user_comments = stored.string, stored.user_comments
                row.flags |= stored.flags & {"fuzzy"}
        new.locale, new.fuzzy = old.locale, False
        new.creation_date = new.revision_date = CREATED_AT
        new.project, new.version, new.msgid_bugs_address = self.domain, "", ""
        new.last_translator = self.translators or old.last_translator
        new.language_team = self.translators or old.language_team
        self.path(language).parent.mkdir(parents=True, exist_ok=True)
        with self.path(language).open("wb") as file:
            write_po(file, new, width=WIDTH, include_lineno=False, sort_output=True)

    def compile(self, language: str) -> None:
        """Compile a catalogue; raises InvalidCatalogueError, which names the first missing or invalid translation."""
        catalog = self.read(language)
        if lacking := list_missing(catalog):
            raise InvalidCatalogueError(
                f"{self.path(language)} lacks {len(lacking)}, such as {lacking[0]!r}: translate it there"
            )
        self._write_compiled(language, catalog)

    def compile_translated(self, language: str) -> list[str]:
        """Compile the valid translations of a catalogue, and return the messages that stay in English."""
        catalog = self.read(language)
        missing = list_missing(catalog)
        for row in [row for row in catalog if row.id and not _is_translated(row)]:
            catalog.delete(row.id, row.context)
        self._write_compiled(language, catalog)
        return missing

    def _write_compiled(self, language: str, catalog: Catalog) -> None:
        with self.path(language).with_suffix(".mo").open("wb") as file:
            write_mo(file, catalog)


def list_missing(catalog: Catalog) -> list[str]:
    """Return one string for each message whose translation is missing, doubtful (fuzzy) or invalid.

    An invalid translation is listed as ``message: reason``.
    """
    rows = [row for row in catalog if row.id]
    empty = [str(row.id) for row in rows if row.fuzzy or not all(_texts(row.string))]
    finished = [row for row in rows if all(_texts(row.string)) and not row.fuzzy]
    return empty + [f"{row.id}: {error}" for row in finished for error in _faults(row)]


def _is_translated(row: Message) -> bool:
    return not row.fuzzy and all(_texts(row.string)) and not _faults(row)


def _texts(texts: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return tuple(texts) if isinstance(texts, tuple | list) else (texts or "",)


def _faults(row: Message) -> list[str]:
    given = {field for text in _texts(row.id) for field in FIELD.findall(text)}
    used = {field for text in _texts(row.string) for field in FIELD.findall(text)}
    return [*map(str, row.check()), *(f"other fields {sorted(given ^ used)}" for _ in range(given != used))]
