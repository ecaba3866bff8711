"""Configuration of the Django app `notices`."""

from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Configuration of the app of webhooks and notices."""

    name = "notices"

    def ready(self) -> None:
        """Register the app's Celery tasks, and its receivers for data exports, account erasures and renamed bots."""
        from bots.remote_bots import bot_renamed
        from notices import personal_data_export, tasks  # noqa: F401 - importing registers the tasks' names
        from notices.follow_subscriptions import erase_follows_of_author, rename_followed_bot
        from people.account_erasure import register_erasure, register_export

        register_export(personal_data_export.export_notifications, self.name)
        register_erasure(erase_follows_of_author, self.name)
        bot_renamed.connect(rename_followed_bot, dispatch_uid="notices.follow_subscriptions")
