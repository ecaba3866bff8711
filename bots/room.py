"""Checks that an upload is within the quotas of its author and of the arena; and the number of workers."""

from __future__ import annotations

import math
import shutil
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext

from bots.build_models import Build
from bots.models import BotVersion, CageReport, Package
from bots.quotas import quota_of
from ftk_core.kit.archive import BadUpload

MIB = 1024 * 1024
DAY = timedelta(days=1)
SECONDS_A_TRIAL = 10
"""Seconds after which an author with too many pending trials may try again."""


class NoRoom(BadUpload):
    """Raised for a valid upload beyond a quota; the message says when to try again, or what to do."""

    def __init__(self, code: str, message: str, seconds: int = SECONDS_A_TRIAL) -> None:
        super().__init__(code, message)
        self.seconds = seconds
        """Seconds after which to try again."""


def check_room(owner: User) -> None:
    """Raise NoRoom if one more upload of an author exceeds a quota; locks the author against concurrent uploads."""
    User.objects.select_for_update().get(pk=owner.pk)
    room = settings.UPLOAD_ROOM
    quota = quota_of(owner)
    _check_uploads(owner, quota.uploads)
    waiting = BotVersion.objects.filter(status=BotVersion.Status.TRIAL)
    if waiting.filter(bot__owner=owner).count() >= quota.trials:
        raise NoRoom(
            "trials_waiting",
            gettext("%(trials)s of your bots wait for their trials; try again when one is over")
            % {"trials": quota.trials},
        )
    if waiting.count() >= room["trials"]:
        raise NoRoom(
            "trials_waiting",
            gettext("%(trials)s bots wait for their trials; try again later") % {"trials": room["trials"]},
        )
    packages = Package.objects.filter(versions__bot__owner=owner).distinct().values("pk", "size")
    built = Build.objects.filter(package__in=packages.values("pk")).aggregate(total=Sum("size"))["total"] or 0
    stored = (packages.aggregate(total=Sum("size"))["total"] or 0) + built
    if stored >= quota.disk:
        raise NoRoom(
            "stored",
            gettext("your bots hold %(stored)s bytes, %(disk)s are allowed; ask the organiser")
            % {"stored": stored, "disk": quota.disk},
        )
    free = shutil.disk_usage(settings.VAR).free
    if free < room["least_free"]:
        raise NoRoom(
            "disk_full",
            gettext("the arena's disk has %(free)s MiB left, and takes no bots; tell the organiser")
            % {"free": free // MIB},
        )


def _check_uploads(owner: User, most: int) -> None:
    """Raise NoRoom if one more version exceeds the author's daily quota."""
    since = timezone.now() - DAY
    sent = BotVersion.objects.filter(bot__owner=owner, uploaded_at__gt=since).order_by("-uploaded_at")
    if sent.count() < most:
        return
    nth = sent.values_list("uploaded_at", flat=True)[most - 1] if most else None
    seconds = max(1, math.ceil((nth - since).total_seconds())) if nth else int(DAY.total_seconds())
    hours = math.ceil(seconds / 3600)
    raise NoRoom(
        "uploads",
        gettext(
            "you sent %(sent)s versions within 24 hours, %(most)s are allowed; try again in"
            " %(hours)s h, or ask the organiser for more"
        )
        % {"sent": sent.count(), "most": most, "hours": hours},
        seconds,
    )


def count_workers() -> int:
    """Return the number of workers whose sandbox held within a day, at least one."""
    lately = timezone.now() - timedelta(days=1)
    return max(1, CageReport.objects.filter(held=True, tried_at__gt=lately).count())
