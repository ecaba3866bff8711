"""Languages of the site, with one module of date formats each, which Django loads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TONGUES: dict[str, Any] = {
    "LANGUAGE_CODE": "en",
    "LANGUAGES": [("en", "English"), ("zh-hant", "繁體中文")],
    "LANGUAGE_COOKIE_NAME": "language",
    "LOCALE_PATHS": [Path(__file__).resolve().parents[2] / "frontend" / "locale"],
    "FORMAT_MODULE_PATH": ["deploy.formats"],
    "USE_I18N": True,
}
"""Django's settings for them; `python -m deploy.tongues` makes the catalogues."""
