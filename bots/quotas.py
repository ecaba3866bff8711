"""How much an author may send and store: as the settings say (`UPLOAD_ROOM`), unless staff has said otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from bots.models import Quota
from people.acts_of_staff import Staff, note

MOST = 2**31 - 1
MOST_DISK = 2**50


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """What holds for one author."""

    uploads: int
    """Versions sent within 24 hours."""
    disk: int
    """Bytes that all versions hold, unpacked."""
    trials: int
    """Trials that wait at the same time."""


class BadQuota(Exception):
    """Raised for a quota that cannot be; the message says which."""


def quota_of(person: User) -> Quotas:
    """Return what holds for an author."""
    row = Quota.objects.filter(person=person).first() or Quota(person=person)
    room = settings.UPLOAD_ROOM
    return Quotas(
        uploads=room["uploads_each"] if row.uploads is None else row.uploads,
        disk=room["stored_each"] if row.disk is None else row.disk,
        trials=room["trials_each"] if row.trials is None else row.trials,
    )


def read_quota(name: str, text: str) -> int | None:
    """Return a quota as somebody typed it, None for nothing; raises BadQuota."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise BadQuota(f"{name} must be a whole number, or empty for what is usual, not {text[:40]!r}")
    return int(text)


@transaction.atomic
def set_quota(staff: Staff, person: User, uploads: int | None, disk: int | None, trials: int | None) -> Quotas:
    """Give an author quotas of their own, None for what the settings say; raises BadQuota."""
    for name, value, most in (("uploads", uploads, MOST), ("disk", disk, MOST_DISK), ("trials", trials, MOST)):
        if value is not None and not 0 <= value <= most:
            raise BadQuota(f"{name} must be between 0 and {most}, not {value}")
    Quota.objects.update_or_create(person=person, defaults={"uploads": uploads, "disk": disk, "trials": trials})
    told = ", ".join(
        f"{name} {'as usual' if value is None else value}"
        for name, value in (("uploads", uploads), ("disk", disk), ("trials", trials))
    )
    note(staff, "quota", f"author {person.get_username()}: {told}", person)
    return quota_of(person)
