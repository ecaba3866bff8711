"""Background work: the doorbell of everything that bots are started for, and the trials of bots."""

from __future__ import annotations

from celery import shared_task
from django.contrib.auth.models import User
from django.db import transaction

from bots import services, turns
from bots.models import BotVersion
from bots.room import check_room
from common import throttles
from common.doorbell import ring, top_up

TRIALS = "trials"


@shared_task(name="bots.work")
def work(kind: str) -> str:
    """Do the next thing, most likely of the kind that was rung for; delivered twice or late it does no harm.

    Returns the kind of what was done. A bell of another kind, and one that came when its author had enough running, are
    made up for: as many bells wait as things do.
    """
    done = turns.do_next(kind)
    top_up(work, kind, turns.KINDS[kind].waiting() if done or not turns.KINDS[kind].on_request else 0)
    return done


@shared_task(name="bots.sweep")
def sweep() -> int:
    """Ring for what nobody holds and nobody was rung for; returns how many. Forgets the allowances that are whole."""
    throttles.forget_full()
    return sum(top_up(work, kind.name, kind.waiting()) for kind in turns.KINDS.values() if not kind.on_request)


@transaction.atomic
def take_in(owner: User, game: str, bot: str, file_name: str, body: bytes, token: str = "") -> BotVersion:
    """Store an upload as the next version of a bot and let its trial be played; raises BadUpload.

    `token` is the beginning of the token by which it came. Whoever comes through a door finds as much room as the
    settings give; the demo's bots of the house do not ask.
    """
    check_room(owner)
    version = services.submit(owner, game, bot, file_name, body, token)
    if version.status == BotVersion.Status.TRIAL:
        transaction.on_commit(ring_for_trial)
    return version


def ring_for_trial() -> None:
    """Say that one more trial waits."""
    ring(work, TRIALS, queue=TRIALS)
