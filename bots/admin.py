"""Admin pages for bots, bot versions and quotas."""
# Files and logs of trial matches are hidden: only a bot's authors may see them.

from __future__ import annotations

from bots.author_quotas import MAX_QUOTAS
from bots.models import Bot, BotVersion, Quota
from foundation.readonly_admin import ReadOnlyAdmin


class BotAdmin(ReadOnlyAdmin):
    """Admin list of bots."""

    model_shown = Bot
    list_display = ("slug", "game", "owner", "created_at", "banned")
    list_filter = ("game",)
    search_fields = ("slug", "owner__username")
    list_select_related = ("owner",)
    fields = ("slug", "game", "owner", "created_at", "banned")


class BotVersionAdmin(ReadOnlyAdmin):
    """Admin list of bot versions."""

    model_shown = BotVersion
    list_display = ("bot", "number", "status", "reason", "uploaded_at", "size")
    list_filter = ("status",)
    search_fields = ("bot__slug", "bot__owner__username")
    list_select_related = ("bot", "package")
    ordering = ("-uploaded_at",)
    fields = ("bot", "number", "package", "status", "reason", "uploaded_at", "tried_at")

    def size(self, version: BotVersion) -> int:
        """Return the total size of the version's unpacked files in bytes."""
        return version.package.size


class QuotaAdmin(ReadOnlyAdmin):
    """Admin list of authors with individual quotas."""

    model_shown = Quota
    list_display = ("person", *MAX_QUOTAS)
    search_fields = ("person__username",)
    list_select_related = ("person",)
