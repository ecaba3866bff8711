"""Background work on bots."""

from __future__ import annotations

from celery import shared_task
from django.contrib.auth.models import User
from django.db import transaction

from bots import services, throttles
from bots.doorbell import ring
from bots.models import BotVersion
from bots.room import check_room


@shared_task(name="bots.try_out")
def try_out(version_id: int) -> None:
    """Play a version's trial match; delivered twice it does nothing the second time."""
    services.try_out(version_id)


@shared_task(name="bots.sweep")
def sweep() -> None:
    """Ring again for the trials nobody has played, and forget the allowances that are whole."""
    throttles.forget_full()
    for version_id in services.waiting_trials():
        ring(try_out, version_id)


@transaction.atomic
def take_in(owner: User, game: str, bot: str, file_name: str, body: bytes) -> BotVersion:
    """Store an upload as the next version of a bot and let its trial be played; raises BadUpload.

    Whoever comes through a door finds as much room as the settings give; the demo's bots of the house do not ask.
    """
    check_room(owner)
    version = services.submit(owner, game, bot, file_name, body)
    if version.status == BotVersion.Status.TRIAL:
        transaction.on_commit(lambda: ring(try_out, version.pk))
    return version
