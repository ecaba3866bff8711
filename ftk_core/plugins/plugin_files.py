"""Files of plug-ins: their digest, and the files that bots may import."""

from __future__ import annotations

import re
from collections.abc import Iterator
from gettext import gettext as _
from hashlib import sha256
from importlib.metadata import EntryPoint, PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from ftk_core.plugins import PluginError, list_plugins, name_plugin

_REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")
OWN_PACKAGE = "ftk-arena"
"""Name of the package that contains `ftk_core`."""


def package_of(entry: EntryPoint) -> str:
    """Return the package that contains the module of an entry point."""
    return entry.module.rpartition(".")[0] or entry.module


def check_is_package(entry: EntryPoint) -> None:
    """Raise PluginError unless the module of a game's entry point is in a package.

    The texts and built-in bots of the game are in the folder of this package.
    """
    spec = find_spec(package := package_of(entry))
    if spec is None or spec.submodule_search_locations is None:
        raise PluginError(
            _("the plug-in {plugin} has its game in the single module {module}; move it into a package").format(
                plugin=name_plugin(entry), module=repr(package)
            )
        )


def folder_of(package: str) -> Path:
    """Return the folder of a package."""
    return Path(str(files(package)))


def digest_plugin(entry: EntryPoint) -> str:
    """Return a digest of a plug-in's files and of the versions of its requirements."""
    digest = sha256()
    for name, path in sorted(_list_files(entry)):
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    for requirement in sorted(_list_requirements(entry)):
        digest.update(requirement.encode() + b"\0")
    return digest.hexdigest()[:16]


def _list_files(entry: EntryPoint) -> Iterator[tuple[str, Path]]:
    """Yield (name in the wheel, path on disk) for all files of a plug-in."""
    # In an editable installation these are the files of the package, because the wheel records none of them.
    package = package_of(entry)
    recorded = [file for file in (entry.dist.files or () if entry.dist else ()) if file.suffix != ".pyc"]
    if any(file.parts[0] == package.partition(".")[0] for file in recorded):
        for file in recorded:
            if not (file.parts[0].endswith(".dist-info") or ".." in file.parts):
                yield str(file), Path(str(file.locate()))
        return
    yield from list_package_files(package)


def list_package_files(package: str) -> Iterator[tuple[str, Path]]:
    """Yield (name, path on disk) for the files of an installed package, except bytecode.

    The name is relative to a folder on ``sys.path``, such as ``ftk_hex/rules.py``.
    """
    folder = folder_of(package)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            yield f"{package.replace('.', '/')}/{path.relative_to(folder).as_posix()}", path


def list_bot_files() -> dict[str, Path]:
    """Return the plug-in files that bots may import, by path relative to a folder on ``sys.path``.

    Bots may import the packages of plug-in games, and the modules in the entry point group ``ftk.bot_modules``. Raises
    PluginError for a missing module.
    """
    listed: dict[str, Path] = {}
    for entry in list_plugins("ftk.games").values():
        listed.update(list_package_files(package_of(entry)))
    for entry in list_plugins("ftk.bot_modules").values():
        spec = find_spec(entry.value)
        if spec is None or spec.origin is None:
            raise PluginError(
                _("the plug-in {plugin} names the module {module} for bots, which is not installed; install it").format(
                    plugin=name_plugin(entry), module=repr(entry.value)
                )
            )
        file = Path(spec.origin)
        is_package, folder = spec.submodule_search_locations is not None, entry.value.split(".")[:-1]
        listed.update(list_package_files(entry.value) if is_package else {"/".join((*folder, file.name)): file})
    return listed


def _list_requirements(entry: EntryPoint) -> Iterator[str]:
    """Yield ``numpy==2.1.0`` or ``numpy is missing`` for each package that a plug-in requires."""
    # Optional requirements and the package that contains `ftk_core` are left out.
    for line in (entry.dist.requires or ()) if entry.dist else ():
        name = _REQUIREMENT.match(line)
        if name is None or "extra ==" in line or name[0] == OWN_PACKAGE:
            continue
        try:
            yield f"{name[0]}=={version(name[0])}"
        except PackageNotFoundError:
            yield f"{name[0]} is missing"
