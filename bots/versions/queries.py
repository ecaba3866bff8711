"""Read queries about versions of bots, most of them for many bots at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Exists, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from bots.access.teams import bots_of, is_author
from bots.bot_bans import MAX_INTERRUPTION, ON_TRIAL
from bots.models import Bot, BotVersion

LISTED_STATUSES = (BotVersion.Status.ACTIVE, BotVersion.Status.RETIRED)
"""Statuses of versions that passed their trial, except resting versions."""
NOT_AN_AUTHOR_MESSAGE = gettext_noop("%(slug)s is somebody else's bot; its authors enter it")


class NotAnAuthorError(Exception):
    """Raised for an action that is reserved to the authors of a bot."""


def find_newest(version_ids: Collection[int], languages: Collection[str] = ()) -> dict[int, BotVersion]:
    """Return a dict from each given version id to the newest active version of the same bot.

    Ids whose bot has no active version are left out.
    """
    # If `languages` is not empty, only versions written in one of these languages count.
    bots = dict(BotVersion.objects.filter(pk__in=version_ids).values_list("pk", "bot_id"))
    active = BotVersion.objects.filter(bot__in=set(bots.values()), status=BotVersion.Status.ACTIVE)
    if languages:
        active = active.filter(package__command__0__in=languages)
    newest = {row.bot_id: row for row in active.select_related("bot").order_by("bot_id", "-number").distinct("bot_id")}
    return {version: newest[bot] for version, bot in bots.items() if bot in newest}


def find_newest_active_of(slugs: Collection[str]) -> dict[str, BotVersion]:
    """Return the newest active version of each bot, by bot name. Bots without one are left out."""
    active = BotVersion.objects.filter(bot__slug__in=slugs, status=BotVersion.Status.ACTIVE)
    newest = active.select_related("bot__owner", "package").order_by("bot_id", "-number").distinct("bot_id")
    return {version.bot.slug: version for version in newest}


def select_slugs() -> QuerySet[Bot, str]:
    """Return a query for the names of bots with an active or retired version, the newest bot first."""
    # Bots that represent people who play in the browser are left out.
    accepted = BotVersion.objects.filter(bot=OuterRef("pk"), status__in=LISTED_STATUSES)
    listed = Bot.objects.filter(Exists(accepted)).exclude(kind=Bot.Kind.PERSON)
    return listed.order_by("-pk").values_list("slug", flat=True)


def list_own(user_id: int, game: str) -> dict[str, list[BotVersion]]:
    """Map each bot of a game that a user owns or co-authors to its versions, the newest first."""
    versions_by_bot: dict[str, list[BotVersion]] = {}
    own_versions = BotVersion.objects.filter(bot__in=bots_of(user_id), bot__game=game).select_related(
        "bot__owner", "package"
    )
    for version in own_versions.order_by("bot__slug", "-number"):
        versions_by_bot.setdefault(version.bot.slug, []).append(version)
    return versions_by_bot


def find_own(user_id: int, slug: str, number: int | None = None) -> BotVersion:
    """Return version `number` of the user's bot `slug`, or its newest active version if `number` is None.

    Raises BotVersion.DoesNotExist, or NotAnAuthorError if the user is neither the bot's owner nor a co-author.
    """
    if not is_author(user_id, slug):
        if Bot.objects.filter(slug=slug).exists():
            raise NotAnAuthorError(gettext(NOT_AN_AUTHOR_MESSAGE) % {"slug": slug})
        raise BotVersion.DoesNotExist(gettext("there is no bot %(slug)r") % {"slug": slug[:60]})
    versions = BotVersion.objects.filter(bot__slug=slug).select_related("bot__owner", "package").order_by("-number")
    matching = versions.filter(number=number) if number else versions.filter(status=BotVersion.Status.ACTIVE)
    if (version := matching.first()) is None:
        raise BotVersion.DoesNotExist(
            gettext("%(slug)s has no version %(number)s") % {"slug": slug, "number": number}
            if number
            else gettext("no version of %(slug)s is active") % {"slug": slug}
        )
    return version


@dataclass(frozen=True, slots=True)
class BotVersionPrimaryKeys:
    """Primary key and number of a version, the primary key of its bot, and whether it is active."""

    id: int
    bot_id: int
    number: int
    is_active: bool


def find_bot_ids(slugs: Collection[str]) -> dict[str, int]:
    """Return the ids of bots by name. Raises Bot.DoesNotExist if a name is unknown."""
    with connection.cursor() as cursor:  # one array parameter: thousands of parameters are slow
        cursor.execute("SELECT slug, id FROM bots_bot WHERE slug = ANY(%s)", [list(slugs)])
        bot_ids: dict[str, int] = dict(cursor.fetchall())
    if missing := set(slugs) - bot_ids.keys():
        raise Bot.DoesNotExist(gettext("there is no bot %(slug)r") % {"slug": min(missing)})
    return bot_ids


def find_slugs(version_ids: Collection[int]) -> dict[int, str]:
    """Map each of the given version ids to the present name of its bot."""
    with connection.cursor() as cursor:  # one array parameter: thousands of parameters are slow
        cursor.execute(
            "SELECT v.id, b.slug FROM bots_botversion v JOIN bots_bot b ON b.id = v.bot_id WHERE v.id = ANY(%s)",
            [list(version_ids)],
        )
        return dict(cursor.fetchall())


def select_bot(slug: str) -> Subquery:
    """Return a subquery for the primary key of the bot `slug`."""
    return Subquery(Bot.objects.filter(slug=slug).values("pk")[:1])


def select_version(slug: str, number: int) -> Subquery:
    """Return a subquery for the primary key of version `number` of the bot `slug`."""
    return Subquery(BotVersion.objects.filter(bot__slug=slug, number=number).values("pk")[:1])


def list_versions(version_ids: Collection[int]) -> list[BotVersionPrimaryKeys]:
    """Return the versions with the given primary keys, ordered by the bot's name and then by number."""
    versions = BotVersion.objects.filter(pk__in=version_ids).order_by("bot__slug", "number")
    rows = versions.values_list("pk", "bot_id", "number", "status")
    return [BotVersionPrimaryKeys(pk, bot, number, at == BotVersion.Status.ACTIVE) for pk, bot, number, at in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewestActiveBotVersion:
    """Id and number of a bot's newest active version, and the ids of the bot and its owner."""

    id: int
    number: int
    bot_id: int
    owner_id: int


def list_newest_active(game: str) -> list[NewestActiveBotVersion]:
    """Return the newest active version of each uploaded (not remote) bot of a game."""
    uploaded_bots = Bot.objects.filter(game=game, kind=Bot.Kind.UPLOADED)
    active = BotVersion.objects.filter(bot__in=uploaded_bots, status=BotVersion.Status.ACTIVE)
    newest = active.order_by("bot_id", "-number").distinct("bot_id")
    return [
        NewestActiveBotVersion(id=version, number=number, bot_id=bot, owner_id=owner)
        for version, number, bot, owner in newest.values_list("pk", "number", "bot_id", "bot__owner_id")
    ]


def are_on_trial(version_ids: Collection[int]) -> bool:
    """Return True if the trial match of any of the given versions is still pending or running."""
    return BotVersion.objects.filter(pk__in=version_ids, status=BotVersion.Status.TRIAL).exists()


def list_active(version_ids: Sequence[int]) -> list[BotVersion]:
    """Return those of the given versions that are active, in the given order."""
    active = BotVersion.objects.filter(status=BotVersion.Status.ACTIVE).select_related("bot").in_bulk(version_ids)
    return [active[version_id] for version_id in version_ids if version_id in active]


def read_trial_age() -> float:
    """Return the age in seconds of the oldest upload that waits for its trial match; 0 if none waits."""
    oldest = BotVersion.objects.filter(status=BotVersion.Status.TRIAL).aggregate(at=Min("uploaded_at"))["at"]
    return max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicTrialMatchResult:
    """The public result of a version's trial match."""

    id: int
    bot_id: int
    bot: str
    game: str
    number: int
    had_trial: bool  # a remote bot has none, and passes
    passed: bool
    reason: str
    first: bool
    """True if this is the first version of the bot that passed its trial."""
    owner_id: int
    owner: str
    """Username of the bot's owner."""


@dataclass(frozen=True, slots=True)
class RecentBotSummary:
    """A bot in the list of new bots."""

    name: str
    author: str
    game: str
    at: datetime
    """Upload time of the bot's first active or retired version."""


def find_author(name: str) -> int | None:
    """Return the id of the user `name` if a bot of this user has an active or retired version, else None."""
    owners = Bot.objects.filter(owner__username=name, versions__status__in=LISTED_STATUSES)
    return owners.values_list("owner_id", flat=True).first()


def list_new_bots(author: str, limit: int) -> list[RecentBotSummary]:
    """Return the newest bots of an author, or of all authors if `author` is empty; at most `limit`."""
    # Only bots with an active or retired version, and no people who play by hand.
    whose = {"owner__username": author} if author else {}
    rows = Bot.objects.filter(versions__status__in=LISTED_STATUSES, **whose).exclude(kind=Bot.Kind.PERSON)
    rows = rows.annotate(at=Min("versions__uploaded_at"))
    newest = rows.select_related("owner").order_by("-at", "-pk")[:limit]
    return [RecentBotSummary(bot.slug, bot.owner.get_username(), bot.game, vars(bot)["at"]) for bot in newest]


def list_trial_results(after: int, skipped: Collection[int], limit: int) -> list[PublicTrialMatchResult]:
    """Return the results of at most `limit` finished trial matches, in order of the version ids.

    Includes only versions whose id is greater than `after` and not in `skipped`.
    """
    earlier = BotVersion.objects.filter(bot=OuterRef("bot"), number__lt=OuterRef("number"), status__in=LISTED_STATUSES)
    decided = BotVersion.objects.filter(~ON_TRIAL, pk__gt=after).exclude(pk__in=skipped)
    programs = decided.exclude(bot__kind=Bot.Kind.PERSON).select_related("bot__owner")
    return [
        PublicTrialMatchResult(
            id=version.pk,
            bot_id=version.bot_id,
            bot=version.bot.slug,
            game=version.bot.game,
            number=version.number,
            had_trial=version.bot.kind == Bot.Kind.UPLOADED,
            passed=version.status != BotVersion.Status.REFUSED,
            reason=version.reason,
            first=version.status in LISTED_STATUSES and not vars(version)["passed_before"],
            owner_id=version.bot.owner_id,
            owner=version.bot.owner.get_username(),
        )
        for version in programs.annotate(passed_before=Exists(earlier)).order_by("pk")[:limit]
    ]


def find_last_decided_key(at: datetime) -> int:
    """Return the highest version id that is lower than the ids of all versions on trial; 0 if there is none."""
    # A reader of results never needs ids up to this one again. Only versions uploaded before `at` count.
    can_continue = Q(status=BotVersion.Status.TRIAL) | Q(uploaded_at__gt=at - MAX_INTERRUPTION)
    waiting = BotVersion.objects.filter(ON_TRIAL, can_continue).aggregate(first=Min("pk"))["first"]
    settled = BotVersion.objects.filter(uploaded_at__lt=at, **({} if waiting is None else {"pk__lt": waiting}))
    return settled.aggregate(last=Max("pk"))["last"] or 0
