"""Quotas of authors: the defaults of the settings (`UPLOAD_ROOM`), and individual ones set by staff."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from bots.models import Quota
from people.acts_of_staff import Staff, note

MOST = 2**31 - 1
MOST_OF = {"uploads": MOST, "disk": 2**50, "trials": MOST, "challenges": MOST, "reviews": MOST}
"""Maximum value of each field of `Quotas`."""
USUAL = {
    "uploads": "uploads_each",
    "disk": "stored_each",
    "trials": "trials_each",
    "challenges": "challenges_each",
    "reviews": "reviews_each",
}
"""Key of each quota in the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """Effective quotas of one author."""

    uploads: int
    """Versions uploaded within 24 hours."""
    disk: int
    """Bytes of all versions, unpacked, and of the compiled programs."""
    trials: int
    """Trials pending at the same time."""
    challenges: int
    """Friendly matches, including those of challenges, requested within 24 hours."""
    reviews: int
    """Reviews of matches requested within 24 hours."""


class BadQuota(Exception):
    """Raised for an invalid quota; the message names it."""


def quota_of(person: User) -> Quotas:
    """Return the effective quotas of an author."""
    row = Quota.objects.filter(person=person).first() or Quota(person=person)
    own = {name: getattr(row, name) for name in USUAL}
    room = settings.UPLOAD_ROOM
    return Quotas(**{name: room[USUAL[name]] if value is None else value for name, value in own.items()})


def read_quota(name: str, text: str) -> int | None:
    """Parse a quota from a form field, None if it is empty; raises BadQuota."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise BadQuota(
            gettext("%(name)s must be a whole number, or empty for what is usual, not %(text)r")
            % {"name": name, "text": text[:40]}
        )
    return int(text)


@transaction.atomic
def set_quota(staff: Staff, person: User, wanted: Mapping[str, int | None]) -> Quotas:
    """Set an author's individual quotas; missing or None values follow the settings. Raises BadQuota."""
    own = {name: wanted.get(name) for name in MOST_OF}
    for name, value in own.items():
        if value is not None and not 0 <= value <= MOST_OF[name]:
            raise BadQuota(
                gettext("%(name)s must be between 0 and %(most)s, not %(value)s")
                % {"name": name, "most": MOST_OF[name], "value": value}
            )
    Quota.objects.update_or_create(person=person, defaults=own)
    told = ", ".join(f"{name} {'as usual' if value is None else value}" for name, value in own.items())
    note(staff, "quota", f"author {person.get_username()}: {told}", person)
    return quota_of(person)
