"""Whether there is room for one more upload: trials that wait, what an author has stored, and the disk."""

from __future__ import annotations

import shutil

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Sum

from bots.models import BotVersion, Package
from ftk_core.kit.archive import BadUpload

MIB = 1024 * 1024
SECONDS_A_TRIAL = 10
"""After so long somebody who waits for trials may ask again."""


class NoRoom(BadUpload):
    """Raised for an upload that is not at fault; the message says when there may be room, or what to do."""


def check_room(owner: User) -> None:
    """Raise NoRoom where one more upload of an author is too much; others of the same author wait for the answer."""
    User.objects.select_for_update().get(pk=owner.pk)
    room = settings.UPLOAD_ROOM
    waiting = BotVersion.objects.filter(status=BotVersion.Status.TRIAL)
    if waiting.filter(bot__owner=owner).count() >= room["trials_each"]:
        raise NoRoom(
            "trials_waiting", f"{room['trials_each']} of your bots wait for their trials; try again when one is over"
        )
    if waiting.count() >= room["trials"]:
        raise NoRoom("trials_waiting", f"{room['trials']} bots wait for their trials; try again later")
    packages = Package.objects.filter(versions__bot__owner=owner).distinct().values("pk", "size")
    stored = packages.aggregate(total=Sum("size"))["total"] or 0
    if stored >= room["stored_each"]:
        raise NoRoom("stored", f"your bots hold {stored} bytes, {room['stored_each']} are allowed; ask the organiser")
    free = shutil.disk_usage(settings.VAR).free
    if free < room["least_free"]:
        raise NoRoom("disk_full", f"the arena's disk has {free // MIB} MiB left, and takes no bots; tell the organiser")
