"""The demo league: the bots of the house meet for a night, in the open."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator

from django.contrib.auth import get_user_model

from bots import services as bot_services
from bots.doorbell import ring
from bots.models import BotVersion
from bots.tasks import try_out
from ftk_core.entries import Clock
from ftk_core.kit.house import house_bots
from tournaments import queries, services
from tournaments.models import Tournament

ENTRIES = 12
PAUSE_SECONDS = 0.25
PATIENCE_SECONDS = 900
"""The demo is given up if the league does not end in this time."""


class Stuck(RuntimeError):
    """Raised when nothing has moved for too long; the message says where to look."""


def house_entries(game: str) -> list[tuple[str, str]]:
    """Return (slug, house bot) for twelve entries, house bots entering again as needed."""
    house = list(house_bots(game))
    names = [house[number % len(house)] for number in range(ENTRIES)]
    return [
        (name if names[:number].count(name) == 0 else f"{name}-{names[:number].count(name) + 1}", name)
        for number, name in enumerate(names)
    ]


def upload_house(game: str) -> list[BotVersion]:
    """Upload the house bots like anybody's and wait for their trials; raises Stuck."""
    owner, _ = get_user_model().objects.get_or_create(username="house")
    versions = []
    for slug, name in house_entries(game):
        path = house_bots(game)[name]
        version = bot_services.submit(owner, game, slug, path.name, path.read_bytes())
        if version.status == BotVersion.Status.TRIAL:
            ring(try_out, version.pk)
        versions.append(version)
    _wait_for_trials(versions)
    return [version for version in versions if version.status == BotVersion.Status.ACTIVE]


def _wait_for_trials(versions: list[BotVersion]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while any(version.status == BotVersion.Status.TRIAL for version in versions):
        if time.monotonic() > deadline:
            raise Stuck("the trial matches do not end; see the worker's log")
        time.sleep(PAUSE_SECONDS)
        for version in versions:
            version.refresh_from_db()


def open_demo(game: str, seats: int, rounds: int) -> Tournament:
    """Open the league, enter the house and pair the first round."""
    versions = upload_house(game)
    number = Tournament.objects.filter(game=game).count() + 1
    slug = f"{game.replace('_', '-')}-night-{number}-{secrets.token_hex(2)}"
    terms = services.Terms(slug, f"League night {number}", game, seats, rounds, clock=Clock(1000, 5000))
    league = services.open_league(terms)
    for version in versions:
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    return league


def follow(slug: str) -> Iterator[tuple[int, int]]:
    """Yield (matches through, all matches) until the league is closed; raises Stuck."""
    last, moved = -1, time.monotonic()
    while True:
        status, done, total = queries.progress(slug)
        yield done, total
        if status == Tournament.Status.CLOSED:
            return
        if done != last:
            last, moved = done, time.monotonic()
        if time.monotonic() - moved > PATIENCE_SECONDS:
            raise Stuck(f"no match of {slug} has ended for {PATIENCE_SECONDS} s; see the worker's log")
        time.sleep(PAUSE_SECONDS)
