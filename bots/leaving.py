"""Data export and account deletion for the bots app."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User

from bots.models import Bot, BotVersion, CoAuthor
from bots.team_models import FormerMember
from bots.teams import end_memberships
from bots.tokens import tokens_of
from people.leaving import Parts, as_json

LEFT = "its author has left"


def belongings(owner: User) -> Parts:
    """Yield the files of a person's data export: tokens (first characters), teams, bots, versions, and their files."""
    yield "tokens.json", as_json([asdict(row) for row in tokens_of(owner)])
    bots = list(Bot.objects.filter(owner=owner).order_by("slug"))
    shared = owner.shared_bots.order_by("pk").values("bot__slug", "invited_at", "accepted_at")
    former = FormerMember.objects.filter(person=owner).order_by("pk").values("bot__slug", "left_at")
    yield "teams.json", as_json([*shared, *former])
    yield "bots.json", as_json([_told(bot) for bot in bots])
    for version in BotVersion.objects.filter(bot__in=bots).select_related("bot", "package").order_by("pk"):
        for file in version.package.files.order_by("path").iterator(chunk_size=1):
            yield f"bots/{version.bot.slug}/{version.number}/{file.path}", bytes(file.body)


def _told(bot: Bot) -> dict[str, Any]:
    fields = ("number", "package_id", "status", "reason", "trial_log", "uploaded_at", "token", "tried_at")
    versions = list(bot.versions.order_by("number").values(*fields))
    return {"name": bot.slug, "game": bot.game, "since": bot.created_at, "versions": versions}


def hand_over(owner: User, heir: User) -> None:
    """Transfer a leaving person's bots to the tombstone account `heir`, because logs name them.

    Pending trials are refused, and active versions retired, so that none enters a new league.
    """
    versions = BotVersion.objects.filter(bot__owner=owner)
    versions.filter(status=BotVersion.Status.TRIAL).update(status=BotVersion.Status.REFUSED, reason=LEFT)
    versions.filter(status=BotVersion.Status.ACTIVE).update(status=BotVersion.Status.RETIRED, reason=LEFT)
    versions.update(token="", trial_log="")
    end_memberships(CoAuthor.objects.filter(bot__owner=owner))
    Bot.objects.filter(owner=owner).update(owner=heir)
