"""Heartbeats: a worker keeps its lease however slow its bots are, and loses it if the worker stalls."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from django.conf import LazySettings
from django.db import connections
from django.db.models import Min

from replays.models import Match
from replays.playing import lease_heartbeat, match_leases
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def is_silent(match: Match) -> bool:
    """Return True if a match's worker has not renewed its lease in time."""
    return match_leases.claimable_matches().filter(pk=match.pk, status=Match.Status.PLAYING).exists()


DRIPPING = """
import json, sys, time
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] != "ask":
        continue
    end = time.monotonic() + (4 if ask["id"] == 1 else 0)
    while time.monotonic() < end:
        sys.stdout.write(" ")
        sys.stdout.flush()
        time.sleep(0.001)
    print(json.dumps({"id": ask["id"], "choose": 0 if ask["view"]["gathered"] >= 8 else 1}), flush=True)
"""


@pytest.mark.nightly
def test_a_bot_that_answers_slowly_does_not_make_the_worker_lose_the_lease_of_the_match(settings: LazySettings) -> None:
    settings.LEASE_SECONDS = 2  # a busy machine may delay a heartbeat by a second
    match = create_waiting_match([create_active_version(DRIPPING) for _ in range(2)])
    played = ThreadPoolExecutor(1).submit(lambda: (play_match(match.pk), connections.close_all()))
    abandoned = 0
    while not played.done():
        abandoned += is_silent(match)
    assert played.result()[0]
    assert abandoned == 0


def test_a_stalled_worker_loses_the_lease_of_its_match(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LEASE_SECONDS = 0.3
    monkeypatch.setattr(lease_heartbeat, "STALLED_SECONDS", 0.0)
    match = create_waiting_match([create_active_version() for _ in range(2)])
    lease = match_leases.claim(match.pk, "stuck")
    assert lease is not None
    with lease_heartbeat.LeaseHeartbeat(lease):
        wait_for(lambda: is_silent(match), "the match is free", 10)


def test_a_worker_detects_a_lost_lease_at_the_next_renewal(settings: LazySettings) -> None:
    settings.LEASE_SECONDS = 0.3
    match = create_waiting_match([create_active_version() for _ in range(2)])
    lease = match_leases.claim(match.pk, "first")
    assert lease is not None
    with lease_heartbeat.LeaseHeartbeat(lease) as beat:
        beat.check()
        Match.objects.filter(pk=match.pk).update(holder="second")

        def lost() -> bool:
            try:
                beat.check()
            except match_leases.MatchLeaseLost:
                return True
            return False

        wait_for(lost, "the loss is noticed", 10)


@pytest.mark.slow
def test_one_thread_renews_a_hundred_leases_and_stops_when_all_have_been_released(settings: LazySettings) -> None:
    settings.LEASE_SECONDS = 2  # a busy machine may delay a heartbeat by a second
    versions = [create_active_version() for _ in range(2)]
    matches = [create_waiting_match(versions, str(number)) for number in range(100)]
    held = [match_leases.claim(match.pk, f"worker {match.pk}") for match in matches]
    beats = [lease_heartbeat.LeaseHeartbeat(lease) for lease in held if lease]
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


def test_a_long_lease_is_renewed_before_the_watchdog_timeout(settings: LazySettings) -> None:
    settings.LEASE_SECONDS, settings.WATCHDOG_SECONDS = 600, 1
    match = create_waiting_match([create_active_version() for _ in range(2)])
    lease = match_leases.claim(match.pk, "patient")
    assert lease is not None
    claimed = Match.objects.get(pk=match.pk).lease_until
    assert claimed is not None
    with lease_heartbeat.LeaseHeartbeat(lease):
        wait_for(lambda: Match.objects.filter(pk=match.pk, lease_until__gt=claimed).exists(), "the lease is renewed")
