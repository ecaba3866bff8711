"""To Court the King: dice win characters, and seven of a kind win the King. Rules in RULES.md."""

from pathlib import Path

from ftk_core.i18n import Catalogue

CATALOGUE = Catalogue(Path(__file__).parent)
