"""Pig: a small dice game, which is the template for new games. Rules in RULES.md."""

from pathlib import Path

from ftk_core.i18n import Catalogue

CATALOGUE = Catalogue(Path(__file__).parent)
