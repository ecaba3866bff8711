"""Read queries about bots, for pages and other apps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.fields.json import KT
from django.utils.translation import gettext

from bots.models import Bot, BotVersion, Package
from bots.teams import bots_of, is_author
from foundation.paging import Column, read_text, slice_of

PAGE = 50
Status = BotVersion.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """One version on a bot's page."""

    id: int
    number: int
    digest: str
    status: str
    uploaded_at: datetime
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BotRow:
    """One bot in a list."""

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
    """Kind of the bot as a word: uploaded, remote, by hand."""
    challenged: bool
    """True if others may challenge it."""
    versions: list[VersionRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialReport:
    """Report of a version's trial."""

    bot_slug: str
    number: int
    status: str
    reason: str
    uploaded_at: datetime
    own: bool
    """True if the reader is an author of the bot."""
    log: str
    """Faults, notes and stderr; empty unless the reader is an author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnBot:
    """One of an author's bots, with its newest version."""

    slug: str
    game: str
    number: int
    status: str
    reason: str
    uploaded_at: datetime


def list_own_bots(user_id: int) -> list[OwnBot]:
    """Return the bots that a user owns or shares, the latest upload first."""
    newest = BotVersion.objects.filter(bot__in=bots_of(user_id)).order_by("bot_id", "-number").distinct("bot_id")
    rows = [
        OwnBot(
            slug=v.bot.slug,
            game=v.bot.game,
            number=v.number,
            status=v.status,
            reason=v.reason,
            uploaded_at=v.uploaded_at,
        )
        for v in newest.select_related("bot")
    ]
    return sorted(rows, key=lambda row: row.uploaded_at, reverse=True)


def read_trial(slug: str, number: int, user_id: int | None) -> TrialReport:
    """Return the report of a trial as this user may read it; raises BotVersion.DoesNotExist."""
    version = BotVersion.objects.select_related("bot").get(bot__slug=slug, number=number)
    own = is_author(user_id, slug)
    log = version.trial_log if own else ""
    return TrialReport(
        bot_slug=slug,
        number=version.number,
        status=version.status,
        reason=version.reason,
        uploaded_at=version.uploaded_at,
        own=own,
        log=log,
    )


def owns(user_id: int | None, version_id: int | str) -> bool:
    """Return True if a user is an author of a version."""
    if user_id is None or not str(version_id).isdigit():
        return False
    return BotVersion.objects.filter(pk=version_id, bot__in=bots_of(user_id)).exists()


def read_bot(slug: str) -> BotProfile:
    """Return the content of a bot's page; raises Bot.DoesNotExist."""
    bot = Bot.objects.select_related("owner").prefetch_related("versions").get(slug=slug)
    versions = [
        VersionRow(
            id=v.pk, number=v.number, digest=v.package_id, status=v.status, uploaded_at=v.uploaded_at, reason=v.reason
        )
        for v in bot.versions.all()
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

    rows: list[BotRow]
    after: str
    """Cursor of the next page; empty at the end."""


def _welcome() -> QuerySet[Bot]:
    """Return the bots with at least one version that was not refused."""
    versions = BotVersion.objects.exclude(status=Status.REFUSED).order_by("-number")
    of_bot = versions.filter(bot=OuterRef("pk"))
    listed = Bot.objects.filter(Exists(of_bot)).select_related("owner")
    return listed.prefetch_related(Prefetch("versions", versions))


def _language_by(*statuses: str, bot: str = "pk") -> Subquery:
    """Return a subquery for the language of a bot's newest version with one of these statuses."""
    taken = {"versions__bot": OuterRef(bot), "versions__status__in": statuses}
    newest = Package.objects.filter(**taken).order_by("-versions__number")
    return Subquery(newest.annotate(word=KT("command__0")).values("word")[:1])


def select_language() -> Subquery:
    """Return a subquery for the language of the newest active or retired version, for rows with a `bot`."""
    return _language_by(Status.ACTIVE, Status.RETIRED, bot="bot")


def _language() -> Subquery:
    """Return a subquery for the language of a bot's newest version that was not refused."""
    return _language_by(Status.ACTIVE, Status.TRIAL, Status.RETIRED)


def list_bots(game: str = "", author: str = "", language: str = "", cursor: str = "", size: int = PAGE) -> BotList:
    """List bots by name, each with its newest version that was not refused; raises BadCursor."""
    asked = {"game": game, "owner__username": author, "language": language}
    rows = (
        _welcome().annotate(language=_language()).filter(Q(**{field: value for field, value in asked.items() if value}))
    )
    piece = slice_of(rows, (Column("slug", read_text),), cursor, size)
    newest = [(bot, next(iter(bot.versions.all()))) for bot in piece.rows]
    page = [
        BotRow(slug=b.slug, owner=b.owner.get_username(), game=b.game, version=v.number, status=v.status)
        for b, v in newest
    ]
    return BotList(page, piece.after)


@dataclass(frozen=True, slots=True)
class BotChoices:
    """Values of the filters in the list of bots."""

    authors: list[str]
    languages: list[str]


def list_choices() -> BotChoices:
    """Return the authors of the listed bots, and the languages of their newest versions."""
    rows = _welcome().prefetch_related(None).annotate(language=_language())
    pairs = rows.values_list("owner__username", "language").distinct()
    return BotChoices(sorted({author for author, _ in pairs}), sorted({word for _, word in pairs if word}))


def list_slugs(limit: int = 500) -> list[str]:
    """Return the names of bots for a choice field."""
    return list(Bot.objects.order_by("slug").values_list("slug", flat=True)[:limit])


def bot_exists(slug: str) -> bool:
    """Return True if a bot of that name exists."""
    return Bot.objects.filter(slug=slug).exists()


def find_newest_active(slug: str) -> BotVersion:
    """Return the newest active version of a bot; raises BotVersion.DoesNotExist with the reason."""
    versions = BotVersion.objects.filter(bot__slug=slug, status=BotVersion.Status.ACTIVE).select_related("bot")
    newest = versions.order_by("-number").first()
    if newest is None:
        raise BotVersion.DoesNotExist(gettext("no version of a bot %(slug)r is active") % {"slug": slug})
    return newest


def are_on_trial(version_ids: Collection[int]) -> bool:
    """Return True if any of these versions is still on trial."""
    return BotVersion.objects.filter(pk__in=version_ids, status=Status.TRIAL).exists()


def list_active(version_ids: Sequence[int]) -> list[BotVersion]:
    """Return the active versions among these, in the given order."""
    active = BotVersion.objects.filter(status=Status.ACTIVE).select_related("bot").in_bulk(version_ids)
    return [active[version_id] for version_id in version_ids if version_id in active]
