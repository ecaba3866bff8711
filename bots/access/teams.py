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
from bots.models.teams import FormerMember

MAX_CO_AUTHORS = 10
"""Maximum number of co-authors of a bot, including invited people."""
FORMER_MEMBER_DAYS = 90
"""Days for which a former co-author of a bot still has a conflict of interest.

Otherwise a judge of a league could leave a bot's team, decide about the bot's match, and join the team again.
"""


class InvalidTeamActionError(Exception):
    """Raised for an action that the rules of teams forbid; the message gives the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotAuthorTeamMember:
    """A co-author of a bot; `accepted` is False while the invitation is open."""

    name: str
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BotAuthorTeam:
    """Owner and co-authors of a bot, limited to what the given person may see."""

    bot: str
    owner: str
    members: list[BotAuthorTeamMember]
    owns: bool
    """True if the reader owns the bot."""
    invited: bool
    """True if the reader was invited, and has not accepted."""
    challenged: bool
    """True if others may challenge the bot (order matches against it)."""


def bots_of(user_id: int) -> QuerySet[Bot]:
    """Return the bots that a person owns, or shares as a co-author who accepted the invitation."""
    shared = CoAuthor.objects.filter(person=user_id, accepted_at__isnull=False).values("bot")
    return Bot.objects.filter(Q(owner=user_id) | Q(pk__in=shared))


def bots_with_interest(user_id: int) -> QuerySet[Bot]:
    """Return the bots that a person owns, co-authors, or co-authored in the last `FORMER_MEMBER_DAYS` days.

    The person has a conflict of interest in the matches of these bots.
    """
    since = timezone.now() - timedelta(days=FORMER_MEMBER_DAYS)
    former = FormerMember.objects.filter(person=user_id, left_at__gt=since).values("bot")
    return Bot.objects.filter(Q(pk__in=bots_of(user_id)) | Q(pk__in=former))


def is_author(user_id: int | None, slug: str) -> bool:
    """Return True if a person is the owner of a bot, or a co-author who accepted the invitation."""
    return user_id is not None and bots_of(user_id).filter(slug=slug).exists()


def read_team(person: User, slug: str) -> BotAuthorTeam:
    """Return a bot's owner and co-authors. Raises Bot.DoesNotExist if the person may not see them."""
    bot = Bot.objects.select_related("owner").filter(slug=slug).first()
    co_authors = list(bot.co_authors.select_related("person").order_by("pk")) if bot else []
    own_membership = next((co_author for co_author in co_authors if co_author.person == person), None)
    if bot is None or (bot.owner != person and own_membership is None):
        raise Bot.DoesNotExist(gettext("you share no bot %(slug)r") % {"slug": slug[:60]})
    return BotAuthorTeam(
        bot=bot.slug,
        owner=bot.owner.get_username(),
        members=[
            BotAuthorTeamMember(name=co_author.person.get_username(), accepted=co_author.accepted_at is not None)
            for co_author in co_authors
        ],
        owns=bot.owner == person,
        invited=own_membership is not None and own_membership.accepted_at is None,
        challenged=bot.challenged,
    )


def allow_challenges(person: User, slug: str, *, allowed: bool) -> None:
    """Allow or forbid that other people challenge a bot (order matches against it).

    Raises InvalidTeamActionError unless the person is an author.
    """
    if not bots_of(person.pk).filter(slug=slug).update(challenged=allowed):
        raise InvalidTeamActionError(
            gettext("only its authors say whether %(slug)s is challenged") % {"slug": slug[:60]}
        )


def list_invitations(person: User) -> list[str]:
    """Return the names of the bots that a person was invited to share."""
    invitations = CoAuthor.objects.filter(person=person, accepted_at=None).order_by("pk")
    return list(invitations.values_list("bot__slug", flat=True))


@transaction.atomic
def invite_co_author(owner: User, slug: str, name: str) -> None:
    """Invite a person to share a bot. Raises InvalidTeamActionError if this is not possible."""
    bot = Bot.objects.select_for_update().filter(slug=slug, owner=owner).first()
    if bot is None:
        raise InvalidTeamActionError(gettext("only its owner shares %(slug)s") % {"slug": slug[:60]})
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None or person == owner:
        raise InvalidTeamActionError(gettext("there is no other author called %(name)r") % {"name": name[:60]})
    if bot.co_authors.count() >= MAX_CO_AUTHORS:
        raise InvalidTeamActionError(
            gettext("%(slug)s has %(most)s co-authors; take one out first") % {"slug": slug, "most": MAX_CO_AUTHORS}
        )
    if not CoAuthor.objects.get_or_create(bot=bot, person=person)[1]:
        raise InvalidTeamActionError(gettext("%(name)s was invited already") % {"name": name})


def accept_invitation(person: User, slug: str) -> None:
    """Accept an invitation to share a bot; raises InvalidTeamActionError if the person has no open invitation."""
    invitation = CoAuthor.objects.filter(bot__slug=slug, person=person, accepted_at=None)
    if not invitation.update(accepted_at=timezone.now()):
        raise InvalidTeamActionError(gettext("nobody waits for you to share %(slug)s") % {"slug": slug[:60]})


def remove_co_author(person: User, slug: str, name: str) -> None:
    """Remove a co-author; raises InvalidTeamActionError unless `person` owns the bot or is the co-author `name`."""
    co_authors = CoAuthor.objects.filter(bot__slug=slug, person__username=name)
    if not end_memberships(co_authors.filter(Q(bot__owner=person) | Q(person=person))):
        raise InvalidTeamActionError(
            gettext("you cannot take %(name)r out of the team of %(slug)s") % {"name": name[:60], "slug": slug[:60]}
        )


@transaction.atomic
def end_memberships(co_authors: QuerySet[CoAuthor]) -> int:
    """Remove the given co-authors from their teams. Return the number of deleted rows."""
    # Those who had accepted become former members: they keep a conflict of interest for some time.
    now = timezone.now()
    former = [
        FormerMember(bot_id=co_author.bot_id, person_id=co_author.person_id, left_at=now)
        for co_author in co_authors.filter(accepted_at__isnull=False)
    ]
    FormerMember.objects.bulk_create(
        former, update_conflicts=True, unique_fields=("bot", "person"), update_fields=("left_at",)
    )
    return co_authors.delete()[0]


def find_quota_owner(slug: str, author: User) -> User:
    """Return the user whose quotas apply to an upload by `author`.

    This is the owner of the bot `slug` if `author` is one of its authors, and otherwise `author`.
    """
    # A later check refuses an upload to a bot of other people.
    bot = bots_of(author.pk).select_related("owner").filter(slug=slug).first()
    return bot.owner if bot else author


def list_members(bot_ids: Collection[int]) -> dict[int, frozenset[int]]:
    """Return the user ids of each bot's owner and co-authors, by bot id."""
    owners = dict(Bot.objects.filter(pk__in=bot_ids).values_list("pk", "owner_id"))
    shared = CoAuthor.objects.filter(bot__in=bot_ids, accepted_at__isnull=False).values_list("bot_id", "person_id")
    member_ids: dict[int, set[int]] = {bot: {owner} for bot, owner in owners.items()}
    for bot, person in shared:
        member_ids[bot].add(person)
    return {bot: frozenset(people) for bot, people in member_ids.items()}
