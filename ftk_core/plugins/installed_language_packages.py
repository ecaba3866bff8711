"""User-interface languages from plug-ins, which consist of data files only.

    [project.entry-points."ftk.languages"]
    de = "ftk_german"

The name of the entry point is the language tag. The package contains `language.json`, catalogues in the folder
`locale`, and optionally `viewer.json`, the texts of the replay viewer.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from gettext import gettext as _
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from ftk_core.plugins import PluginError, list_plugins, name_plugin

DESCRIPTION_FILE, CATALOGUE_FOLDER, VIEWER_WORDS_FILE = "language.json", "locale", "viewer.json"
T = TypeVar("T")
_TAG = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3}|-[A-Z]{2}|-[0-9]{3})?")
"""Allowed language tags: a language, and optionally a script or a region, but not both.

Django has no folders for tags of three parts.
"""
_Label = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class SiteLanguageDescription(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of the file `language.json` of a plug-in; the fields are those of `ftk_core.i18n.Language`."""

    name: _Label
    short: _Label
    locales: str


def read_language_packages(built_in: Container[str]) -> Iterator[tuple[str, Path, SiteLanguageDescription]]:
    """Yield (tag, folder of the package, description) for each language of a plug-in.

    Raises PluginError for an invalid tag, a tag in `built_in`, or an unusable file.
    """
    for tag, entry in list_plugins("ftk.languages").items():
        if tag in built_in:
            raise PluginError(
                _("the plug-in {plugin} brings the language {tag}, which is built in; uninstall it").format(
                    plugin=name_plugin(entry), tag=repr(tag)
                )
            )
        if not _TAG.fullmatch(tag):
            raise PluginError(
                _(
                    "the plug-in {plugin} brings the language {tag}, which is not a tag of a language and at most"
                    " one script or region, such as 'de' or 'pt-BR'; rename its entry point"
                ).format(plugin=name_plugin(entry), tag=repr(tag))
            )
        folder = _find_folder(entry)
        try:
            yield tag, folder, read_description(folder, tag)
        except (OSError, ValueError) as error:
            raise PluginError(
                _("the plug-in {plugin} brings a wrong language {tag}: {error}; repair or uninstall it").format(
                    plugin=name_plugin(entry), tag=repr(tag), error=error
                )
            ) from error


def read_description(folder: Path, tag: str) -> SiteLanguageDescription:
    """Read and check the description of a language. Raises OSError or ValueError for an unusable file."""
    description = _decode(folder / DESCRIPTION_FILE, SiteLanguageDescription)
    try:
        selected = re.search(description.locales, tag, re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"{DESCRIPTION_FILE}: `locales` is not a regular expression: {error}") from error
    if selected is None:
        raise ValueError(f"{DESCRIPTION_FILE}: `locales` does not match {tag!r}")
    catalogue = Path(CATALOGUE_FOLDER, tag.replace("-", "_"), "LC_MESSAGES", "django.mo")
    if not (folder / catalogue).is_file():
        raise ValueError(f"{catalogue} is missing")
    if (folder / VIEWER_WORDS_FILE).exists():
        _decode(folder / VIEWER_WORDS_FILE, dict[str, dict[str, str]])
    return description


def _find_folder(entry: EntryPoint) -> Path:
    """Return the folder of an entry point's package. Raises PluginError if it is not installed."""
    # The package is not imported, because it needs no code.
    try:
        spec = find_spec(entry.value)
    except (ImportError, ValueError):
        spec = None
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        raise PluginError(
            _("the plug-in {plugin} names {value}, which is not an installed package; repair or uninstall it").format(
                plugin=name_plugin(entry), value=repr(entry.value)
            )
        )
    return Path(folders[0])


def _decode(file: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except FileNotFoundError as error:
        raise ValueError(f"{file.name} is missing") from error
    except msgspec.MsgspecError as error:
        raise ValueError(f"{file.name}: {error}") from error
