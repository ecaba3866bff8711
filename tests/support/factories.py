"""Database rows for tests: users, bots, versions, packages and waiting matches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import factory
from django.contrib.auth import get_user_model

from bots.models import Bot, BotPackage, BotPackageFile, BotVersion
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.uploads.upload_validation import read_upload
from ftk_core.log_entries import TimeControl
from ftk_core.random_streams import seed_of
from replays.models import Match
from replays.services import MatchRequest, order_matches

CLOCK = TimeControl(move_ms=1000, bank_ms=5000)


class AuthorFactory(factory.django.DjangoModelFactory[Any]):
    """Factory of users."""

    class Meta:
        model = get_user_model()

    username = factory.Sequence(lambda n: f"author{n}")


class BotFactory(factory.django.DjangoModelFactory[Bot]):
    """Factory of bots without versions."""

    class Meta:
        model = Bot

    slug = factory.Sequence(lambda n: f"bot{n}")
    game = "pig"
    owner = factory.SubFactory(AuthorFactory)


def create_package(source: str | Path) -> BotPackage:
    """Return the stored package of a one-file bot, given as source text or as a file."""
    body = source.read_bytes() if isinstance(source, Path) else source.encode()
    upload = read_upload("bot.py", body)
    package, created = BotPackage.objects.get_or_create(
        digest=upload.digest, defaults={"command": list(upload.command), "size": len(body)}
    )
    if created:
        BotPackageFile.objects.bulk_create(BotPackageFile(package=package, path=p, body=b) for p, b in upload.files)
    return package


def create_active_version(source: str | Path | None = None, **bot: Any) -> BotVersion:
    """Return an active version of a new bot; by default the built-in bot that plays Pig well."""
    source = source if source is not None else list_built_in_bots("pig")["hold20"]
    row = BotFactory.create(**bot)
    return BotVersion.objects.create(bot=row, number=1, package=create_package(source), status=BotVersion.Status.ACTIVE)


def create_waiting_match(versions: list[BotVersion], seed: str = "match") -> Match:
    """Return a match that no worker has claimed."""
    return order_matches([MatchRequest(game=versions[0].bot.game, versions=versions, seed=seed_of(seed), clock=CLOCK)])[
        0
    ]
