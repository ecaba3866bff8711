"""Languages that plug-ins add to the match viewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

from ftk_core.i18n import Language, list_languages
from ftk_core.plugins.installed_language_packages import VIEWER_WORDS_FILE


@dataclass(frozen=True, slots=True)
class ViewerTranslation:
    """A language that a plug-in adds to the viewer."""

    language: Language
    file: Path | None
    """JSON file with the texts: part of the viewer -> key -> text. Without it (None), the viewer shows English."""
    digest: str
    """Digest of the file, which is part of the file's URL on a server."""


@cache
def list_viewer_languages() -> Mapping[str, ViewerTranslation]:
    """Return language tag -> ViewerTranslation for each language that a plug-in adds to the viewer."""
    listed = {}
    for tag, language in list_languages().items():
        if language.package:
            file = language.package / VIEWER_WORDS_FILE
            words = file.read_bytes() if file.is_file() else b""
            listed[tag] = ViewerTranslation(language, file if words else None, sha256(words).hexdigest()[:16])
    return listed


def render_viewer_language(added: ViewerTranslation, address: str) -> str:
    """Return an HTML element that announces a language to the viewer.

    `address` is the URL of its texts.
    """
    language = added.language
    values = {"tag": language.tag, "name": language.name, "short": language.short, "locales": language.locales}
    attributes = "".join(f' data-{name}="{escape(value)}"' for name, value in values.items())
    return f'<meta name="viewer-language" content="{escape(address if added.file else "")}"{attributes}>'
