"""Activation of bot versions by authors. A bot plays with its newest active version."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from bots.bot_bans import describe_ban
from bots.models import Bot, BotVersion
from bots.versions.queries import find_own

Status = BotVersion.Status


class BotVersionActivationError(Exception):
    """Raised if a bot version cannot be activated."""


@transaction.atomic
def activate_version(user_id: int, slug: str, number: int) -> BotVersion:
    """Activate a bot version, and give all newer active versions of the bot the status "resting".

    Raises BotVersion.DoesNotExist, NotAnAuthorError for a bot of other authors, or BotVersionActivationError if the bot
    is banned, or if the version is on trial, refused or retired.
    """
    # Resting versions still finish the leagues and matches in which they already play.
    _lock(slug, number)
    version = find_own(user_id, slug, number)
    if refusal := describe_ban(version.bot):
        raise BotVersionActivationError(refusal)
    if version.status not in (Status.ACTIVE, Status.RESTING):
        raise BotVersionActivationError(
            gettext("%(slug)s version %(number)s is %(status)s; only what passed its trial plays")
            % {"slug": slug, "number": number, "status": gettext(version.get_status_display())}
        )
    BotVersion.objects.filter(bot=version.bot_id, number__gt=number, status=Status.ACTIVE).update(status=Status.RESTING)
    BotVersion.objects.filter(pk=version.pk).update(status=Status.ACTIVE)
    version.refresh_from_db()
    return version


def _lock(slug: str, number: int) -> None:
    """Lock the database rows of a bot's owner, the bot, and one of its versions."""
    # Bans and retirements wait until this transaction ends. The order is that of bans. The owner's lock is weak: staff
    # actions insert rows that refer to the owner, and must not wait for it while they hold the bot or a version.
    own_bot = Bot.objects.filter(slug=slug)
    for owner in own_bot.values_list("owner_id", flat=True):
        User.objects.select_for_update(no_key=True).get(pk=owner)
    own_bot.select_for_update().first()
    BotVersion.objects.select_for_update(of=("self",)).filter(bot__slug=slug, number=number).first()
