"""Bans of bots, individually or with their owner: a banned bot has no active version and no pending trial.

Code that selects active versions therefore never selects a banned bot's. The reason of a version records that a ban
changed its status, so that the end of the ban restores it.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from bots.models import Bot, BotVersion
from people.bans import CannotBan

Status = BotVersion.Status
BEGINNING = "banned: "
"""Prefix of the reason of a version whose status was changed by a ban."""
PAUSED = {Status.TRIAL: Status.REFUSED, Status.ACTIVE: Status.RETIRED}


def banned_bots() -> QuerySet[Bot]:
    """Return the bots that are banned themselves or whose owner is."""
    return Bot.objects.filter(~Q(banned="") | Q(owner__ban__isnull=False))


def why_banned(bot: Bot) -> str:
    """Return the reason why a bot or its owner is banned; empty if neither is."""
    return bot.banned or str(getattr(getattr(bot.owner, "ban", None), "why", ""))


def bar(bots: QuerySet[Bot], why: str) -> None:
    """Take these bots out of play: pending and running trials are refused, active versions are retired."""
    for was, becomes in PAUSED.items():
        BotVersion.objects.filter(bot__in=bots, status=was).update(status=becomes, reason=BEGINNING + why)


def readmit(bots: QuerySet[Bot]) -> bool:
    """Restore the versions that a ban took out, except for bots that are still banned.

    Returns True if a trial is pending.
    """
    rows = BotVersion.objects.filter(bot__in=bots, reason__startswith=BEGINNING)
    rows = rows.exclude(bot__in=banned_bots())
    back = {becomes: was for was, becomes in PAUSED.items()}
    found = {status: rows.filter(status=status).update(status=was, reason="") for status, was in back.items()}
    return found[Status.REFUSED] > 0


def bar_author(owner: User, why: str) -> None:
    """Take out all bots of an owner."""
    bar(Bot.objects.filter(owner=owner), why)


def readmit_author(owner: User) -> bool:
    """Restore all bots of an owner; returns True if a trial is pending."""
    return readmit(Bot.objects.filter(owner=owner))


def bar_bot(slug: str, why: str) -> User:
    """Ban a bot and return its owner; raises CannotBan. Call it in a transaction."""
    bot = _locked(slug)
    if bot.banned:
        raise CannotBan(gettext("%(slug)s is banned already: %(banned)s") % {"slug": slug, "banned": bot.banned})
    bot.banned = why
    bot.save(update_fields=("banned",))
    bar(Bot.objects.filter(pk=bot.pk), why)
    return bot.owner


def readmit_bot(slug: str) -> tuple[User, bool]:
    """End a bot's ban; return its owner, and True if a trial is pending.

    Raises CannotBan. Call it in a transaction.
    """
    bot = _locked(slug)
    if not bot.banned:
        raise CannotBan(gettext("%(slug)s is not banned") % {"slug": slug})
    bot.banned = ""
    bot.save(update_fields=("banned",))
    return bot.owner, readmit(Bot.objects.filter(pk=bot.pk))


def list_banned() -> list[int]:
    """Return the primary keys of bots that are banned or whose owner is."""
    return list(banned_bots().values_list("pk", flat=True))


def _locked(slug: str) -> Bot:
    bot = Bot.objects.select_for_update(of=("self",)).select_related("owner").filter(slug=slug).first()
    if bot is None:
        raise CannotBan(gettext("there is no bot %(slug)r") % {"slug": slug[:60]})
    return bot
