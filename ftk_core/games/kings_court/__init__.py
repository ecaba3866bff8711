"""Kings Court: players steal from a box, and the King questions them to find the Thieves. Rules in RULES.md."""

from pathlib import Path

from ftk_core.i18n import Catalogue

CATALOGUE = Catalogue(Path(__file__).parent)
