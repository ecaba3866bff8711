"""Bans of bots, individually or with their owner: a banned bot has no active version and no pending trial match.

Code that selects active versions therefore never selects a version of a banned bot. A ban changes the status of
versions and marks them in their field `reason`. At the end of the ban the marked versions get their status back.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from bots.models import Bot, BotVersion
from people.person_bans import BanChangeRefusedError

Status = BotVersion.Status
REASON_PREFIX = "banned: "
"""Prefix of `BotVersion.reason` in versions whose status a ban changed."""
STATUS_UNDER_BAN = {Status.TRIAL: Status.REFUSED, Status.ACTIVE: Status.RETIRED}


def banned_bots() -> QuerySet[Bot]:
    """Return the bots that are banned, individually or because their owner is banned."""
    return Bot.objects.filter(~Q(banned="") | Q(owner__ban__isnull=False))


def describe_ban(bot: Bot) -> str:
    """Return a message that a bot is banned, with the reason; empty if neither the bot nor its owner is banned."""
    why = bot.banned or str(getattr(getattr(bot.owner, "ban", None), "why", ""))
    return gettext("%(slug)s is banned: %(why)s; ask the organisers") % {"slug": bot.slug, "why": why} if why else ""


def exclude_bots(bots: QuerySet[Bot], why: str) -> None:
    """Take bots out of play: refuse versions whose trial match is pending or running, and retire active versions."""
    for old_status, new_status in STATUS_UNDER_BAN.items():
        BotVersion.objects.filter(bot__in=bots, status=old_status).update(status=new_status, reason=REASON_PREFIX + why)


def readmit_bots(bots: QuerySet[Bot]) -> bool:
    """Undo the effect of a ban: give the versions of these bots the status that they had before it.

    A bot that is still banned, itself or through its owner, is skipped. Return True if a restored version now waits for
    its trial match; the caller must then enqueue the trial.
    """
    excluded = BotVersion.objects.filter(bot__in=bots, reason__startswith=REASON_PREFIX)
    excluded = excluded.exclude(bot__in=banned_bots())
    restored_status = {new_status: old_status for old_status, new_status in STATUS_UNDER_BAN.items()}
    restored_counts = {
        status: excluded.filter(status=status).update(status=old_status, reason="")
        for status, old_status in restored_status.items()
    }
    return restored_counts[Status.REFUSED] > 0


def exclude_author_bots(owner: User, why: str) -> None:
    """Take all bots of an owner out of play."""
    exclude_bots(Bot.objects.filter(owner=owner), why)


def readmit_author_bots(owner: User) -> bool:
    """Undo the effect of a ban on an owner's bots; return True if a restored version now waits for its trial match."""
    return readmit_bots(Bot.objects.filter(owner=owner))


def ban_bot(slug: str, why: str) -> User:
    """Ban a bot and return its owner. Requires a transaction.

    Raises BanChangeRefusedError if the bot does not exist or is already banned.
    """
    bot = _lock_bot(slug)
    if bot.banned:
        raise BanChangeRefusedError(
            gettext("%(slug)s is banned already: %(banned)s") % {"slug": slug, "banned": bot.banned}
        )
    bot.banned = why
    bot.save(update_fields=("banned",))
    exclude_bots(Bot.objects.filter(pk=bot.pk), why)
    return bot.owner


def unban_bot(slug: str) -> tuple[User, bool]:
    """End a bot's ban; return (the bot's owner, True if a restored version waits for its trial match).

    Raises BanChangeRefusedError if the bot does not exist or has no ban of its own. Requires a transaction.
    """
    bot = _lock_bot(slug)
    if not bot.banned:
        raise BanChangeRefusedError(gettext("%(slug)s is not banned") % {"slug": slug})
    bot.banned = ""
    bot.save(update_fields=("banned",))
    return bot.owner, readmit_bots(Bot.objects.filter(pk=bot.pk))


def list_banned() -> list[int]:
    """Return the primary keys of the bots that are banned, individually or because their owner is banned."""
    return list(banned_bots().values_list("pk", flat=True))


def _lock_bot(slug: str) -> Bot:
    bot = Bot.objects.select_for_update(of=("self",)).select_related("owner").filter(slug=slug).first()
    if bot is None:
        raise BanChangeRefusedError(gettext("there is no bot %(slug)r") % {"slug": slug[:60]})
    return bot
