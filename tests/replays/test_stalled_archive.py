"""Spectators of archived matches in a stalled archive: they delay nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from asgiref.sync import sync_to_async

from ftk_core.facts import PUBLIC
from replays.archive import archived_log_reading
from replays.live.broadcast_groups import read_reel
from replays.live.spectator_sockets import MatchSubscriptionKey
from replays.match_archiving import archive_match
from replays.models import Match
from tests.support.archived_matches import create_closed_matches
from tests.support.bucket import use_archive
from tests.support.live import LiveMatch

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
SPECTATORS = 40
"""Number of spectators, larger than the number of threads in the default pool."""


class StalledStorage:
    """An archive that answers when the test says so."""

    def __init__(self) -> None:
        self.asked, self.answers = Event(), Event()
        self._storage = archived_log_reading.storage()

    def get(self, name: str) -> bytes:
        self.asked.set()
        assert self.answers.wait(60)
        return self._storage.get(name)


@pytest.fixture(autouse=True)
def _archive(tmp_path: Path) -> Iterator[None]:
    with use_archive(str(tmp_path / "archive")):
        yield


def create_archived_match() -> Match:
    (match,) = create_closed_matches(count=1)
    archive_match(match)
    return match


def create_live_match() -> LiveMatch:
    live = LiveMatch("pig")
    live.grow(10)
    return live


async def test_live_matches_and_other_work_go_on_while_the_archive_stalls(monkeypatch: pytest.MonkeyPatch) -> None:
    archived, live = await sync_to_async(create_archived_match)(), await sync_to_async(create_live_match)()
    storage = StalledStorage()
    monkeypatch.setattr("replays.archive.archived_log_reading.storage", lambda: storage)
    view = MatchSubscriptionKey(archived.pk, PUBLIC, "public", "en")
    reads = [asyncio.create_task(read_reel(view)) for _ in range(SPECTATORS)]
    try:
        assert await sync_to_async(storage.asked.wait)(30)
        reel = await asyncio.wait_for(read_reel(MatchSubscriptionKey(live.match.pk, PUBLIC, "public", "en")), 10)
        assert reel.length == len(live.pictured)
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "answered"), 10) == "answered"
    finally:
        storage.answers.set()
        reels = await asyncio.gather(*reads)
    assert {id(found) for found in reels} == {id(reels[0])}
    assert reels[0].ended
