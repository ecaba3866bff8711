"""Configuration of the Django app `frontend`."""

from __future__ import annotations

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    """Configuration of the Django app `frontend`."""

    name = "frontend"
    default_auto_field = "django.db.models.BigAutoField"
