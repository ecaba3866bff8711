"""The app of the deployment."""

from __future__ import annotations

from django.apps import AppConfig


class DeployConfig(AppConfig):
    """Names the app; its migrations install the message queue."""

    name = "deploy"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make our Celery application the one that tasks are sent by, in every process."""
        from deploy.celery import app

        app.set_default()
