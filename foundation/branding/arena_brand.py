"""The site's current brand: values set by staff, with Django's settings as defaults."""
# Each process caches the brand for a few seconds.

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError

from foundation.branding.brand_colours import BrandColours, write_style_sheet
from foundation.branding.logo_pictures import compute_file_digest, convert_logo
from foundation.branding.models import Brand

log = structlog.get_logger(__name__)
TEXT_FIELDS = ("name", "footer", "imprint", "privacy", "mail_sender")


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveBrand:
    """Name, logo, colours and links of this site."""

    name: str
    footer: str = ""
    """Sentence at the end of each page; empty for the default sentence."""
    imprint: str = ""
    """URL of the page that says who runs the arena, or empty."""
    privacy: str = ""
    """URL of the privacy policy, or empty."""
    mail_sender: str = ""
    """Name before the address of the sender of mails; empty for the address alone."""
    colours: BrandColours = field(default_factory=BrandColours)
    logo: bytes = b""
    """PNG file; empty for the default logo, a crown."""
    logo_digest: str = ""
    """First digits of the SHA-256 of the logo, part of its URL; empty without a logo."""
    style_sheet: str = ""
    """CSS of the colours; empty for the default colours."""
    style_digest: str = ""

    @property
    def mail_prefix(self) -> str:
        """The beginning of the subject of each mail."""
        return f"{self.name}: "

    def format_sender(self) -> str:
        """Return the sender of mails, like ``"Chess Club" <arena@example.org>``."""
        address = str(settings.DEFAULT_FROM_EMAIL)
        if not self.mail_sender or "<" in address:
            return address
        quoted = self.mail_sender.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}" <{address}>'


@dataclass(slots=True)
class _Cache:
    brand: EffectiveBrand | None = None
    read_at: float = 0.0


_cache = _Cache()


def read_brand() -> EffectiveBrand:
    """Return the site's current brand, cached for `settings.BRAND_SECONDS` seconds."""
    # BRAND_SECONDS = 0 turns off the values set by staff. Without a database, the last known brand stays in use.
    if not settings.BRAND_SECONDS:
        return read_settings_brand()
    if _cache.brand is None or time.monotonic() - _cache.read_at > settings.BRAND_SECONDS:
        try:
            _cache.brand = _read_stored(read_settings_brand())
        except DatabaseError as error:
            log.warning("brand_not_read", reason=type(error).__name__)
            _cache.brand = _cache.brand or read_settings_brand()
        _cache.read_at = time.monotonic()
    return _cache.brand


def forget_brand() -> None:
    """Discard this process's cached brand, so that the next reader gets it from the database."""
    _cache.brand = None


def _read_stored(usual: EffectiveBrand) -> EffectiveBrand:
    stored = Brand.objects.first()
    if stored is None:
        return usual
    logo = bytes(stored.logo or b"")
    return make_brand({name: getattr(stored, name) for name in (*TEXT_FIELDS, *list_colour_fields())}, logo, usual)


def make_brand(values: Mapping[str, str], logo: bytes, usual: EffectiveBrand) -> EffectiveBrand:
    """Return a copy of the brand `usual` with the given texts, colours and PNG logo. Empty values change nothing."""
    colours = {name: values[name] for name in list_colour_fields() if values.get(name)}
    texts: dict[str, Any] = {name: values[name] for name in TEXT_FIELDS if values.get(name)}
    return _with_digests(replace(usual, **texts, logo=logo or usual.logo, colours=replace(usual.colours, **colours)))


def list_colour_fields() -> list[str]:
    """Return the names of the colours of a brand, such as ``accent_day``."""
    return [colour.name for colour in fields(BrandColours)]


def _with_digests(brand: EffectiveBrand) -> EffectiveBrand:
    style_sheet = write_style_sheet(brand.colours)
    return replace(
        brand,
        logo_digest=compute_file_digest(brand.logo) if brand.logo else "",
        style_sheet=style_sheet,
        style_digest=compute_file_digest(style_sheet.encode()) if style_sheet else "",
    )


def read_settings_brand() -> EffectiveBrand:
    """Return the brand of the settings; raises OSError or CommandRejected for a logo that cannot be read."""
    return _make_settings_brand(tuple(settings.BRAND.items()), settings.BRAND_LOGO)


@lru_cache(4)
def _make_settings_brand(values: tuple[tuple[str, str], ...], logo: str) -> EffectiveBrand:
    """Return the brand with the given texts and colours, and with the logo from the file `logo`.

    Raises OSError or CommandRejected for an unreadable logo.
    """
    # Cached, because the conversion of a logo takes time.
    known = dict(values)
    picture = convert_logo(Path(logo).read_bytes()) if logo else b""
    return make_brand(known, picture, EffectiveBrand(name=known["name"]))
