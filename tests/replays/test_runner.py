"""The match runner: each match is played once, by real bot processes, despite failures of workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from datetime import timedelta
from typing import get_args

import pytest
from django.conf import LazySettings, settings
from django.db import connections
from django.utils import timezone

from bots.models import BotVersion
from bots.sandbox import sandboxed_bot_start
from ftk_core.hash_chained_log import lines_of
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.log_entries import ChoiceMade, Entry, Excuse, MatchAbandoned, MatchFinished, MatchOpened, read
from ftk_core.log_writer import LogWriter
from replays.event_stream_storage import EventAppender
from replays.match_search import MatchSearchCriteria, find_matches
from replays.models import Match, SeatQuestionMailbox
from replays.playing import match_leases, match_runner
from replays.playing.match_runner import play_match
from replays.playing.spectator_notifications import SpectatorNotifier
from replays.reports.bot_timing import read_timing
from replays.services import verify_match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.injected_failures import always_raise
from tests.support.killed_workers import kill_worker_before
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
    return list(lines_of(EventAppender(match.stream_id)))


def expire(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def versions(source: str | None = None, count: int = 2) -> list[BotVersion]:
    return [create_active_version(source) for _ in range(count)]


HEAVY = """
from ftk_core.kit.bot import run
kept = bytearray(b"x") * (32 << 20)
run(lambda ask: 0)
"""


@pytest.mark.slow
def test_the_measured_memory_of_each_bot_is_stored_with_its_seat_of_a_match() -> None:
    heavy, light = create_active_version(HEAVY), create_active_version()
    match = create_waiting_match([heavy, light])
    assert play_match(match.pk)
    used = dict(match.seats.values_list("version", "memory"))
    assert 32 << 20 < used[heavy.pk] < 64 << 20
    assert 1 << 20 < used[light.pk] < 32 << 20
    times = read_timing(heavy.bot.slug)
    assert times is not None
    assert (times.half_mib, times.most_mib, times.allowed_mib) == (f"{used[heavy.pk] / (1 << 20):.1f}",) * 2 + (256,)


def test_a_waiting_match_is_played_to_its_end_and_its_log_passes_verification() -> None:
    match = create_waiting_match(versions())
    assert play_match(match.pk)
    match.refresh_from_db()
    assert match.status == Match.Status.CLOSED
    assert sorted(seat.place for seat in match.seats.all()) == [1, 2]
    assert verify_match(match.pk).game == "pig"
    opened = read(entries_of(match)[0])
    assert isinstance(opened, MatchOpened)
    assert opened.cage == settings.BOT_CAGE
    assert opened.match == match.stream_id


def test_a_worker_does_not_play_a_match_leased_by_another_worker() -> None:
    match = create_waiting_match(versions())
    assert match_leases.claim(match.pk, "another") is not None
    assert not play_match(match.pk)
    assert entries_of(match) == []


def test_a_crashing_bot_loses_its_match_and_its_author_sees_the_reason() -> None:
    match = create_waiting_match([create_active_version(CRASHING), create_active_version()])
    assert play_match(match.pk)
    crashed, other = match.seats.order_by("seat")
    assert (crashed.place, other.place) == (2, 1)
    assert crashed.excuses > 0
    assert "no idea how to play" in crashed.stderr
    assert other.excuses == 0
    assert {e.excuse for line in entries_of(match) if isinstance(e := read(line), ChoiceMade)} == {None, "crash"}


@pytest.mark.slow
def test_a_search_for_crashes_finds_only_the_matches_in_which_a_bot_crashed() -> None:
    crashed = create_waiting_match([create_active_version(CRASHING), create_active_version()])
    other = create_waiting_match(versions(), "other")
    assert play_match(crashed.pk)
    assert play_match(other.pk)
    pages = {excuse: find_matches(MatchSearchCriteria(excuse=excuse), "", 10) for excuse in get_args(Excuse)}
    found = {excuse: [match.id for match in page.matches] for excuse, page in pages.items()}
    assert found == {"crash": [crashed.pk], "timeout": [], "nonsense": []}


def _work(match_id: str) -> None:
    connections.close_all()
    play_match(match_id)


def _wait_for_entries(match: Match, wanted: int) -> None:
    wait_for(lambda: EventAppender(match.stream_id).length >= wanted, "the match moves")


@pytest.mark.slow
def test_a_match_of_a_killed_worker_is_finished_by_another_worker_without_penalty_for_the_bots() -> None:
    match = create_waiting_match(versions(SLOW))
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
    assert match_leases.list_in_fair_order("league") == [match.pk]
    assert play_match(match.pk)
    after = entries_of(match)
    assert after[: len(before)] == before
    assert verify_match(match.pk)
    match.refresh_from_db()
    assert (match.status, match.attempts) == (Match.Status.CLOSED, 2)
    assert [seat.excuses for seat in match.seats.all()] == [0, 0]


def test_a_match_that_kills_every_worker_is_void_and_its_log_records_the_reason() -> None:
    match = create_waiting_match(versions())
    Match.objects.filter(pk=match.pk).update(attempts=50)
    assert not play_match(match.pk)
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert match.reason == "it was not played to its end in 50 attempts; in the last one the worker died"
    opened, voided = (read(line) for line in entries_of(match))
    assert isinstance(opened, MatchOpened)
    assert isinstance(voided, MatchAbandoned)
    assert voided.reason == verify_match(match.pk).void == match.reason


@pytest.mark.slow
def test_a_match_with_a_complete_log_is_closed_after_any_number_of_crashes() -> None:
    match = create_waiting_match(versions())
    kill_worker_before(match, "close_match")
    seat = match.seats.get(seat=0)
    mailbox = SeatQuestionMailbox.objects.create(seat=seat, bot=seat.version.bot)
    Match.objects.filter(pk=match.pk).update(attempts=50)
    assert play_match(match.pk)
    match.refresh_from_db()
    mailbox.refresh_from_db()
    assert (match.status, '"over"' in mailbox.over) == (Match.Status.CLOSED, True)


@pytest.mark.slow
def test_a_match_whose_workers_die_after_its_last_choice_has_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def put_or_die(writer: LogWriter, entry: Entry) -> None:
        if isinstance(entry, MatchFinished):
            writer.flush()
            sys.exit()
        put(writer, entry)

    match, put = create_waiting_match(versions()), LogWriter.put
    with monkeypatch.context() as patch:
        patch.setattr(LogWriter, "put", put_or_die)
        with pytest.raises(SystemExit):
            play_match(match.pk)
    assert b'"turn_banked"' in entries_of(match)[-1]
    Match.objects.filter(pk=match.pk).update(attempts=50)
    expire(match)
    assert play_match(match.pk)
    match.refresh_from_db()
    assert match.status == Match.Status.CLOSED
    assert verify_match(match.pk).places == tuple(seat.place for seat in match.seats.order_by("seat"))


@pytest.mark.slow
def test_a_match_that_kills_its_workers_is_void_and_the_reason_names_the_seat_to_move() -> None:
    match = create_waiting_match(versions(SLOW))
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
        patch.setattr(SpectatorNotifier, "notify", lambda _poker, length: sys.exit() if length > 10 else None)
        play_match(match.pk)


def test_a_worker_without_the_programming_language_of_a_bot_leaves_its_match_to_other_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        match_runner, "describe_missing", lambda _cage, language: f"there is no {language} on this machine"
    )
    match = create_waiting_match(versions())
    assert not play_match(match.pk)
    match.refresh_from_db()
    assert (match.status, match.attempts) == (Match.Status.WAITING, 0)


def test_the_reason_for_a_void_match_names_the_bot_with_a_forbidden_compiled_program(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    settings.ATTEMPTS = 1
    seats = versions()
    monkeypatch.setattr(
        sandboxed_bot_start, "refuse_compiled_programs", always_raise(BotBuildError("bot.so is a compiled program"))
    )
    match = create_waiting_match(seats)
    assert not play_match(match.pk)
    match.refresh_from_db()
    assert match.reason.endswith(f"the bot {seats[0].label} brought a program that cannot be started here")
