"""Which version of a bot plays: the newest active one, unless its author brings an older one back."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext

from bots.models import Bot, BotVersion
from bots.version_queries import find_own

Status = BotVersion.Status


class NotChosen(Exception):
    """Raised for a version that cannot play; the message says what it is."""


@transaction.atomic
def activate(user_id: int, slug: str, number: int) -> BotVersion:
    """Let a version be the one that plays: active ones after it rest, until they are activated themselves.

    What a version has begun it ends, and where it stands by its number it stays. Raises BotVersion.DoesNotExist,
    NotAnAuthor and NotChosen.
    """
    Bot.objects.select_for_update().filter(slug=slug).first()
    version = find_own(user_id, slug, number)
    if version.status not in (Status.ACTIVE, Status.RESTING):
        raise NotChosen(
            gettext("%(slug)s version %(number)s is %(status)s; only what passed its trial plays")
            % {"slug": slug, "number": number, "status": gettext(version.get_status_display())}
        )
    BotVersion.objects.filter(bot=version.bot_id, number__gt=number, status=Status.ACTIVE).update(status=Status.RESTING)
    BotVersion.objects.filter(pk=version.pk).update(status=Status.ACTIVE)
    version.refresh_from_db()
    return version
