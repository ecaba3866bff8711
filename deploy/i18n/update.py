"""`python -m deploy.i18n.update`: update all catalogues from the code, and compile those that are complete."""

from __future__ import annotations

import sys

from deploy.i18n.catalogue_files import GettextDomainCatalogues, InvalidCatalogueError
from deploy.i18n.command_line_catalogue import KIT_CATALOGUE
from deploy.i18n.game_message_catalogues import list_core_catalogues
from deploy.i18n.site_catalogue import SITE_CATALOGUE
from ftk_core.i18n import TRANSLATED_LANGUAGES


def list_catalogues() -> list[GettextDomainCatalogues]:
    """Return the catalogues of the site, of the command-line program `ftk`, and of the games."""
    return [SITE_CATALOGUE, KIT_CATALOGUE, *list_core_catalogues()]


def main() -> None:
    """Update and compile all catalogues; exit with the list of incomplete ones."""
    incomplete = []
    for catalogue in list_catalogues():
        for language in TRANSLATED_LANGUAGES:
            catalogue.update(language.folder)
            try:
                catalogue.compile(language.folder)
            except InvalidCatalogueError as error:
                incomplete.append(str(error))
    if incomplete:
        sys.exit("\n".join(incomplete))


if __name__ == "__main__":
    main()
