"""Notices by mail: those of one kind are collected and sent every few minutes at most, with a link to unsubscribe.

The link works without signing in (RFC 8058, one click): its signed token is valid for one person and one kind only.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from smtplib import SMTPException
from typing import Final

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext

from foundation.tongues import spoken
from notices.models import Notice, Wish
from notices.wishes import KINDS, set_wish
from people.mailing import mail_address_of
from people.tongues import speaking_to
from replays.failed_work import list_left, run_bounded

log = structlog.get_logger(__name__)
APART = timedelta(minutes=10)
"""Minimum time between two mails of a kind to a person."""
MOST_LINES, MOST_MAILS = 50, 100
"""Maximum number of notices in one mail, and of mails per task."""
SALT = "notices"
MAIL: Final = "mail"
"""Kind of work: mailing a person's notices of one kind."""
PREFIX = "The Court: "
"""Prefix of the subject of all our mails."""


class NoSuchLink(ValueError):
    """Raised for an unsubscribe link that we did not create."""


def send_due(now: datetime) -> int:
    """Send the mails that are due; returns their number."""
    waiting = Notice.objects.filter(to_mail=True).order_by("person", "kind").values_list("person", "kind").distinct()
    held = Wish.objects.filter(mailed_at__gt=now - APART).values_list("person", "kind")
    pairs = sorted(set(waiting) - set(held))
    left = set(list_left(MAIL))
    due = [(person, kind) for person, kind in pairs if f"{person}/{kind}" not in left]
    return sum(
        run_bounded(MAIL, f"{person}/{kind}", partial(_send, person, kind, now), otherwise=False)
        for person, kind in due[:MOST_MAILS]
    )


def is_due(now: datetime) -> bool:
    """Return True if there are notices whose mail is due."""
    held = Wish.objects.filter(mailed_at__gt=now - APART).values_list("person", "kind")
    return bool(set(Notice.objects.filter(to_mail=True).values_list("person", "kind")) - set(held))


def _send(person_id: int, kind: str, now: datetime) -> bool:
    person = User.objects.get(pk=person_id)
    usual = KINDS[kind]
    wish, _ = Wish.objects.get_or_create(person=person, kind=kind, defaults={"web": usual.web, "mail": usual.mail})
    free = Wish.objects.filter(Q(mailed_at=None) | Q(mailed_at__lte=now - APART), pk=wish.pk)
    if not free.update(mailed_at=now):
        return False  # another worker was first
    rows = list(Notice.objects.filter(person=person, kind=kind, to_mail=True).order_by("at", "pk"))
    address = mail_address_of(person) if wish.mail and person.is_active else ""
    try:
        with speaking_to(person):  # a worker has no language of its own
            sent = bool(address) and bool(_mail(person, address, kind, rows).send())
    except (SMTPException, OSError) as error:
        log.warning("notice_not_mailed", person=person_id, kind=kind, reason=type(error).__name__)
        return False
    Notice.objects.filter(pk__in=[row.pk for row in rows]).update(to_mail=False)
    return sent


def _mail(person: User, address: str, kind: str, rows: list[Notice]) -> EmailMessage:
    off = settings.SITE + reverse("notices-off", args=[off_token(person.pk, kind)])
    lines = [f"{row.told}\n{settings.SITE}{row.link}\n" for row in rows[:MOST_LINES]]
    if len(rows) > MOST_LINES:
        lines.append(gettext("and %(more)s more notices") % {"more": len(rows) - MOST_LINES} + "\n")
    account = settings.SITE + reverse("notices")
    why = gettext("You asked to be told when %(when)s.") % {"when": gettext(KINDS[kind].when)}
    ways = gettext("No more of these: %(off)s\nAll choices: %(all)s") % {"off": off, "all": account}
    more = " " + gettext("(and %(more)s more)") % {"more": len(rows) - 1} if len(rows) > 1 else ""
    return EmailMessage(
        subject=PREFIX + " ".join(rows[0].told.split())[:100] + more,
        body="\n".join([*lines, f"-- \n{why}\n{ways}\n"]),
        to=[address],
        headers={
            "Content-Language": spoken(),
            "List-Unsubscribe": f"<{off}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )


def off_token(person_id: int, kind: str) -> str:
    """Return the signed token of an unsubscribe link."""
    return signing.dumps([person_id, kind], salt=SALT)


def read_off(token: str) -> tuple[User, str]:
    """Return the person and the kind of an unsubscribe link; raises NoSuchLink."""
    try:
        person_id, kind = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        raise NoSuchLink(gettext("this link is none of ours; it may have been cut off")) from None
    person = User.objects.filter(pk=person_id).first()
    if person is None or kind not in KINDS:
        raise NoSuchLink(gettext("this link is for an account, or a kind of mail, that is no more"))
    return person, kind


def sign_off(token: str) -> None:
    """Unsubscribe a person from mails of a kind, by the link's token; raises NoSuchLink."""
    person, kind = read_off(token)
    wish = Wish.objects.filter(person=person, kind=kind).first()
    set_wish(person, kind, web=wish.web if wish else KINDS[kind].web, mail=False)
