"""A match is played in real bot processes, once, whatever happens to the workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from datetime import timedelta

import pytest
from django.conf import LazySettings, settings
from django.db import connection, connections
from django.utils import timezone

from bots.cage import spawn
from bots.models import BotVersion, CageReport
from ftk_core.entries import Chose, Opened, Voided, read
from ftk_core.kit.holding import BuildFailed
from ftk_core.log import Conflict, lines_of
from replays.models import Match
from replays.playing import leases, runner
from replays.playing.pokes import Poker
from replays.playing.runner import play_match
from replays.reports.timing import read_timing
from replays.services import verify_match
from replays.store import StreamLog
from tests.support.factories import active_version, waiting_match
from tests.support.failing import raising
from tests.support.victims import kill_before
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

SLOW = """
import time
from ftk_core.kit.bot import run
def choose(ask):
    end = time.process_time() + 0.01
    while time.process_time() < end:
        pass
    return 0 if ask.view["gathered"] >= 8 else len(ask.menu) - 1
run(choose)
"""
CRASHING = "raise SystemExit('no idea how to play')"


def entries_of(match: Match) -> list[bytes]:
    return list(lines_of(StreamLog(match.stream_id)))


def expire(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def versions(source: str | None = None, count: int = 2) -> list[BotVersion]:
    return [active_version(source) for _ in range(count)]


HEAVY = """
from ftk_core.kit.bot import run
kept = bytearray(b"x") * (32 << 20)
run(lambda ask: 0)
"""


def test_a_seat_keeps_how_much_memory_its_bot_was_seen_to_use() -> None:
    heavy, light = active_version(HEAVY), active_version()
    match = waiting_match([heavy, light])
    assert play_match(match.pk)
    used = dict(match.seats.values_list("version", "memory"))
    assert 32 << 20 < used[heavy.pk] < 64 << 20
    assert 1 << 20 < used[light.pk] < 32 << 20
    times = read_timing(heavy.bot.slug)
    assert times is not None
    assert (times.half_mib, times.most_mib, times.allowed_mib) == (f"{used[heavy.pk] / (1 << 20):.1f}",) * 2 + (256,)


def test_a_match_is_played_and_its_log_holds() -> None:
    match = waiting_match(versions())
    assert play_match(match.pk)
    match.refresh_from_db()
    assert match.status == Match.Status.CLOSED
    assert sorted(seat.place for seat in match.seats.all()) == [1, 2]
    assert verify_match(match.pk).game == "pig"
    opened = read(entries_of(match)[0])
    assert isinstance(opened, Opened)
    assert opened.cage == settings.BOT_CAGE
    assert opened.match == match.stream_id


def test_a_match_delivered_again_is_not_played_again() -> None:
    match = waiting_match(versions())
    assert play_match(match.pk)
    before = entries_of(match)
    assert not play_match(match.pk)
    match.refresh_from_db()
    assert (entries_of(match), match.attempts) == (before, 1)


def test_a_match_that_another_worker_holds_is_left_alone() -> None:
    match = waiting_match(versions())
    assert leases.claim(match.pk, "another") is not None
    assert not play_match(match.pk)
    assert entries_of(match) == []


def test_a_crashing_bot_loses_its_match_and_its_author_is_told_why() -> None:
    match = waiting_match([active_version(CRASHING), active_version()])
    assert play_match(match.pk)
    crashed, other = match.seats.order_by("seat")
    assert (crashed.place, other.place) == (2, 1)
    assert crashed.excuses > 0
    assert "no idea how to play" in crashed.stderr
    assert other.excuses == 0
    assert {e.excuse for line in entries_of(match) if isinstance(e := read(line), Chose)} == {None, "crash"}


def _work(match_id: str) -> None:
    connections.close_all()
    play_match(match_id)


def _wait_for_entries(match: Match, wanted: int) -> None:
    wait_for(lambda: StreamLog(match.stream_id).length >= wanted, "the match moves")


@pytest.mark.slow
def test_a_match_whose_worker_is_killed_is_finished_by_another_and_nobody_is_charged() -> None:
    match = waiting_match(versions(SLOW))
    connections.close_all()
    worker = multiprocessing.get_context("fork").Process(target=_work, args=(match.pk,))
    worker.start()
    _wait_for_entries(match, 20)
    assert worker.pid
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    before = entries_of(match)
    assert Match.objects.get(pk=match.pk).status == Match.Status.PLAYING
    assert not play_match(match.pk), "the lease is still good"
    expire(match)
    assert leases.in_turn("league") == [match.pk]
    assert play_match(match.pk)
    after = entries_of(match)
    assert after[: len(before)] == before
    assert verify_match(match.pk)
    match.refresh_from_db()
    assert (match.status, match.attempts) == (Match.Status.CLOSED, 2)
    assert [seat.excuses for seat in match.seats.all()] == [0, 0]


def test_a_worker_that_wakes_after_its_lease_ran_out_writes_nothing() -> None:
    match = waiting_match(versions())
    zombie = leases.claim(match.pk, "zombie")
    assert zombie is not None
    expire(match)
    assert play_match(match.pk)
    before = entries_of(match)
    assert leases.renew_all([zombie], connection) == set()
    with pytest.raises(Conflict, match="fence"):
        StreamLog(match.stream_id, zombie.stream.fence).append([b"late\n"], len(before))
    assert entries_of(match) == before


def test_a_match_that_no_worker_survives_is_void_and_its_log_says_so() -> None:
    match = waiting_match(versions())
    Match.objects.filter(pk=match.pk).update(attempts=50)
    assert not play_match(match.pk)
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert match.reason == "it was not played to its end in 50 attempts; in the last one the worker died"
    opened, voided = (read(line) for line in entries_of(match))
    assert isinstance(opened, Opened)
    assert isinstance(voided, Voided)
    assert voided.reason == verify_match(match.pk).void == match.reason


def test_a_match_whose_log_is_through_is_not_given_up_however_many_died() -> None:
    match = waiting_match(versions())
    kill_before(match, "close")
    Match.objects.filter(pk=match.pk).update(attempts=50)
    assert play_match(match.pk)
    match.refresh_from_db()
    assert match.status == Match.Status.CLOSED


def test_a_match_that_kills_its_workers_is_void_and_names_whose_answer_was_due() -> None:
    match = waiting_match(versions(SLOW))
    with pytest.raises(SystemExit):
        kill_in_process(match)
    Match.objects.filter(pk=match.pk).update(attempts=5)
    expire(match)
    assert not play_match(match.pk)
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert "in 5 attempts; in the last one the worker died; where its log ends, an answer of" in match.reason


def kill_in_process(match: Match) -> None:
    """Play until the log has ten entries and stop there, as if the worker had died."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Poker, "poke", lambda _poker, length: sys.exit() if length > 10 else None)
        play_match(match.pk)


