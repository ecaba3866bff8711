"""Django's language settings. The subpackages contain the date formats of each language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ftk_core.i18n import ENGLISH, list_languages

SETTINGS: dict[str, Any] = {
    "LANGUAGE_CODE": ENGLISH,
    "LANGUAGES": [(language.code, language.name) for language in list_languages().values()],
    "LANGUAGE_COOKIE_NAME": "language",
    "LOCALE_PATHS": [
        Path(__file__).resolve().parents[2] / "frontend" / "locale",
        *(language.catalogues for language in list_languages().values() if language.catalogues),
    ],
    "FORMAT_MODULE_PATH": ["deploy.formats"],
    "USE_I18N": True,
}
"""Django's language settings; `python -m deploy.i18n.site_catalogue` makes the translation catalogues."""
