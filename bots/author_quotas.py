"""Limits on what each bot author may upload, store and request."""
# The setting `UPLOAD_ROOM` contains the defaults. Staff can replace any of them for one author.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from bots.models import Quota
from people.staff_audit_trail import ActingStaffMember, record_staff_act

MAX_COUNT = 2**31 - 1
MAX_QUOTAS = {"uploads": MAX_COUNT, "disk": 2**50, "trials": MAX_COUNT, "challenges": MAX_COUNT, "reviews": MAX_COUNT}
"""Maximum value of each field of `AuthorQuotas`."""
SETTINGS_KEYS = {
    "uploads": "uploads_each",
    "disk": "stored_each",
    "trials": "trials_each",
    "challenges": "challenges_each",
    "reviews": "reviews_each",
}
"""Field of `AuthorQuotas` -> key of the field's default in the setting `UPLOAD_ROOM`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorQuotas:
    """Quotas that apply to one author: individual quotas where staff set them, otherwise the defaults."""

    uploads: int
    """Maximum number of versions uploaded within 24 hours."""
    disk: int
    """Maximum bytes of all the author's versions, unpacked, including their compiled programs."""
    trials: int
    """Maximum number of trial matches pending at the same time."""
    challenges: int
    """Maximum number of matches outside leagues (friendlies and challenges) requested within 24 hours."""
    reviews: int
    """Maximum number of match analyses (reviews) requested within 24 hours."""


class InvalidQuotaError(Exception):
    """Raised if a quota is not a number or out of range."""


def quota_of(person: User) -> AuthorQuotas:
    """Return the quotas that apply to an author."""
    stored = Quota.objects.filter(person=person).first() or Quota(person=person)
    own = {name: getattr(stored, name) for name in SETTINGS_KEYS}
    defaults = settings.UPLOAD_ROOM
    return AuthorQuotas(
        **{name: defaults[SETTINGS_KEYS[name]] if value is None else value for name, value in own.items()}
    )


def read_quota(name: str, text: str) -> int | None:
    """Convert the text of a form field to a quota; empty text gives None. Raises InvalidQuotaError."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise InvalidQuotaError(
            gettext("%(name)s must be a whole number, or empty for what is usual, not %(text)r")
            % {"name": name, "text": text[:40]}
        )
    return int(text)


@transaction.atomic
def set_quota(staff: ActingStaffMember, person: User, values: Mapping[str, int | None]) -> AuthorQuotas:
    """Set all individual quotas of an author. Raises InvalidQuotaError if one is out of range."""
    # For a quota that is missing or None, the default of the settings applies.
    new_values = {name: values.get(name) for name in MAX_QUOTAS}
    for name, value in new_values.items():
        if value is not None and not 0 <= value <= MAX_QUOTAS[name]:
            raise InvalidQuotaError(
                gettext("%(name)s must be between 0 and %(most)s, not %(value)s")
                % {"name": name, "most": MAX_QUOTAS[name], "value": value}
            )
    Quota.objects.update_or_create(person=person, defaults=new_values)
    summary = ", ".join(f"{name} {'as usual' if value is None else value}" for name, value in new_values.items())
    record_staff_act(staff, "quota", f"author {person.get_username()}: {summary}", person)
    return quota_of(person)
