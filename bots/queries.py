"""Read queries about bots, for pages and other apps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.fields.json import KT
from django.utils.translation import gettext

from bots.access.teams import bots_of, is_author
from bots.models import Bot, BotPackage, BotVersion
from foundation.keyset_pagination import SortColumn, read_page, read_text

PAGE_SIZE = 50
Status = BotVersion.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class BotVersionListItem:
    """One version of a bot, as shown on the bot's page."""

    id: int
    number: int
    digest: str
    status: str
    uploaded_at: datetime
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BotListItem:
    """Bot in a list, with the number and status of its newest version."""

    # Refused versions do not count.

    slug: str
    owner: str
    game: str
    version: int
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BotProfile:
    """Content of a bot's page."""

    slug: str
    name: str
    owner: str
    game: str
    kind: str
    """Source of the bot's answers, in words: uploaded, remote, or by hand."""
    challenged: bool
    """True if others may challenge the bot (order matches against it)."""
    versions: list[BotVersionListItem]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialMatchReport:
    """Result of a bot version's trial match, as shown to one person."""

    bot_slug: str
    number: int
    kind: str
    status: str
    reason: str
    uploaded_at: datetime
    own: bool
    """True if the reader is an author of the bot."""
    log: str
    """Faults, notes and stderr of the bot; empty unless the reader is an author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorBotListItem:
    """One of an author's bots, with number, status and upload time of its newest version."""

    slug: str
    game: str
    number: int
    status: str
    reason: str
    uploaded_at: datetime


def list_own_bots(user_id: int) -> list[AuthorBotListItem]:
    """Return the uploaded and remote bots of a user, the latest upload first."""
    # Includes shared bots. Bots that represent people who play in the browser have no program and are left out.
    bots = bots_of(user_id).exclude(kind=Bot.Kind.PERSON)
    newest = BotVersion.objects.filter(bot__in=bots).order_by("bot_id", "-number").distinct("bot_id")
    own_bots = [
        AuthorBotListItem(
            slug=version.bot.slug,
            game=version.bot.game,
            number=version.number,
            status=version.status,
            reason=version.reason,
            uploaded_at=version.uploaded_at,
        )
        for version in newest.select_related("bot")
    ]
    return sorted(own_bots, key=lambda own_bot: own_bot.uploaded_at, reverse=True)


def read_trial(slug: str, number: int, user_id: int | None) -> TrialMatchReport:
    """Return the report on a version's trial match, with the log only for an author; raises BotVersion.DoesNotExist."""
    version = BotVersion.objects.select_related("bot").get(bot__slug=slug, number=number)
    own = is_author(user_id, slug)
    log = version.trial_log if own else ""
    return TrialMatchReport(
        bot_slug=slug,
        number=version.number,
        kind=version.bot.kind,
        status=version.status,
        reason=version.reason,
        uploaded_at=version.uploaded_at,
        own=own,
        log=log,
    )


def is_author_of_version(user_id: int | None, version_id: int | str) -> bool:
    """Return True if a user owns or shares the bot of a version."""
    if user_id is None or not str(version_id).isdigit():
        return False
    return BotVersion.objects.filter(pk=version_id, bot__in=bots_of(user_id)).exists()


def read_bot(slug: str) -> BotProfile:
    """Return the content of a bot's page; raises Bot.DoesNotExist."""
    bot = Bot.objects.select_related("owner").prefetch_related("versions").get(slug=slug)
    versions = [
        BotVersionListItem(
            id=version.pk,
            number=version.number,
            digest=version.package_id,
            status=version.status,
            uploaded_at=version.uploaded_at,
            reason=version.reason,
        )
        for version in bot.versions.all()
    ]
    return BotProfile(
        slug=bot.slug,
        name=bot.slug,
        owner=bot.owner.get_username(),
        game=bot.game,
        kind=bot.get_kind_display(),
        challenged=bot.challenged,
        versions=versions,
    )


@dataclass(frozen=True, slots=True)
class BotList:
    """One page of a list of bots."""

    rows: list[BotListItem]
    after: str
    """Cursor for the next page of the list; empty on the last page."""


def _listed_bots() -> QuerySet[Bot]:
    """Return the bots with at least one version that was not refused."""
    versions = BotVersion.objects.exclude(status=Status.REFUSED).order_by("-number")
    of_bot = versions.filter(bot=OuterRef("pk"))
    listed = Bot.objects.filter(Exists(of_bot)).select_related("owner")
    return listed.prefetch_related(Prefetch("versions", versions))


def _language_subquery(*statuses: str, bot: str = "pk") -> Subquery:
    """Return a subquery for a bot's programming language: that of its newest version with one of the `statuses`."""
    # `bot` is the outer query's column with the bot's primary key.
    matching = {"versions__bot": OuterRef(bot), "versions__status__in": statuses}
    newest = BotPackage.objects.filter(**matching).order_by("-versions__number")
    return Subquery(newest.annotate(word=KT("command__0")).values("word")[:1])


def select_language() -> Subquery:
    """Return a subquery for a bot's programming language: that of its newest active or retired version.

    The outer query must have a column `bot` with the bot's primary key.
    """
    return _language_subquery(Status.ACTIVE, Status.RETIRED, bot="bot")


def _newest_language() -> Subquery:
    """Return a subquery for a bot's programming language: that of its newest version that was not refused."""
    return _language_subquery(*(status for status in Status if status != Status.REFUSED))


def list_bots(game: str = "", author: str = "", language: str = "", cursor: str = "", size: int = PAGE_SIZE) -> BotList:
    """Return one page of the bots that match the filters, sorted by name. Raises InvalidCursorError."""
    filters = {"game": game, "owner__username": author, "language": language}
    matching = (
        _listed_bots()
        .annotate(language=_newest_language())
        .filter(Q(**{field: value for field, value in filters.items() if value}))
    )
    piece = read_page(matching, (SortColumn("slug", read_text),), cursor, size)
    newest = [(bot, next(iter(bot.versions.all()))) for bot in piece.rows]
    page = [
        BotListItem(slug=b.slug, owner=b.owner.get_username(), game=b.game, version=v.number, status=v.status)
        for b, v in newest
    ]
    return BotList(page, piece.after)


@dataclass(frozen=True, slots=True)
class BotListFilterChoices:
    """Authors and languages by which the list of bots can be filtered."""

    authors: list[str]
    languages: list[str]


def list_choices() -> BotListFilterChoices:
    """Return all authors and programming languages of the bots that `list_bots` lists without filters."""
    rows = _listed_bots().prefetch_related(None).annotate(language=_newest_language())
    pairs = rows.values_list("owner__username", "language").distinct()
    return BotListFilterChoices(sorted({author for author, _ in pairs}), sorted({word for _, word in pairs if word}))


def list_slugs(limit: int = 500) -> list[str]:
    """Return the names of at most `limit` bots, in alphabetical order, for a form's choice field."""
    return list(Bot.objects.order_by("slug").values_list("slug", flat=True)[:limit])


def bot_exists(slug: str) -> bool:
    """Return True if a bot with the name `slug` exists."""
    return Bot.objects.filter(slug=slug).exists()


def find_newest_active(slug: str) -> BotVersion:
    """Return the newest active version of a bot; raises BotVersion.DoesNotExist if no version is active."""
    versions = BotVersion.objects.filter(bot__slug=slug, status=BotVersion.Status.ACTIVE).select_related("bot")
    newest = versions.order_by("-number").first()
    if newest is None:
        raise BotVersion.DoesNotExist(gettext("no version of a bot %(slug)r is active") % {"slug": slug})
    return newest
