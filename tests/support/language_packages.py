"""Packages of plug-ins that bring a language. Their German texts are the English ones after a mark."""

from __future__ import annotations

import json
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import write_po

from deploy.i18n.catalogue_files import GettextDomainCatalogues
from deploy.i18n.language_package import list_package_catalogues, update_package
from tests.support.plugin_packages import install_packages

PYPROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "ftk-german"
version = "1.0"
[project.entry-points."ftk.languages"]
de = "ftk_german"
[tool.setuptools]
packages = ["ftk_german"]
include-package-data = false
[tool.setuptools.package-data]
ftk_german = ["*.json", "locale/*/LC_MESSAGES/*.mo"]
"""

FEW_MESSAGES: dict[str, tuple[tuple[str | None, str], ...]] = {
    "django": (
        (None, "Leagues"),
        (None, "%(bot)s %(number)s was refused: %(reason)s."),
        ("a link to this page in the language of this catalogue", "Read in English"),
    ),
    "ftk": ((None, "List the games and their built-in bots"),),
    "pig": ((None, "{seat} rolls a {face}."),),
}
"""Domain -> context and text of the messages that quick tests need in German."""


def write_installed_german(site: Path) -> Path:
    """Write German into a folder of installed packages, with few translations, as `pip` would; return the folder."""
    package, record = site / "ftk_german", site / "ftk_german-1.0.dist-info"
    catalogues = package / "locale/de/LC_MESSAGES"
    for folder in (catalogues, record):
        folder.mkdir(parents=True)
    (record / "METADATA").write_text("Name: ftk-german\nVersion: 1.0\n")
    (record / "entry_points.txt").write_text("[ftk.languages]\nde = ftk_german\n")
    (package / "language.json").write_text(json.dumps({"name": "Deutsch", "short": "DE", "locales": r"^de\b"}))
    (package / "viewer.json").write_text(json.dumps({"viewer": {"help": "Tasten"}}))
    for domain, messages in FEW_MESSAGES.items():
        catalog = Catalog(locale="de")
        for context, text in messages:
            catalog.add(text, f"de~{text}", context=context)
        with (catalogues / f"{domain}.mo").open("wb") as file:
            write_mo(file, catalog)
    return site


def translate_to_german(catalogue: GettextDomainCatalogues) -> None:
    """Translate the messages in a German catalogue to English after a mark, without plurals, and compile it."""
    catalog = catalogue.read("de")
    for row in catalog:
        if isinstance(row.id, str) and row.id:
            row.string = f"de~{row.id}"
    with catalogue.path("de").open("wb") as file:
        write_po(file, catalog)
    catalogue.compile_translated("de")


def write_german_package(folder: Path) -> Path:
    """Write the package of a plug-in with the language ``de``, which contains data alone."""
    package = folder / "ftk_german"
    assert list(update_package(package, "de")), "nothing is translated yet"
    (folder / "pyproject.toml").write_text(PYPROJECT)
    for catalogue in list_package_catalogues(package):
        translate_to_german(catalogue)
    return folder


def install_german(base: Path) -> Path:
    """Install the German package in a folder, and return the folder."""
    return install_packages(base / "site", [write_german_package(base / "german")])
