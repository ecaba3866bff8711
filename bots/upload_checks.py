"""Checks of an upload against the quotas of its author and the limits of this server."""

from __future__ import annotations

import math
import shutil
from dataclasses import replace
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext

from bots.author_quotas import quota_of
from bots.models import Bot, BotPackage, BotVersion
from bots.models.compiled_bot_programs import CompiledBotProgram
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.uploads.upload_limits import UPLOAD, UploadLimits

MIB = 1024 * 1024
DAY = timedelta(days=1)
RETRY_SECONDS = 10
"""Seconds after which an author may upload again if too many trial matches were pending."""


class UploadQuotaExceeded(InvalidUploadError):
    """Raised if an upload exceeds an author's quota or a limit of the server."""

    def __init__(self, code: str, message: str, seconds: int = RETRY_SECONDS) -> None:
        super().__init__(code, message)
        self.seconds = seconds
        """Seconds after which the author should try again."""


def read_upload_limits() -> UploadLimits:
    """Return the limits on the files of an upload, as this server's settings define them."""
    return replace(UPLOAD, prebuilt=settings.BOT_PREBUILT, data_bytes=settings.UPLOAD_ROOM["weights"])


def check_upload_quota(owner: User) -> None:
    """Raise UploadQuotaExceeded if the owner of a bot may not upload more now."""
    # Locks the owner until the transaction ends, so that concurrent uploads are counted one after the other.
    User.objects.select_for_update().get(pk=owner.pk)
    arena_limits = settings.UPLOAD_ROOM
    quota = quota_of(owner)
    check_daily_uploads(owner, quota.uploads)
    pending_trials = BotVersion.objects.filter(status=BotVersion.Status.TRIAL)
    if pending_trials.filter(bot__owner=owner).count() >= quota.trials:
        raise UploadQuotaExceeded(
            "trials_waiting",
            gettext("%(trials)s of your bots wait for their trials; try again when one is over")
            % {"trials": quota.trials},
        )
    if pending_trials.count() >= arena_limits["trials"]:
        raise UploadQuotaExceeded(
            "trials_waiting",
            gettext("%(trials)s bots wait for their trials; try again later") % {"trials": arena_limits["trials"]},
        )
    packages = BotPackage.objects.filter(versions__bot__owner=owner).distinct().values("pk", "size")
    built = (
        CompiledBotProgram.objects.filter(package__in=packages.values("pk")).aggregate(total=Sum("size"))["total"] or 0
    )
    stored = (packages.aggregate(total=Sum("size"))["total"] or 0) + built
    if stored >= quota.disk:
        raise UploadQuotaExceeded(
            "stored",
            gettext("your bots hold %(stored)s bytes, %(disk)s are allowed; ask the organiser")
            % {"stored": stored, "disk": quota.disk},
        )
    free = shutil.disk_usage(settings.VAR).free
    if free < arena_limits["least_free"]:
        raise UploadQuotaExceeded(
            "disk_full",
            gettext("the arena's disk has %(free)s MiB left, and takes no bots; tell the organiser")
            % {"free": free // MIB},
        )


def check_daily_uploads(owner: User, max_uploads: int) -> None:
    """Raise UploadQuotaExceeded if an author has created the maximum number of versions within the last 24 hours."""
    # The caller has locked the owner, so that concurrent requests are counted one after the other.
    since = timezone.now() - DAY
    # the version of a person who plays by hand is made by the arena
    sent = BotVersion.objects.exclude(bot__kind=Bot.Kind.PERSON)
    recent_uploads = sent.filter(bot__owner=owner, uploaded_at__gt=since).order_by("-uploaded_at")
    if recent_uploads.count() < max_uploads:
        return
    oldest_counted = recent_uploads.values_list("uploaded_at", flat=True)[max_uploads - 1] if max_uploads else None
    seconds = (
        max(1, math.ceil((oldest_counted - since).total_seconds())) if oldest_counted else int(DAY.total_seconds())
    )
    hours = math.ceil(seconds / 3600)
    raise UploadQuotaExceeded(
        "uploads",
        gettext(
            "you sent %(sent)s versions within 24 hours, %(most)s are allowed; try again in"
            " %(hours)s h, or ask the organiser for more"
        )
        % {"sent": recent_uploads.count(), "most": max_uploads, "hours": hours},
        seconds,
    )
