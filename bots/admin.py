"""Admin pages of the bots; files and trial logs are visible to their authors only."""

from __future__ import annotations

from bots.models import Bot, BotVersion, Quota
from bots.quotas import MOST_OF
from foundation.readonly import Rows


class BotRows(Rows):
    """Admin list of bots."""

    model_shown = Bot
    list_display = ("slug", "game", "owner", "created_at", "banned")
    list_filter = ("game",)
    search_fields = ("slug", "owner__username")
    list_select_related = ("owner",)
    fields = ("slug", "game", "owner", "created_at", "banned")


class VersionRows(Rows):
    """Admin list of versions."""

    model_shown = BotVersion
    list_display = ("bot", "number", "status", "reason", "uploaded_at", "size")
    list_filter = ("status",)
    search_fields = ("bot__slug", "bot__owner__username")
    list_select_related = ("bot", "package")
    ordering = ("-uploaded_at",)
    fields = ("bot", "number", "package", "status", "reason", "uploaded_at", "tried_at")

    def size(self, version: BotVersion) -> int:
        """Return the unpacked size in bytes."""
        return version.package.size


class QuotaRows(Rows):
    """Admin list of authors with individual quotas."""

    model_shown = Quota
    list_display = ("person", *MOST_OF)
    search_fields = ("person__username",)
    list_select_related = ("person",)
