"""Gettext catalogues of each game, and of the texts that all games share."""
# Bot authors install the games without Babel, which compiles catalogues. So the compiled catalogues are committed too.

from __future__ import annotations

from functools import partial
from importlib import import_module

from babel.messages.catalog import Catalog

from deploy.i18n.catalogue_files import GettextDomainCatalogues
from ftk_core.games import list_built_in_games, list_games
from ftk_core.i18n import Catalogue
from ftk_core.views import fact_sentences


def list_core_catalogues() -> list[GettextDomainCatalogues]:
    """Return the catalogue that all games share, and each game's own catalogue."""
    list_games()  # imports the modules whose tables have the messages
    packages = [import_module(f"ftk_core.games.{name}") for name in list_built_in_games()]
    catalogues = [
        fact_sentences.CATALOGUE,
        *(package.CATALOGUE for package in packages if hasattr(package, "CATALOGUE")),
    ]
    return [
        GettextDomainCatalogues(domain=one.domain, folder=one.folder, collect=partial(_collect, one))
        for one in catalogues
    ]


def _collect(catalogue: Catalogue) -> Catalog:
    catalog = Catalog(header_comment=f"# Texts of {catalogue.domain}.")
    for text, key in catalogue.messages.items():
        catalog.add(text, auto_comments=[] if key == text else [key])
    return catalog
