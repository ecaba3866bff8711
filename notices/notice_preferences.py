"""People's preferences for notices, and the creation of notices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.db import connection
from django.utils.translation import gettext_noop

from notices.models import Notice, NotificationPreference
from notices.stored_message_translation import PlaceholderValues, render_in_english

MAX_NOTICES_PER_PERSON = 200
"""Maximum number of a person's notices; the oldest are deleted."""
MAX_PATTERN_CHARACTERS = 300
"""Maximum length of a notice's gettext message id; a notice with a longer one is stored in English only."""


@dataclass(frozen=True, slots=True)
class NoticeKind:
    """A kind of notice, with its label and its default preferences."""

    label: str
    web: bool = True
    mail: bool = False


KINDS: Mapping[str, NoticeKind] = {
    "trial": NoticeKind(gettext_noop("Results of my bots' trials"), mail=True),
    "announcement": NoticeKind(gettext_noop("Messages from organisers of leagues with my bots"), mail=True),
    "cancelled": NoticeKind(gettext_noop("Cancellations of leagues with my bots"), mail=True),
    "league-begun": NoticeKind(gettext_noop("Beginnings of leagues with my bots")),
    "round-ended": NoticeKind(gettext_noop("Ends of rounds with my bots")),
    "crash": NoticeKind(gettext_noop("Crashes, late answers and invalid answers of my bots")),
    "benched": NoticeKind(
        gettext_noop("Versions of my bots that crash too often for their continuous ladder"), mail=True
    ),
    "followed-bot": NoticeKind(gettext_noop("Entries, wins and lost leads of bots that I follow")),
    "followed-author": NoticeKind(gettext_noop("New bots of authors whom I follow")),
    "followed-league": NoticeKind(gettext_noop("Beginnings and results of leagues that I follow")),
    "followed-game": NoticeKind(gettext_noop("New leagues of games that I follow")),
    "endpoint": NoticeKind(gettext_noop("Disabled webhooks of mine"), mail=True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeContent:
    """A notification for several people; `notify` stores it as one notice for each person."""

    kind: str
    key: str
    pattern: str
    """The sentence as a gettext message id with placeholders."""
    link: str
    words: PlaceholderValues = field(default_factory=dict)
    """Values of the pattern's placeholders."""


def read_preferences(person: User) -> dict[str, tuple[bool, bool]]:
    """Map each kind of notice to a person's preferences, as a pair (on the site, by mail)."""
    stored = {
        preference.kind: (preference.web, preference.mail)
        for preference in NotificationPreference.objects.filter(person=person)
    }
    return {name: stored.get(name, (kind.web, kind.mail)) for name, kind in KINDS.items()}


def set_preference(person: User, kind: str, *, web: bool, mail: bool) -> None:
    """Store the preferences of a person for one kind of notice; raises KeyError for an unknown kind."""
    KINDS[kind]
    NotificationPreference.objects.update_or_create(person=person, kind=kind, defaults={"web": web, "mail": mail})
    if not mail:
        Notice.objects.filter(person=person, kind=kind, to_mail=True).update(to_mail=False)


def notify(people: Collection[int], notification: NoticeContent, at: datetime) -> None:
    """Store a notice for each person who wants this kind of notice."""
    # A second notice with the same person, kind and key is ignored.
    kind_defaults = KINDS[notification.kind]
    stored = {
        notice.person_id: (notice.web, notice.mail)
        for notice in NotificationPreference.objects.filter(person__in=people, kind=notification.kind)
    }
    notices = []
    for person in User.objects.filter(pk__in=people, is_active=True).order_by("pk").values_list("pk", flat=True):
        web, mail = stored.get(person, (kind_defaults.web, kind_defaults.mail))
        if web or mail:
            notices.append(_make_notice(person, notification, at, web=web, mail=mail))
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    _delete_excess_notices([notice.person_id for notice in notices])


def _make_notice(person: int, notification: NoticeContent, at: datetime, *, web: bool, mail: bool) -> Notice:
    return Notice(
        person_id=person,
        kind=notification.kind,
        key=notification.key[:120],
        text=render_in_english(notification.pattern, notification.words)[:300],
        pattern=notification.pattern if len(notification.pattern) <= MAX_PATTERN_CHARACTERS else "",
        words=dict(notification.words),
        link=notification.link[:200],
        at=at,
        on_web=web,
        to_mail=mail,
    )


def _delete_excess_notices(people: Collection[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM notices_notice WHERE id IN (SELECT id FROM ("
            " SELECT id, row_number() OVER (PARTITION BY person_id ORDER BY at DESC, id DESC) AS place"
            " FROM notices_notice WHERE person_id = ANY(%s)) AS all_of_them WHERE place > %s)",
            [list(people), MAX_NOTICES_PER_PERSON],
        )


def list_notices(person: User) -> list[Notice]:
    """Return the notices that a person sees on the site, newest first."""
    return list(Notice.objects.filter(person=person, on_web=True).order_by("-at", "-pk"))


def count_unread(person: User) -> int:
    """Return the number of a person's unread notices."""
    return Notice.objects.filter(person=person, on_web=True, read_at=None).count()


def mark_read(person: User, now: datetime, ids: Collection[int] | None = None) -> int:
    """Mark some or all of a person's notices as read, and return how many were unread."""
    rows = Notice.objects.filter(person=person, on_web=True, read_at=None)
    return (rows if ids is None else rows.filter(pk__in=ids)).update(read_at=now)
