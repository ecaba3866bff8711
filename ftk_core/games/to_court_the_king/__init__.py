"""Dice game To Court the King. Its rules are in RULES.md."""

from pathlib import Path

from ftk_core.i18n import Catalogue

CATALOGUE = Catalogue(Path(__file__).parent)
