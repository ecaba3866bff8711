"""Bans of single bots or of all bots of one owner."""
# A ban changes the status of versions and marks their field `reason`; its end restores the marked versions. So code
# that selects active versions never selects a banned bot.

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from bots.models import Bot, BotVersion
from people.person_bans import BanChangeRefusedError

Status = BotVersion.Status
REASON_PREFIX = "banned: "
"""Beginning of the reason of each version that a ban has stopped; earlier releases added the reason of the ban."""
PUBLIC_REASON = f"{REASON_PREFIX}ask the organisers"
"""Prefix of `BotVersion.reason` in versions whose status a ban changed."""
ON_TRIAL = Q(status=Status.TRIAL) | Q(status=Status.REFUSED, reason__startswith=REASON_PREFIX)
"""Query condition on `BotVersion`: its trial has no result. A trial that a ban has stopped can continue after it."""
MAX_INTERRUPTION = timedelta(days=90)
"""Time after an upload until which readers of results wait for the end of a ban that has stopped the trial."""
STATUS_UNDER_BAN = {Status.TRIAL: Status.REFUSED, Status.ACTIVE: Status.RETIRED}


def banned_bots() -> QuerySet[Bot]:
    """Return the bots that are banned, individually or because their owner is banned."""
    return Bot.objects.filter(~Q(banned="") | Q(owner__ban__isnull=False))


def describe_ban(bot: Bot) -> str:
    """Return a message that gives the reason for a bot's ban, or an empty string if the bot is not banned."""
    why = bot.banned or str(getattr(getattr(bot.owner, "ban", None), "why", ""))
    return gettext("%(slug)s is banned: %(why)s; ask the organisers") % {"slug": bot.slug, "why": why} if why else ""


def exclude_bots(bots: QuerySet[Bot]) -> None:
    """Stop banned bots from playing: retire their active versions, and refuse their versions on trial."""
    # Everybody can read the reason of a version. The reason of a ban is for the author and for staff.
    for old_status, new_status in STATUS_UNDER_BAN.items():
        BotVersion.objects.filter(bot__in=bots, status=old_status).update(status=new_status, reason=PUBLIC_REASON)


def readmit_bots(bots: QuerySet[Bot]) -> bool:
    """Restore the versions that a ban has stopped. Return True if one of them is on trial again."""
    # Skips bots that are still banned, themselves or through their owner. The caller must enqueue the trial match.
    excluded = BotVersion.objects.filter(bot__in=bots, reason__startswith=REASON_PREFIX)
    excluded = excluded.exclude(bot__in=banned_bots())
    restored_status = {new_status: old_status for old_status, new_status in STATUS_UNDER_BAN.items()}
    restored_counts = {
        status: excluded.filter(status=status).update(status=old_status, reason="")
        for status, old_status in restored_status.items()
    }
    return restored_counts[Status.REFUSED] > 0


def exclude_author_bots(owner: User) -> None:
    """Stop all bots of a banned owner from playing."""
    exclude_bots(Bot.objects.filter(owner=owner))


def readmit_author_bots(owner: User) -> bool:
    """Restore the bots of an owner whose ban has ended. Return True if one of their versions is on trial again."""
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
    exclude_bots(Bot.objects.filter(pk=bot.pk))
    return bot.owner


def unban_bot(slug: str) -> tuple[User, bool]:
    """End a bot's ban. Return the bot's owner and the result of `readmit_bots`.

    Requires a transaction. Raises BanChangeRefusedError if the bot does not exist or is not banned.
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
