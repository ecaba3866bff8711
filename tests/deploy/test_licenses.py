"""Our licence, and the licences of the packages that we depend on."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deploy.release import supply_chain
from deploy.release.dependency_licenses import (
    ALLOWED,
    READ_BY_US,
    DependencyLicense,
    is_allowed,
    list_licenses,
    list_refused,
    read_locked,
)

ROOT = Path(__file__).parents[2]


def test_the_project_declares_the_same_licence_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    front_end = json.loads((ROOT / "frontend/ui/package.json").read_text())
    assert project["license"] == front_end["license"] == "Apache-2.0"
    assert all((ROOT / name).is_file() for name in project["license-files"])
    assert "Apache License" in (ROOT / "LICENSE").read_text()


def test_the_locked_version_of_every_dependency_satisfies_the_requirement_in_pyproject_toml() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = (ROOT / "deploy/locks/dev.txt").read_text().splitlines()
    found = [re.match(r"([\w.-]+)(?:\[.*\])?==([^ ;]+)", line) for line in lines]
    locked = {canonicalize_name(match[1]): match[2] for match in found if match}
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(line for name in ("server", "build", "rl", "dev") for line in extras[name])]
    requirements = [Requirement(line) for line in wanted]
    assert len(requirements) > 50
    wrong = [str(one) for one in requirements if not one.specifier.contains(locked[canonicalize_name(one.name)])]
    assert wrong == []


@pytest.mark.slow
def test_every_dependency_has_an_allowed_licence() -> None:
    assert list_refused(ROOT) == []


@pytest.mark.slow
def test_the_licences_of_all_installed_locked_packages_are_listed() -> None:
    listed = {each.package for each in list_licenses(ROOT)}
    assert {"django", "psycopg", "hypothesis", "svelte"} <= listed
    locked = {name for lock in ("server", "dev") for name in read_locked(ROOT / f"deploy/locks/{lock}.txt")}
    installed = {canonicalize_name(each.name) for each in distributions()}
    assert {name for name in locked if canonicalize_name(name) in installed} - listed == set()
    assert {*READ_BY_US} <= locked


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("MPL-2.0 AND (Apache-2.0 OR GPL-3.0-only)", True),
        ("AGPL-3.0-only", False),
        ("A licence of my own", False),
        ("", False),
    ],
)
def test_an_spdx_licence_expression_is_allowed_only_if_every_required_part_is_allowed(
    expression: str, allowed: bool
) -> None:
    assert is_allowed(expression, ALLOWED) is allowed


def test_no_bill_of_materials_is_written_if_a_package_has_a_licence_that_is_not_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supply_chain, "list_refused", lambda _root: [DependencyLicense("evil", "1", "AGPL-3.0-only")])
    with pytest.raises(supply_chain.ReleaseBuildError, match=r"does not allow: evil 1: AGPL-3\.0-only"):
        supply_chain.write_licenses(tmp_path)
    assert list(tmp_path.iterdir()) == []
