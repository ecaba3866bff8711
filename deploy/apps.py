"""Django app of the package `deploy`."""

from __future__ import annotations

from pathlib import Path

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


class DeployConfig(AppConfig):
    """Configuration of the app `deploy`, whose migrations install the PostgreSQL message queue for Celery."""

    name = "deploy"

    def ready(self) -> None:
        """Check the translation catalogues, set the default Celery application, and register the system checks.

        Raises ImproperlyConfigured if a catalogue is not compiled.
        """
        for catalogue in (file for folder in settings.LOCALE_PATHS for file in Path(folder).rglob("*.po")):
            if not catalogue.with_suffix(".mo").exists():
                raise ImproperlyConfigured(f"{catalogue} is not compiled: python -m deploy.i18n.site_catalogue compile")
        from deploy import postgres_version_check  # noqa: F401 - registers the system check
        from deploy.celery import app

        app.set_default()
