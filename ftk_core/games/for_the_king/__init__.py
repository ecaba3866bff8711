"""For the King (and Me): players share out influence cards, then buy more at auction. Rules in RULES.md."""

from pathlib import Path

from ftk_core.i18n import Catalogue

CATALOGUE = Catalogue(Path(__file__).parent)
