"""Retirement of versions by staff: they finish what they have begun, and enter no league any more."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext

from bots.models import BotVersion
from people.acts_of_staff import Staff, note


class CannotRetire(Exception):
    """Raised for a version that is not active; the message gives its status."""


@transaction.atomic
def retire(staff: Staff, version_id: int) -> None:
    """Retire an active version for good; raises CannotRetire."""
    version = BotVersion.objects.select_related("bot__owner").get(pk=version_id)
    active = BotVersion.objects.filter(pk=version_id, status=BotVersion.Status.ACTIVE)
    if not active.update(status=BotVersion.Status.RETIRED, reason=f"retired: {staff.why}"):
        state = gettext(version.get_status_display())
        raise CannotRetire(gettext("it is %(status)s; only active versions are retired") % {"status": state})
    note(staff, "retire", f"version {version}", version.bot.owner)
