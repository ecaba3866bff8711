"""Teams: the owner of a bot and the co-authors who share it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from bots.models import Bot, CoAuthor
from bots.team_models import FormerMember

MOST = 10
"""Maximum number of co-authors of a bot, including invited ones."""
FORMER_MEMBER_DAYS = 90
"""Days for which a former member still counts as a party to the bot, so that nobody leaves to approve a result and
comes back."""


class NotShared(Exception):
    """Raised if a team's rules forbid an action; the message gives the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a team."""

    name: str
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A bot's team, as one of its members sees it."""

    bot: str
    owner: str
    members: list[Member]
    owns: bool
    """True if the reader owns the bot."""
    invited: bool
    """True if the reader was invited, and has not accepted."""
    challenged: bool
    """True if others may challenge the bot."""


def bots_of(user_id: int) -> QuerySet[Bot]:
    """Return the bots that a person owns or shares."""
    shared = CoAuthor.objects.filter(person=user_id, accepted_at__isnull=False).values("bot")
    return Bot.objects.filter(Q(owner=user_id) | Q(pk__in=shared))


def bots_with_interest(user_id: int) -> QuerySet[Bot]:
    """Return the bots in which a person has an interest: those they share, and those they shared recently."""
    since = timezone.now() - timedelta(days=FORMER_MEMBER_DAYS)
    former = FormerMember.objects.filter(person=user_id, left_at__gt=since).values("bot")
    return Bot.objects.filter(Q(pk__in=bots_of(user_id)) | Q(pk__in=former))


def is_author(user_id: int | None, slug: str) -> bool:
    """Return True if a person is an author of a bot; `user_id` None is a visitor."""
    return user_id is not None and bots_of(user_id).filter(slug=slug).exists()


def read_team(person: User, slug: str) -> Team:
    """Return the team of a bot; raises Bot.DoesNotExist, also for a person who is neither member nor invited."""
    bot = Bot.objects.select_related("owner").filter(slug=slug).first()
    rows = list(bot.co_authors.select_related("person").order_by("pk")) if bot else []
    mine = next((row for row in rows if row.person == person), None)
    if bot is None or (bot.owner != person and mine is None):
        raise Bot.DoesNotExist(gettext("you share no bot %(slug)r") % {"slug": slug[:60]})
    return Team(
        bot=bot.slug,
        owner=bot.owner.get_username(),
        members=[Member(name=row.person.get_username(), accepted=row.accepted_at is not None) for row in rows],
        owns=bot.owner == person,
        invited=mine is not None and mine.accepted_at is None,
        challenged=bot.challenged,
    )


def take_challenges(person: User, slug: str, *, take: bool) -> None:
    """Set if others may challenge a bot; raises NotShared for a person who is not an author."""
    if not bots_of(person.pk).filter(slug=slug).update(challenged=take):
        raise NotShared(gettext("only its authors say whether %(slug)s is challenged") % {"slug": slug[:60]})


def list_invited(person: User) -> list[str]:
    """Return the names of the bots that a person was invited to share."""
    rows = CoAuthor.objects.filter(person=person, accepted_at=None).order_by("pk")
    return list(rows.values_list("bot__slug", flat=True))


@transaction.atomic
def share(owner: User, slug: str, name: str) -> None:
    """Invite an author to share a bot; raises NotShared."""
    bot = Bot.objects.select_for_update().filter(slug=slug, owner=owner).first()
    if bot is None:
        raise NotShared(gettext("only its owner shares %(slug)s") % {"slug": slug[:60]})
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None or person == owner:
        raise NotShared(gettext("there is no other author called %(name)r") % {"name": name[:60]})
    if bot.co_authors.count() >= MOST:
        raise NotShared(gettext("%(slug)s has %(most)s co-authors; take one out first") % {"slug": slug, "most": MOST})
    if not CoAuthor.objects.get_or_create(bot=bot, person=person)[1]:
        raise NotShared(gettext("%(name)s was invited already") % {"name": name})


def accept(person: User, slug: str) -> None:
    """Accept an invitation to share a bot; raises NotShared."""
    waiting = CoAuthor.objects.filter(bot__slug=slug, person=person, accepted_at=None)
    if not waiting.update(accepted_at=timezone.now()):
        raise NotShared(gettext("nobody waits for you to share %(slug)s") % {"slug": slug[:60]})


def part(person: User, slug: str, name: str) -> None:
    """Remove a co-author from a team; the owner or the co-author may do so. Raises NotShared."""
    rows = CoAuthor.objects.filter(bot__slug=slug, person__username=name)
    if not end_memberships(rows.filter(Q(bot__owner=person) | Q(person=person))):
        raise NotShared(
            gettext("you cannot take %(name)r out of the team of %(slug)s") % {"name": name[:60], "slug": slug[:60]}
        )


@transaction.atomic
def end_memberships(rows: QuerySet[CoAuthor]) -> int:
    """Delete co-authors, and store those who had accepted as former members; returns the number deleted."""
    now = timezone.now()
    former = [
        FormerMember(bot_id=row.bot_id, person_id=row.person_id, left_at=now)
        for row in rows.filter(accepted_at__isnull=False)
    ]
    FormerMember.objects.bulk_create(
        former, update_conflicts=True, unique_fields=("bot", "person"), update_fields=("left_at",)
    )
    return rows.delete()[0]


def owner_of(slug: str, author: User) -> User:
    """Return the owner of a bot that an author shares; for any other name, the author."""
    bot = bots_of(author.pk).select_related("owner").filter(slug=slug).first()
    return bot.owner if bot else author


def list_members(bot_ids: Collection[int]) -> dict[int, frozenset[int]]:
    """Return the primary keys of each bot's owner and co-authors, by bot."""
    owners = dict(Bot.objects.filter(pk__in=bot_ids).values_list("pk", "owner_id"))
    shared = CoAuthor.objects.filter(bot__in=bot_ids, accepted_at__isnull=False).values_list("bot_id", "person_id")
    found: dict[int, set[int]] = {bot: {owner} for bot, owner in owners.items()}
    for bot, person in shared:
        found[bot].add(person)
    return {bot: frozenset(people) for bot, people in found.items()}
