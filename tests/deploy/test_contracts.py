"""Import contracts: every package has one that covers all its modules; `make lint` checks the contracts."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

import pytest

PLAIN = {"management", "migrations", "static", "templates", "templatetags", "ui"}
"""Folders whose names Django prescribes, and folders without Python."""


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
    """Return the packages with a contract, by their dotted names; packages of games need none."""
    folders = [folder for root in roots(contracts) for folder in Path(root).rglob("__init__.py")]
    ours = [folder.parent for folder in folders if not PLAIN & set(folder.parts) and "games" not in folder.parts[:-2]]
    return sorted(".".join(folder.parts) for folder in ours)


def test_every_package_has_an_import_linter_contract_that_covers_all_its_modules(contracts: ConfigParser) -> None:
    exhaustive = [name for name in contracts.sections() if contracts.get(name, "exhaustive", fallback="") == "True"]
    listed = {folder for section in exhaustive for folder in words(contracts, section, "containers")}
    patterns = {module for name in contracts.sections() for module in words(contracts, name, "modules")}
    listed |= {pattern.removesuffix(".*") for pattern in patterns if pattern.endswith(".*")}
    assert {"bots.sandbox.inside", "deploy.supervisor", "frontend.pages", "replays.live"} <= listed
    assert sorted(listed) == rooms(contracts)


def test_import_contracts_declare_modules_of_the_same_layer_as_independent(contracts: ConfigParser) -> None:
    layers = [line for name in contracts.sections() for line in words(contracts, name, "layers")]
    assert layers
    assert ":" not in layers


def test_import_contracts_forbid_import_cycles_and_restrict_imports_of_the_models_of_every_app(
    contracts: ConfigParser,
) -> None:
    found = [path for root in roots(contracts) for path in Path(root).rglob("models*") if path.suffix in ("", ".py")]
    models = {path for path in found if path.suffix or (path / "__init__.py").exists()}
    kept = {name for section in contracts.sections() for name in words(contracts, section, "protected_modules")}
    assert kept == {".".join(path.with_suffix("").parts) for path in models}
    assert words(contracts, "importlinter:contract:circles", "ancestors") == roots(contracts)


def test_every_exception_to_the_import_contract_of_models_has_a_reason() -> None:
    lines = [line.strip() for line in Path(".importlinter").read_text().splitlines()]
    breaches = [number for number, line in enumerate(lines) if line.endswith(".models") and " -> " in line]
    assert breaches
    assert [
        lines[number] for number in breaches if not lines[number - 1].startswith("#") and number - 1 not in breaches
    ] == []
