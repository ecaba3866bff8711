"""Data export and account deletion for the bots app."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.dispatch import Signal

from bots.access.api_tokens import list_tokens
from bots.access.teams import end_memberships
from bots.bot_bans import REASON_PREFIX
from bots.models import Bot, BotVersion, CoAuthor, Quota
from bots.models.teams import FormerMember
from bots.remote_bots import rename_bots_by_hand
from people.account_erasure import Parts, encode_json

LEFT_REASON = "its author has left"
QUOTA_FIELDS = ("uploads", "disk", "trials", "challenges", "reviews")
bots_transferred = Signal()
"""Signal sent when an erasure has taken all authors from the bots with the ids `bot_ids`, in the same transaction."""


def export_bots(owner: User) -> Parts:
    """Yield the path and content of each file about tokens, quotas and bots in a person's data export."""
    yield "tokens.json", encode_json([asdict(token) for token in list_tokens(owner)])
    yield "quotas.json", encode_json(list(Quota.objects.filter(person=owner).values(*QUOTA_FIELDS)))
    bots = list(Bot.objects.filter(owner=owner).order_by("slug"))
    shared = owner.shared_bots.order_by("pk").values("bot__slug", "invited_at", "accepted_at")
    former = FormerMember.objects.filter(person=owner).order_by("pk").values("bot__slug", "left_at")
    yield "teams.json", encode_json([*shared, *former])
    yield "bots.json", encode_json([_serialize_bot(bot) for bot in bots])
    for version in BotVersion.objects.filter(bot__in=bots).select_related("bot", "package").order_by("pk"):
        for file in version.package.files.order_by("path").iterator(chunk_size=1):
            yield f"bots/{version.bot.slug}/{version.number}/{file.path}", bytes(file.body)


def _serialize_bot(bot: Bot) -> dict[str, Any]:
    fields = ("number", "package_id", "status", "reason", "trial_log", "uploaded_at", "token", "tried_at")
    versions = list(bot.versions.order_by("number").values(*fields))
    return {"name": bot.slug, "game": bot.game, "since": bot.created_at, "versions": versions}


def transfer_bots(owner: User, tombstone: User) -> None:
    """Transfer the bots of an erased account to `tombstone`, the shared account for bots of erased accounts."""
    # The bots remain, because match logs name them. Those of matches played by hand are renamed: their names contain
    # the person's name.
    versions = BotVersion.objects.filter(bot__owner=owner)
    versions.filter(status=BotVersion.Status.TRIAL).update(status=BotVersion.Status.REFUSED, reason=LEFT_REASON)
    playable = (BotVersion.Status.ACTIVE, BotVersion.Status.RESTING)
    versions.filter(status__in=playable).update(status=BotVersion.Status.RETIRED, reason=LEFT_REASON)
    versions.filter(reason__startswith=REASON_PREFIX).update(reason=LEFT_REASON)  # the end of a ban brings none back
    versions.update(token="", trial_log="")
    end_memberships(CoAuthor.objects.filter(bot__owner=owner))
    rename_bots_by_hand(owner, User.objects.select_for_update().get(pk=tombstone.pk))
    bots = Bot.objects.filter(owner=owner)
    bot_ids = list(bots.values_list("pk", flat=True))
    bots.update(owner=tombstone)
    bots_transferred.send(sender=Bot, bot_ids=bot_ids)
