"""Bans of bots that play on a continuous ladder."""

from __future__ import annotations

from typing import Any

import pytest

from ftk_core.analysis.match_log_rerun_check import list_asked_seats
from ftk_core.games import game
from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.queries import find_seat_at_fault
from tests.support.bouts import NOON, STAFF, start_continuous_ladder
from tests.support.factories import create_active_version
from tests.support.live import play_log_lines
from tournaments.continuous_ladder import services as continuous_services
from tournaments.models.continuous_ladders import ContinuousLadderBotVersion
from tournaments.organisers import author_and_bot_bans

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_bout_that_a_ban_ends_is_no_crash_of_the_banned_bot(settings: Any) -> None:
    settings.LADDER_RATE, settings.BENCH_AFTER = 0, 1
    for _ in range(2):
        create_active_version()
    start_continuous_ladder()
    continuous_services.sweep(NOON)
    match = Match.objects.get()
    pig, lines = game("pig"), [line.rstrip(b"\n") + b"\n" for line in play_log_lines("pig", 2)]
    length = next(at for at, line in enumerate(lines) if b'"chose"' in line and list_asked_seats(pig, lines[:at]))
    EventAppender(match.stream_id).append(lines[:length], 0)
    (seat,) = list_asked_seats(pig, lines[:length])
    banned = match.seats.get(seat=seat).version
    author_and_bot_bans.ban_bot(STAFF, banned.bot.slug)
    assert find_seat_at_fault(match.pk) == seat
    assert continuous_services.record(match.pk)
    stored = ContinuousLadderBotVersion.objects.get(version=banned)
    assert (stored.crashes, stored.benched) == (0, "")
