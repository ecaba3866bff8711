"""`python -m deploy.i18n.language_package FOLDER TAG`: update and compile a language package.

A language package is a plug-in that translates the site into a further language. FOLDER is the plug-in's folder, TAG
the language, such as ``pt-BR``. Messages without a translation are listed and stay English.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
from babel import Locale, UnknownLocaleError

from deploy.i18n.catalogue_files import GettextDomainCatalogues
from deploy.i18n.update import list_catalogues
from ftk_core.i18n import TRANSLATED_LANGUAGES
from ftk_core.plugins.installed_language_packages import (
    CATALOGUE_FOLDER,
    DESCRIPTION_FILE,
    VIEWER_WORDS_FILE,
    SiteLanguageDescription,
    read_description,
)

UI_SOURCES = Path(__file__).resolve().parents[2] / "frontend" / "ui" / "src"
Words = dict[str, dict[str, str]]
"""Type of the viewer's texts: part (of the viewer, or a game) -> key -> text."""


def list_package_catalogues(folder: Path) -> list[GettextDomainCatalogues]:
    """Return the catalogues of the site, `ftk` and the games, with their files in a plug-in's folder."""
    place = folder / CATALOGUE_FOLDER
    return [replace(catalogue, folder=place, translators=None) for catalogue in list_catalogues()]


def update_package(folder: Path, tag: str) -> Iterator[str]:
    """Update and compile all files of a language. Yield each missing or invalid translation.

    Raises UnknownLocaleError or ValueError for an invalid language tag, and ValueError for an invalid file.
    """
    locale = Locale.parse(tag, sep="-")
    _write_description(folder, tag, locale)
    for catalogue in list_package_catalogues(folder):
        language = tag.replace("-", "_")
        catalogue.update(language)
        for message in catalogue.compile_translated(language):
            yield f"{catalogue.path(language)}: {message!r}"
    for key in _update_viewer_words(folder / VIEWER_WORDS_FILE):
        yield f"{folder / VIEWER_WORDS_FILE}: {key}"
    read_description(folder, tag)


def read_viewer_texts() -> Words:
    """Return the web viewer's texts in one of the built-in languages.

    A language package must have the same parts and keys.
    """
    name = f"{TRANSLATED_LANGUAGES[0].tag}.json"
    words = msgspec.json.decode((UI_SOURCES / "locale" / name).read_bytes(), type=Words)
    for file in sorted(UI_SOURCES.glob(f"games/*/locale/{name}")):
        words[file.parents[1].name] = msgspec.json.decode(file.read_bytes(), type=dict[str, str])
    return words


def _write_description(folder: Path, tag: str, locale: Locale) -> None:
    file = folder / DESCRIPTION_FILE
    if not file.exists():
        name = locale.get_display_name() or tag
        row = SiteLanguageDescription(name=name[:1].upper() + name[1:], short=tag.upper(), locales=rf"^{tag.lower()}\b")
        folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.format(msgspec.json.encode(row)) + b"\n")


def _update_viewer_words(file: Path) -> list[str]:
    """Add missing keys to a file of viewer texts, and remove obsolete keys. Return the names of the empty texts."""
    stored = msgspec.json.decode(file.read_bytes(), type=Words) if file.exists() else {}
    words = {
        part: {key: stored.get(part, {}).get(key, "") for key in texts} for part, texts in read_viewer_texts().items()
    }
    file.write_bytes(msgspec.json.format(msgspec.json.encode(words)) + b"\n")
    return [f"{part}, {key}" for part, texts in words.items() for key, text in texts.items() if not text]


def main(words: list[str]) -> None:
    """Update the package of a language; print each missing or invalid translation, and their number."""
    if len(words) != 2:
        sys.exit("usage: python -m deploy.i18n.language_package FOLDER TAG")
    try:
        missing = list(update_package(Path(words[0]), words[1]))
    except (UnknownLocaleError, ValueError) as error:
        sys.exit(f"deploy.i18n.language_package: {error}")
    missing.append(f"{len(missing)} texts are missing or invalid; they are shown in English")
    sys.stdout.write("\n".join(missing) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
