"""A worker keeps its match by time, whatever its bots do, and loses it when it does nothing any more."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from django.conf import LazySettings
from django.db import connections
from django.db.models import Min

from replays.models import Match
from replays.playing import heartbeat, leases
from replays.playing.runner import play_match
from tests.support.factories import active_version, waiting_match
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def is_silent(match: Match) -> bool:
    """Tell whether a match's worker has not renewed its lease in time."""
    return leases.free().filter(pk=match.pk, status=Match.Status.PLAYING).exists()


DRIPPING = """
import json, sys, time
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] != "ask":
        continue
    end = time.monotonic() + (1.2 if ask["id"] == 1 else 0)
    while time.monotonic() < end:
        sys.stdout.write(" ")
        sys.stdout.flush()
        time.sleep(0.001)
    print(json.dumps({"id": ask["id"], "choose": 0 if ask["view"]["gathered"] >= 8 else 1}), flush=True)
"""


@pytest.mark.slow
def test_a_bot_that_drips_does_not_cost_the_worker_its_lease(settings: LazySettings) -> None:
    settings.LEASE_SECONDS = 0.6
    match = waiting_match([active_version(DRIPPING) for _ in range(2)])
    played = ThreadPoolExecutor(1).submit(lambda: (play_match(match.pk), connections.close_all()))
    abandoned = 0
    while not played.done():
        abandoned += is_silent(match)
    assert played.result()[0]
    assert abandoned == 0


def test_a_worker_that_is_stuck_gives_its_match_up(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LEASE_SECONDS = 0.3
    monkeypatch.setattr(heartbeat, "STALLED_SECONDS", 0.0)
    match = waiting_match([active_version() for _ in range(2)])
    lease = leases.claim(match.pk, "stuck")
    assert lease is not None
    with heartbeat.Heartbeat(lease):
        wait_for(lambda: is_silent(match), "the match is free", 10)


def test_a_lost_lease_is_noticed_at_the_next_look(settings: LazySettings) -> None:
    settings.LEASE_SECONDS = 0.3
    match = waiting_match([active_version() for _ in range(2)])
    lease = leases.claim(match.pk, "first")
    assert lease is not None
    with heartbeat.Heartbeat(lease) as beat:
        beat.check()
        Match.objects.filter(pk=match.pk).update(holder="second")

        def lost() -> bool:
            try:
                beat.check()
            except leases.LeaseLost:
                return True
            return False

        wait_for(lost, "the loss is noticed", 10)


@pytest.mark.slow
def test_a_hundred_matches_are_renewed_by_one_thread_which_leaves_with_the_last(settings: LazySettings) -> None:
    settings.LEASE_SECONDS = 0.6
    versions = [active_version() for _ in range(2)]
    matches = [waiting_match(versions, str(number)) for number in range(100)]
    held = [leases.claim(match.pk, f"worker {match.pk}") for match in matches]
    beats = [heartbeat.Heartbeat(lease) for lease in held if lease]
    before = threading.active_count()
    with ExitStack() as stack:
        for beat in beats:
            stack.enter_context(beat)
        assert threading.active_count() == before + 1
        first = Match.objects.aggregate(until=Min("lease_until"))["until"]
        wait_for(lambda: Match.objects.aggregate(until=Min("lease_until"))["until"] > first, "all are renewed", 10)
        assert not any(map(is_silent, matches))
        for beat in beats:
            beat.check()
    assert threading.active_count() == before


def test_a_long_lease_is_renewed_before_the_watchdog_takes_its_worker_for_hung(settings: LazySettings) -> None:
    settings.LEASE_SECONDS, settings.WATCHDOG_SECONDS = 600, 1
    match = waiting_match([active_version() for _ in range(2)])
    lease = leases.claim(match.pk, "patient")
    assert lease is not None
    claimed = Match.objects.get(pk=match.pk).lease_until
    assert claimed is not None
    with heartbeat.Heartbeat(lease):
        wait_for(lambda: Match.objects.filter(pk=match.pk, lease_until__gt=claimed).exists(), "the lease is renewed")
