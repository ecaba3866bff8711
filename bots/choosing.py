"""Activation of a bot's version: the newest active one plays, unless the author activates an older one."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext

from bots.models import Bot, BotVersion
from bots.version_queries import find_own

Status = BotVersion.Status


class NotChosen(Exception):
    """Raised for a version that cannot play; the message gives its status."""


@transaction.atomic
def activate(user_id: int, slug: str, number: int) -> BotVersion:
    """Activate a version; later active versions rest until they are activated themselves.

    A version finishes the matches and leagues it has begun. Raises BotVersion.DoesNotExist, NotAnAuthor and
    NotChosen.
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
