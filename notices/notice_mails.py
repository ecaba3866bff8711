"""Mails that bundle a person's notices of one kind."""
# Each mail has a signed link that unsubscribes from the kind without signing in (RFC 8058).

from __future__ import annotations

import time
from datetime import datetime, timedelta
from functools import partial
from smtplib import SMTPConnectError, SMTPDataError, SMTPException, SMTPRecipientsRefused, SMTPServerDisconnected
from typing import Final

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from foundation.branding.arena_brand import read_brand
from foundation.response_language import active_language
from notices.models import Notice, NotificationPreference
from notices.notice_preferences import KINDS, set_preference
from people.mail_addresses import find_mail_address
from people.person_languages import use_language_of
from replays.background_work_retries import delete_failures, is_given_up, run_with_retries

log = structlog.get_logger(__name__)
MIN_TIME_BETWEEN_MAILS = timedelta(minutes=10)
"""Minimum time between two mails to a person about the same kind of notice."""
MAX_NOTICES_PER_MAIL, MAX_MAILS_PER_TASK = 50, 100
"""Maximum number of notices in one mail, and of mails per run of the mail task."""
MIN_PERMANENT_REPLY_CODE = 500
"""Smallest reply code with which a mail server refuses for good (RFC 5321, section 4.2.1)."""
CONNECTION_ERRORS = (SMTPConnectError, SMTPServerDisconnected)
"""Errors of `smtplib` without a connection, besides other subclasses of OSError."""
RUN_LEASE_KEY, RUN_LEASE_SECONDS = "notices.mail", 60
"""Cache key of the reservation of a run of the mail task; seconds after which it expires unless a mail renews it."""
UNSUBSCRIBE_SALT = "notices"
MAIL_WORK: Final = "mail"
"""Kind of this module's work in the retry table (`replays.background_work_retries`): to mail notices to a person."""


class UnsubscribeLinkError(ValueError):
    """Raised if the signature, the account or the kind of notice in an unsubscribe link is invalid."""


class MailServerUnreachableError(Exception):
    """Raised if there is no connection to the mail server, so that other mails would fail, too."""


def reserve_run() -> bool:
    """Reserve the next run of the mail task. Return False if a run waits, sends mails, or failed a moment ago."""
    # A mail server that does not answer would otherwise occupy all workers of the queue.
    return cache.add(RUN_LEASE_KEY, 1, RUN_LEASE_SECONDS)


def end_run() -> None:
    """End the reservation of a run of the mail task, so that the next one can start."""
    cache.delete(RUN_LEASE_KEY)


def send_due(now: datetime) -> int:
    """Send the notice mails that are due; return the number of mails sent.

    Stop at the first mail for which the mail server is unreachable.
    """
    begun, sent = time.monotonic(), 0
    for person, kind in _list_due(now)[:MAX_MAILS_PER_TASK]:
        cache.set(RUN_LEASE_KEY, 1, RUN_LEASE_SECONDS)
        try:
            sent += _send_or_give_up(person, kind, now + timedelta(seconds=time.monotonic() - begun))
        except MailServerUnreachableError:
            return sent  # the reservation lasts until it expires, as a pause
    end_run()
    return sent


def is_due(now: datetime) -> bool:
    """Return True if at least one notice mail is due."""
    return bool(_list_due(now))


def _list_due(now: datetime) -> list[tuple[int, str]]:
    """Return a pair (user id, kind of notice) for each mail that is due."""
    waiting = Notice.objects.filter(to_mail=True).order_by("person", "kind").values_list("person", "kind").distinct()
    mailed_recently = NotificationPreference.objects.filter(mailed_at__gt=now - MIN_TIME_BETWEEN_MAILS).values_list(
        "person", "kind"
    )
    return sorted(set(waiting) - set(mailed_recently))


def _send_or_give_up(person_id: int, kind: str, now: datetime) -> bool:
    """Mail a person's notices of one kind. Return True if the mail was sent.

    After the last failed attempt, give up mailing these notices. Raises MailServerUnreachableError.
    """
    # Later notices begin anew, because the address can have changed. Until then operators see the failure.
    subject = f"{person_id}/{kind}"
    if is_given_up(MAIL_WORK, subject):
        delete_failures(MAIL_WORK, [subject])
    waiting = Notice.objects.filter(person=person_id, kind=kind, to_mail=True)
    tried = list(waiting.values_list("pk", flat=True))
    send = partial(_send, person_id, kind, now)
    sent = run_with_retries(MAIL_WORK, subject, send, otherwise=False, passing=(MailServerUnreachableError,))
    if is_given_up(MAIL_WORK, subject):
        waiting.filter(pk__in=tried).update(to_mail=False)
    return sent


