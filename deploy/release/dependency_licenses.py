"""Check of the licences of all locked dependencies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

ALLOWED = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CNRI-Python", "ISC", "MIT", "MIT-0", "MIT-CMU"),
    *("PSF-2.0", "TCL", "ZPL-2.1", "Zlib"),
    *("LGPL-3.0-only", "MPL-2.0", "OFL-1.1"),  # only unmodified: changed files must keep this licence
}
"""SPDX identifiers of licences that dependencies may have."""

SPDX = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD 3-Clause": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""Licence name in package metadata without SPDX -> SPDX identifier."""

READ_BY_US = {
    "qrcode": (
        "BSD-3-Clause",
        "its metadata also has the classifier Other/Proprietary, for the PNG encoder of old releases",
    ),
    "swisspair": ("MIT", "its metadata names none; its wheel contains the text"),
    "uritemplate": ("BSD-3-Clause OR Apache-2.0", "its expression has a name that SPDX does not know"),
    "text-unidecode": ("Artistic-1.0-Perl", "chosen of the two that it offers; development only"),
}
"""By package: (SPDX expression, reason), for packages whose metadata state no usable licence. The expression was read
from the files of the package; the reason says why this entry is necessary."""

ALLOWED_FOR_DEVELOPMENT = ALLOWED | {"Artistic-1.0-Perl"}
"""SPDX identifiers allowed for packages that are installed only for development, and so are not distributed."""


class DependencyLicense(NamedTuple):
    """Licence of a locked package as an SPDX expression; empty if it is unknown."""

    package: str
    version: str
    expression: str


def read_locked(lock: Path) -> list[str]:
    """Return the names of the packages in a lock file."""
    return re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==", lock.read_text(), re.MULTILINE)


def read_python_license(package: str) -> DependencyLicense:
    """Return the licence of an installed Python package, or an empty one if it is not installed."""
    try:
        about = metadata.metadata(package)
    except metadata.PackageNotFoundError:
        return DependencyLicense(package, "", "")
    if package in READ_BY_US:
        return DependencyLicense(package, about["Version"], READ_BY_US[package][0])
    expressions = about.get_all("License-Expression") or [_read_old_license(about)]
    return DependencyLicense(package, about["Version"], SPDX.get(expressions[0], expressions[0]))


def _read_old_license(about: metadata.PackageMetadata) -> str:
    """Return the licence from package metadata without an SPDX expression."""
    classifiers = [name.split(" :: ")[-1] for name in about.get_all("Classifier") or () if name.startswith("License")]
    names = [name for name in classifiers if name != "OSI Approved"]
    first_line = (about.get_all("License") or [""])[0].split("\n")[0]
    return " AND ".join(SPDX.get(name, name) for name in names or [first_line])


def read_npm_licenses(lock: Path) -> list[DependencyLicense]:
    """Return the licence of each package in the front end's lock file."""
    packages = json.loads(lock.read_text())["packages"]
    return [
        DependencyLicense(path.rpartition("node_modules/")[2], each["version"], str(each.get("license", "")))
        for path, each in packages.items()
        if path
    ]


def is_allowed(expression: str, allowed: Iterable[str]) -> bool:
    """Return True if an SPDX expression, such as ``MIT OR GPL-2.0-only``, is allowed."""
    return bool(expression) and _is_tree_allowed(_spdx_licensing().parse(expression), frozenset(allowed))


@cache
def _spdx_licensing() -> Any:
    # a package for developers only: `make run` and the image import this module without it
    from license_expression import get_spdx_licensing

    return get_spdx_licensing()


def _is_tree_allowed(tree: Any, allowed: frozenset[str]) -> bool:
    if not tree.args:
        return str(tree) in allowed
    parts = [_is_tree_allowed(part, allowed) for part in tree.args]
    return any(parts) if isinstance(tree, _spdx_licensing().OR) else all(parts)


def list_refused(root: Path) -> list[DependencyLicense]:
    """Return the locked packages whose licence is unknown or not allowed, each with its licence."""
    return [each for each in list_licenses(root) if not is_allowed(each.expression, _allowed_for(root, each))]


def list_licenses(root: Path) -> list[DependencyLicense]:
    """Return the licences of the installed Python packages, then of all npm packages."""
    locked = sorted({name for lock in ("server", "dev") for name in read_locked(root / f"deploy/locks/{lock}.txt")})
    python = [found for found in map(read_python_license, locked) if found.version]
    return python + read_npm_licenses(root / "frontend/ui/package-lock.json")


def _allowed_for(root: Path, each: DependencyLicense) -> set[str]:
    development = {*read_locked(root / "deploy/locks/dev.txt")} - {*read_locked(root / "deploy/locks/server.txt")}
    return ALLOWED_FOR_DEVELOPMENT if each.package in development else ALLOWED
