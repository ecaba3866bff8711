"""Follows: the bots, authors, leagues and games about which a person wants notices."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext, gettext_noop

from bots.queries import bot_exists
from bots.versions.queries import find_author
from foundation.game_titles import games
from ftk_core.games import list_games
from notices.models import Follow, LastSeenLadderLeader, Notice
from tournaments.leagues.queries import find_names, league_exists

MAX_FOLLOWS_PER_PERSON = 200
FOLLOW_KINDS = (gettext_noop("bot"), gettext_noop("author"), gettext_noop("league"), gettext_noop("game"))


class FollowRefusedError(Exception):
    """Raised if the subject to follow does not exist, or the person follows too many."""


@dataclass(frozen=True, slots=True)
class FollowedEntity:
    """A bot, author, league or game that a person follows."""

    kind: str
    name: str
    """Slug, username or game name, as in the URL of its page."""
    title: str


def follow(person: User, kind: str, name: str) -> None:
    """Let a person follow a bot, author, league or game; following twice changes nothing.

    Raises FollowRefusedError.
    """
    subject = _find_subject(kind, name)
    if subject is None:
        raise FollowRefusedError(
            gettext("There is no %(kind)s “%(name)s” to follow; press Follow on its page.")
            % {"kind": gettext(kind) if kind in FOLLOW_KINDS else kind[:20], "name": name[:60]}
        )
    with transaction.atomic():
        User.objects.select_for_update().get(pk=person.pk)
        others = Follow.objects.filter(person=person).exclude(kind=kind, subject=subject)
        if others.count() >= MAX_FOLLOWS_PER_PERSON:
            raise FollowRefusedError(
                gettext("You follow %(most)s already, which is the limit; unfollow one first.")
                % {"most": MAX_FOLLOWS_PER_PERSON}
            )
        Follow.objects.get_or_create(person=person, kind=kind, subject=subject)


def unfollow(person: User, kind: str, name: str) -> None:
    """Delete a person's follow of a bot, author, league or game, if it exists."""
    Follow.objects.filter(person=person, kind=kind, subject=_find_subject(kind, name) or name).delete()


def is_followed(person: User, kind: str, name: str) -> bool:
    """Return True if a person follows this bot, author, league or game."""
    return Follow.objects.filter(person=person, kind=kind, subject=_find_subject(kind, name) or name).exists()


def list_followed(person: User) -> list[FollowedEntity]:
    """Return all bots, authors, leagues and games that a person follows, sorted by kind."""
    rows = Follow.objects.filter(person=person).order_by("kind", "subject")
    subjects: dict[str, list[str]] = {}
    for row in rows:
        subjects.setdefault(row.kind, []).append(row.subject)
    authors = _list_author_names(subjects.get("author", ()))
    titles = {"game": dict(games())}
    titles["league"] = find_names(subjects.get("league", ()))
    followed = []
    for row in rows:
        name = authors.get(row.subject, row.subject) if row.kind == "author" else row.subject
        followed.append(FollowedEntity(row.kind, name, titles.get(row.kind, {}).get(name, name)))
    return followed


def list_followers(kind: str, subject: str) -> list[int]:
    """Return the user ids of the followers of a bot, author, league or game."""
    # The subject is a slug, a game's name, or an author's user id as text.
    return list(Follow.objects.filter(kind=kind, subject=subject).values_list("person_id", flat=True))


def erase_follows_of_author(owner: User, _departed_author: User) -> None:
    """Delete all follows of an erased author, and the followers' notices about the author."""
    Follow.objects.filter(kind="author", subject=str(owner.pk)).delete()
    Notice.objects.filter(kind="followed-author", text__startswith=f"{owner.get_username()} ").delete()


def rename_followed_bot(slug: str, new_slug: str, **_kwargs: object) -> None:
    """Move the follows of a renamed bot to its new name, and delete notices with the old name."""
    Follow.objects.filter(kind="bot", subject=slug).update(subject=new_slug)
    LastSeenLadderLeader.objects.filter(bot=slug).update(bot=new_slug)
    named = rf"(^|[^a-z0-9-]){slug}(-[0-9]+)?($|[^a-z0-9-])"
    Notice.objects.filter(Q(text__regex=named) | Q(link__regex=named)).delete()


def _list_author_names(ids: Collection[str]) -> dict[str, str]:
    return {str(user.pk): user.get_username() for user in User.objects.filter(pk__in=ids)}


def _find_subject(kind: str, name: str) -> str | None:
    """Return the value of `Follow.subject` for a bot, author, league or game; None if it does not exist."""
    # For an author it is the user id as text, otherwise the name.
    match kind:
        case "author":
            author = find_author(name)
            return None if author is None else str(author)
        case "bot":
            exists = bot_exists(name)
        case "league":
            exists = league_exists(name)
        case "game":
            exists = name in list_games()
        case _:
            exists = False
    return name if exists else None