def _send(person_id: int, kind: str, now: datetime) -> bool:
    person = User.objects.get(pk=person_id)
    kind_defaults = KINDS[kind]
    preference, _ = NotificationPreference.objects.get_or_create(
        person=person, kind=kind, defaults={"web": kind_defaults.web, "mail": kind_defaults.mail}
    )
    unleased = NotificationPreference.objects.filter(
        Q(mailed_at=None) | Q(mailed_at__lte=now - MIN_TIME_BETWEEN_MAILS), pk=preference.pk
    )
    if not unleased.update(mailed_at=now):
        return False  # another worker was first
    notices = list(Notice.objects.filter(person=person, kind=kind, to_mail=True).order_by("at", "pk"))
    address = find_mail_address(person) if preference.mail and person.is_active else ""
    try:
        with use_language_of(person):  # a worker has no language of its own
            sent = bool(address) and bool(_make_mail(person, address, kind, notices).send())
    except (SMTPException, OSError) as error:
        log.warning("notice_not_mailed", person=person_id, kind=kind, reason=type(error).__name__)
        if _is_refused_for_good(error):
            raise  # counted: an unreachable mail server is not the address's fault, a refusal is
        if not isinstance(error, SMTPException) or isinstance(error, CONNECTION_ERRORS):
            raise MailServerUnreachableError(str(error)) from error
        return False
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(to_mail=False)
    return sent


def _is_refused_for_good(error: Exception) -> bool:
    """Return True if the mail server refused the recipient or the mail with a permanent code."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= MIN_PERMANENT_REPLY_CODE for code, _ in error.recipients.values())
    return isinstance(error, SMTPDataError) and error.smtp_code >= MIN_PERMANENT_REPLY_CODE


def _make_mail(person: User, address: str, kind: str, notices: list[Notice]) -> EmailMessage:
    unsubscribe_url = settings.SITE + reverse("notices-off", args=[make_unsubscribe_token(person.pk, kind)])
    lines = [f"{notice.sentence}\n{settings.SITE}{notice.link}\n" for notice in notices[:MAX_NOTICES_PER_MAIL]]
    if len(notices) > MAX_NOTICES_PER_MAIL:
        more = len(notices) - MAX_NOTICES_PER_MAIL
        lines.append(ngettext("and %(more)s more notice", "and %(more)s more notices", more) % {"more": more} + "\n")
    settings_url = settings.SITE + reverse("notices")
    reason_text = gettext("You chose mails about: %(label)s.") % {"label": gettext(KINDS[kind].label)}
    links = gettext("No more of these: %(off)s\nAll choices: %(all)s") % {"off": unsubscribe_url, "all": settings_url}
    others = " " + gettext("(and %(more)s more)") % {"more": len(notices) - 1} if len(notices) > 1 else ""
    brand = read_brand()
    return EmailMessage(
        subject=brand.mail_prefix + " ".join(notices[0].sentence.split())[:100] + others,
        body="\n".join([*lines, f"-- \n{reason_text}\n{links}\n"]),
        from_email=brand.format_sender(),
        to=[address],
        headers={
            "Content-Language": active_language(),
            "List-Unsubscribe": f"<{unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )


def make_unsubscribe_token(person_id: int, kind: str) -> str:
    """Return a signed token that unsubscribes one person from one kind of mail."""
    return signing.dumps([person_id, kind], salt=UNSUBSCRIBE_SALT)


def read_unsubscribe_token(token: str) -> tuple[User, str]:
    """Return the person and the kind of notice that an unsubscribe token names; raises UnsubscribeLinkError."""
    try:
        person_id, kind = signing.loads(token, salt=UNSUBSCRIBE_SALT)
    except signing.BadSignature:
        raise UnsubscribeLinkError(gettext("this link is none of ours; it may have been cut off")) from None
    person = User.objects.filter(pk=person_id).first()
    if person is None or kind not in KINDS:
        raise UnsubscribeLinkError(gettext("this link is for an account or a kind of mail that no longer exists"))
    return person, kind


def unsubscribe(token: str) -> None:
    """Turn off the mails named by an unsubscribe token. Raises UnsubscribeLinkError."""
    person, kind = read_unsubscribe_token(token)
    preference = NotificationPreference.objects.filter(person=person, kind=kind).first()
    set_preference(person, kind, web=preference.web if preference else KINDS[kind].web, mail=False)
