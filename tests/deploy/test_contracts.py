"""Every folder has its import contract, which lists all that is in it; `make lint` holds the contracts."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

import pytest

PLAIN = {"management", "migrations", "static", "templates", "templatetags", "ui"}
"""Folders that Django knows by their names, and what is no Python."""


@pytest.fixture(scope="module")
def contracts() -> ConfigParser:
    found = ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    found.read(".importlinter")
    return found


def words(contracts: ConfigParser, section: str, key: str) -> list[str]:
    return contracts.get(section, key, fallback="").split()


def roots(contracts: ConfigParser) -> list[str]:
    return words(contracts, "importlinter", "root_packages")


def rooms(contracts: ConfigParser) -> list[str]:
    """Return the apps and the folders in them, by their dotted names; the core has contracts of its own kind."""
    folders = [folder for root in set(roots(contracts)) - {"ftk_core"} for folder in Path(root).rglob("__init__.py")]
    ours = [folder.parent for folder in folders if not PLAIN & set(folder.parts)]
    return sorted(".".join(folder.parts) for folder in ours)


def test_every_folder_with_modules_has_a_contract_that_lists_them_all(contracts: ConfigParser) -> None:
    exhaustive = [name for name in contracts.sections() if contracts.get(name, "exhaustive", fallback="") == "True"]
    listed = {folder for section in exhaustive for folder in words(contracts, section, "containers")}
    assert {"bots.cage.inside", "deploy.supervisor", "frontend.pages", "replays.live"} <= listed
    assert sorted(listed) == rooms(contracts)


def test_of_two_that_stand_side_by_side_neither_imports_the_other(contracts: ConfigParser) -> None:
    layers = [line for name in contracts.sections() for line in words(contracts, name, "layers")]
    assert layers
    assert ":" not in layers


def test_no_folder_is_in_a_circle_and_every_app_keeps_its_models(contracts: ConfigParser) -> None:
    apps = {name for name in roots(contracts) if Path(name, "models.py").exists()}
    kept = {name for section in contracts.sections() for name in words(contracts, section, "protected_modules")}
    assert kept == {f"{app}.models" for app in apps}
    assert words(contracts, "importlinter:contract:circles", "ancestors") == roots(contracts)


def test_every_breach_of_models_says_why_it_stays() -> None:
    lines = [line.strip() for line in Path(".importlinter").read_text().splitlines()]
    breaches = [number for number, line in enumerate(lines) if line.endswith(".models") and " -> " in line]
    assert breaches
    assert [
        lines[number] for number in breaches if not lines[number - 1].startswith("#") and number - 1 not in breaches
    ] == []