def test_a_match_whose_bots_need_what_this_machine_lacks_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "lacking", lambda _cage, language: f"there is no {language} on this machine")
    match = waiting_match(versions())
    assert not play_match(match.pk)
    match.refresh_from_db()
    assert (match.status, match.attempts) == (Match.Status.WAITING, 0)


@pytest.mark.parametrize(("reported", "hours"), [(False, 1), (True, 24)])
def test_a_match_whose_language_nobody_plays_is_void_after_a_while_and_names_the_remedy(
    monkeypatch: pytest.MonkeyPatch, *, reported: bool, hours: int
) -> None:
    monkeypatch.setattr(runner, "lacking", lambda _cage, language: f"there is no {language} on this machine")
    CageReport.objects.create(worker="w", tier="bwrap", held=reported, languages={"python": "Python 3"})
    match = waiting_match(versions())
    for waited, status in ((hours - 0.1, Match.Status.WAITING), (hours + 0.1, Match.Status.VOID)):
        Match.objects.filter(pk=match.pk).update(created_at=timezone.now() - timedelta(hours=waited))
        assert not play_match(match.pk)
        match.refresh_from_db()
        assert match.status == status
    assert match.reason.startswith(
        f"no worker of this arena played Python within {hours} hours; the organiser installs"
    )
    assert verify_match(match.pk).void == match.reason


def test_a_match_that_is_void_for_a_compiled_program_names_the_bot(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    settings.ATTEMPTS = 1
    seats = versions()
    monkeypatch.setattr(spawn, "refuse_programs", raising(BuildFailed("bot.so is a compiled program")))
    match = waiting_match(seats)
    assert not play_match(match.pk)
    match.refresh_from_db()
    assert match.reason.endswith(f"the bot {seats[0].label} brought a program that cannot be started here")
