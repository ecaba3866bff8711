"""Retirement of bot versions by staff."""
# A retired version finishes its matches and leagues, and enters no new league.

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext

from bots.models import BotVersion
from people.staff_audit_trail import ActingStaffMember, record_staff_act


class RetirementError(Exception):
    """Raised if the version to retire is not active; the message gives its status."""


@transaction.atomic
def retire_version(staff: ActingStaffMember, version_id: int) -> None:
    """Retire an active version permanently, and record the staff member and the reason; raises RetirementError."""
    version = BotVersion.objects.select_related("bot__owner").get(pk=version_id)
    active = BotVersion.objects.filter(pk=version_id, status=BotVersion.Status.ACTIVE)
    if not active.update(status=BotVersion.Status.RETIRED, reason=f"retired: {staff.why}"):
        state = gettext(version.get_status_display())
        raise RetirementError(gettext("it is %(status)s; only active versions are retired") % {"status": state})
    record_staff_act(staff, "retire", f"version {version}", version.bot.owner)
