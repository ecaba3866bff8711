"""Configuration of the Django app of the site's brand (name, logo, colours and links)."""

from __future__ import annotations

from django.apps import AppConfig


class BrandingConfig(AppConfig):
    """Configuration of the app whose table stores the brand that staff have set."""

    name = "foundation.branding"
    label = "branding"

    def ready(self) -> None:
        """Register the system check of the brand (`foundation.branding.checks`)."""
        from foundation.branding import checks  # noqa: F401 - models are loaded by now
