"""Configuration of the Django app `frontend`."""

from __future__ import annotations

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    """Configuration of the Django app `frontend`."""

    name = "frontend"
