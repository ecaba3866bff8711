"""Bots that are banned, themselves or with their owner: none of their versions is active, and none waits for a trial.

So whatever asks for active versions asks for no banned one. What a version was is known by its reason, and comes back
when the ban is lifted.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from bots.models import Bot, BotVersion
from people.bans import CannotBan

Status = BotVersion.Status
BEGINNING = "banned: "
"""What a version's reason begins with that was taken out by a ban."""
PAUSED = {Status.TRIAL: Status.REFUSED, Status.ACTIVE: Status.RETIRED}


def banned_bots() -> QuerySet[Bot]:
    """Return the bots that are banned, or whose owner is."""
    return Bot.objects.filter(~Q(banned="") | Q(owner__ban__isnull=False))


def why_banned(bot: Bot) -> str:
    """Return why a bot, or its owner, is banned; empty where neither is."""
    return bot.banned or str(getattr(getattr(bot.owner, "ban", None), "why", ""))


def bar(bots: QuerySet[Bot], why: str) -> None:
    """Take the versions of these bots out: trials that wait, or are played, are refused, what is active is retired."""
    for was, becomes in PAUSED.items():
        BotVersion.objects.filter(bot__in=bots, status=was).update(status=becomes, reason=BEGINNING + why)


def readmit(bots: QuerySet[Bot]) -> bool:
    """Bring back what a ban took out of these bots, but of those that are still banned; tells whether a trial waits."""
    rows = BotVersion.objects.filter(bot__in=bots, reason__startswith=BEGINNING)
    rows = rows.exclude(bot__in=banned_bots())
    back = {becomes: was for was, becomes in PAUSED.items()}
    found = {status: rows.filter(status=status).update(status=was, reason="") for status, was in back.items()}
    return found[Status.REFUSED] > 0


def bar_author(owner: User, why: str) -> None:
    """Take out all that is somebody's own."""
    bar(Bot.objects.filter(owner=owner), why)


def readmit_author(owner: User) -> bool:
    """Bring back all that is somebody's own; tells whether a trial waits."""
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
    """End a bot's ban; return its owner, and whether a trial waits. Raises CannotBan. Call it in a transaction."""
    bot = _locked(slug)
    if not bot.banned:
        raise CannotBan(gettext("%(slug)s is not banned") % {"slug": slug})
    bot.banned = ""
    bot.save(update_fields=("banned",))
    return bot.owner, readmit(Bot.objects.filter(pk=bot.pk))


def list_banned() -> list[int]:
    """Return the numbers of the bots that are banned, or whose owner is."""
    return list(banned_bots().values_list("pk", flat=True))


def _locked(slug: str) -> Bot:
    bot = Bot.objects.select_for_update(of=("self",)).select_related("owner").filter(slug=slug).first()
    if bot is None:
        raise CannotBan(gettext("there is no bot %(slug)r") % {"slug": slug[:60]})
    return bot
