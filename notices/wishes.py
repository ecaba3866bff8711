"""Preferences of people for notices (web, mail, or none), and the creation of notices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.db import connection
from django.utils.translation import gettext_noop

from notices.models import Notice, Wish
from notices.saying import Words, say_in_english

MOST = 200
"""Maximum number of a person's notices; the oldest are deleted."""
LONGEST = 300
"""Maximum length of a notice's pattern; a longer one is stored in English only."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of notice, with the default preferences."""

    when: str
    """Completes a sentence that begins with "tell me when"."""
    web: bool = True
    mail: bool = False


KINDS: Mapping[str, Kind] = {
    "trial": Kind(gettext_noop("a version of my bot has passed its trial, or was refused"), mail=True),
    "league-begun": Kind(gettext_noop("a league begins in which my bot plays")),
    "round-ended": Kind(gettext_noop("a round ended in which my bot played")),
    "crash": Kind(gettext_noop("my bot gave no valid answer in a match: it crashed, was late, or answered nonsense")),
    "benched": Kind(
        gettext_noop("a version of my bot is not called to its continuous ladder any more, as it crashes"), mail=True
    ),
    "endpoint": Kind(gettext_noop("a webhook of mine was disabled"), mail=True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Content of a notice for some people."""

    kind: str
    key: str
    pattern: str
    """The sentence as a message id of the translation catalogues."""
    link: str
    words: Words = field(default_factory=dict)
    """Values of its placeholders."""


def read_wishes(person: User) -> dict[str, tuple[bool, bool]]:
    """Return a person's preferences by kind, as (web, mail)."""
    said = {row.kind: (row.web, row.mail) for row in Wish.objects.filter(person=person)}
    return {name: said.get(name, (kind.web, kind.mail)) for name, kind in KINDS.items()}


def set_wish(person: User, kind: str, *, web: bool, mail: bool) -> None:
    """Set a person's preferences for a kind; raises KeyError for an unknown kind."""
    KINDS[kind]
    Wish.objects.update_or_create(person=person, kind=kind, defaults={"web": web, "mail": mail})
    if not mail:
        Notice.objects.filter(person=person, kind=kind, to_mail=True).update(to_mail=False)


def notify(people: Collection[int], telling: Telling, at: datetime) -> None:
    """Create notices by each person's preferences; a person gets only one notice per kind and key."""
    usual = KINDS[telling.kind]
    said = {row.person_id: (row.web, row.mail) for row in Wish.objects.filter(person__in=people, kind=telling.kind)}
    rows = []
    for person in User.objects.filter(pk__in=people, is_active=True).order_by("pk").values_list("pk", flat=True):
        web, mail = said.get(person, (usual.web, usual.mail))
        if web or mail:
            rows.append(_row(person, telling, at, web=web, mail=mail))
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    _bound([row.person_id for row in rows])


def _row(person: int, telling: Telling, at: datetime, *, web: bool, mail: bool) -> Notice:
    return Notice(
        person_id=person,
        kind=telling.kind,
        key=telling.key[:120],
        text=say_in_english(telling.pattern, telling.words)[:300],
        pattern=telling.pattern if len(telling.pattern) <= LONGEST else "",
        words=dict(telling.words),
        link=telling.link[:200],
        at=at,
        on_web=web,
        to_mail=mail,
    )


def _bound(people: Collection[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM notices_notice WHERE id IN (SELECT id FROM ("
            " SELECT id, row_number() OVER (PARTITION BY person_id ORDER BY at DESC, id DESC) AS place"
            " FROM notices_notice WHERE person_id = ANY(%s)) AS all_of_them WHERE place > %s)",
            [list(people), MOST],
        )


def list_notices(person: User) -> list[Notice]:
    """Return a person's notices on the web, newest first."""
    return list(Notice.objects.filter(person=person, on_web=True).order_by("-at", "-pk"))


def count_unread(person: User) -> int:
    """Return the number of a person's unread notices."""
    return Notice.objects.filter(person=person, on_web=True, read_at=None).count()


def mark_read(person: User, now: datetime, ids: Collection[int] | None = None) -> int:
    """Mark a person's notices as read, those with `ids` or all; returns the number that were unread."""
    rows = Notice.objects.filter(person=person, on_web=True, read_at=None)
    return (rows if ids is None else rows.filter(pk__in=ids)).update(read_at=now)
