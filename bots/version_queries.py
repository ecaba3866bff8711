"""Read queries about many bots and versions at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Max, Min, Subquery
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from bots.models import Bot, BotVersion
from bots.teams import bots_of, is_author

NOT_YOURS = gettext_noop("%(slug)s is somebody else's bot; its authors enter it")


class NotAnAuthor(Exception):
    """Raised for an action that is reserved to the authors of a bot."""


def find_newest(version_ids: Collection[int], languages: Collection[str] = ()) -> dict[int, BotVersion]:
    """Return for each of these versions the newest active one of its bot, limited to `languages` if given."""
    bots = dict(BotVersion.objects.filter(pk__in=version_ids).values_list("pk", "bot_id"))
    active = BotVersion.objects.filter(bot__in=set(bots.values()), status=BotVersion.Status.ACTIVE)
    if languages:
        active = active.filter(package__command__0__in=languages)
    newest = {row.bot_id: row for row in active.select_related("bot").order_by("bot_id", "-number").distinct("bot_id")}
    return {version: newest[bot] for version, bot in bots.items() if bot in newest}


def list_own(user_id: int, game: str) -> dict[str, list[BotVersion]]:
    """Return the versions of a user's own and shared bots of a game, by bot, the newest first."""
    found: dict[str, list[BotVersion]] = {}
    rows = BotVersion.objects.filter(bot__in=bots_of(user_id), bot__game=game).select_related("bot__owner", "package")
    for version in rows.order_by("bot__slug", "-number"):
        found.setdefault(version.bot.slug, []).append(version)
    return found


def find_own(user_id: int, slug: str, number: int | None = None) -> BotVersion:
    """Return a version of a user's own or shared bot, by default the newest active one.

    Raises BotVersion.DoesNotExist with the reason, and NotAnAuthor for a bot of others.
    """
    if not is_author(user_id, slug):
        if Bot.objects.filter(slug=slug).exists():
            raise NotAnAuthor(gettext(NOT_YOURS) % {"slug": slug})
        raise BotVersion.DoesNotExist(gettext("there is no bot %(slug)r") % {"slug": slug[:60]})
    rows = BotVersion.objects.filter(bot__slug=slug).select_related("bot__owner", "package").order_by("-number")
    found = rows.filter(number=number) if number else rows.filter(status=BotVersion.Status.ACTIVE)
    if (version := found.first()) is None:
        raise BotVersion.DoesNotExist(
            gettext("%(slug)s has no version %(number)s") % {"slug": slug, "number": number}
            if number
            else gettext("no version of %(slug)s is active") % {"slug": slug}
        )
    return version


@dataclass(frozen=True, slots=True)
class VersionOf:
    """The bot and number of a version."""

    id: int
    bot_id: int
    number: int


def find_bot_ids(slugs: Collection[str]) -> dict[str, int]:
    """Return the primary keys of these bots by name; raises Bot.DoesNotExist if one is unknown."""
    with connection.cursor() as cursor:  # one array parameter: thousands of parameters are slow
        cursor.execute("SELECT slug, id FROM bots_bot WHERE slug = ANY(%s)", [list(slugs)])
        found: dict[str, int] = dict(cursor.fetchall())
    if missing := set(slugs) - found.keys():
        raise Bot.DoesNotExist(gettext("there is no bot %(number)s") % {"number": min(missing)})
    return found


def select_bot(slug: str) -> Subquery:
    """Return a subquery for the primary key of a bot."""
    return Subquery(Bot.objects.filter(slug=slug).values("pk")[:1])


def select_version(slug: str, number: int) -> Subquery:
    """Return a subquery for the primary key of a version."""
    return Subquery(BotVersion.objects.filter(bot__slug=slug, number=number).values("pk")[:1])


def list_versions(version_ids: Collection[int]) -> list[VersionOf]:
    """Return these versions ordered by the names of the bots, then by number."""
    rows = BotVersion.objects.filter(pk__in=version_ids).order_by("bot__slug", "number")
    return [VersionOf(*row) for row in rows.values_list("pk", "bot_id", "number")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Newest:
    """The newest active version of a bot."""

    id: int
    number: int
    bot_id: int
    owner_id: int


def list_newest_active(game: str) -> list[Newest]:
    """Return the newest active version of every uploaded bot of a game."""
    here = Bot.objects.filter(game=game, kind=Bot.Kind.UPLOADED)
    active = BotVersion.objects.filter(bot__in=here, status=BotVersion.Status.ACTIVE)
    rows = active.order_by("bot_id", "-number").distinct("bot_id")
    return [
        Newest(id=version, number=number, bot_id=bot, owner_id=owner)
        for version, number, bot, owner in rows.values_list("pk", "number", "bot_id", "bot__owner_id")
    ]


def read_trial_age() -> float:
    """Return the seconds since the oldest version on trial was uploaded; 0 if there is none."""
    oldest = BotVersion.objects.filter(status=BotVersion.Status.TRIAL).aggregate(at=Min("uploaded_at"))["at"]
    return max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The public result of a version's trial."""

    id: int
    bot_id: int
    bot: str
    game: str
    number: int
    passed: bool
    reason: str


def list_decided(after: int, told: Collection[int], most: int) -> list[Decided]:
    """Return the versions with a finished trial whose primary keys are greater than `after`, in order.

    Those in `told` are skipped.
    """
    rows = BotVersion.objects.filter(pk__gt=after).exclude(pk__in=told).exclude(status=BotVersion.Status.TRIAL)
    return [
        Decided(
            id=row.pk,
            bot_id=row.bot_id,
            bot=row.bot.slug,
            game=row.bot.game,
            number=row.number,
            passed=row.status != BotVersion.Status.REFUSED,
            reason=row.reason,
        )
        for row in rows.select_related("bot").order_by("pk")[:most]
    ]


def find_settled(at: datetime) -> int:
    """Return the greatest primary key up to which all versions uploaded before `at` have finished their trials.

    Returns 0 if there is none.
    """
    old = BotVersion.objects.filter(uploaded_at__lt=at)
    waiting = BotVersion.objects.filter(status=BotVersion.Status.TRIAL).aggregate(first=Min("pk"))["first"]
    settled = old.filter(pk__lt=waiting) if waiting is not None else old
    return settled.aggregate(last=Max("pk"))["last"] or 0
