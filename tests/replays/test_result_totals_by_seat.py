"""Seat sums: each match is added once, and a rebuild gives the same sums."""

from __future__ import annotations

from collections import Counter
from random import Random
from threading import Thread

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from bots.models import BotVersion
from replays import result_totals_by_seat
from replays.models import Match, MatchSeat
from replays.models.seat_result_sums import SeatResultSum
from replays.reports.seat_statistics import read_bot_statistics, read_seat_statistics
from replays.services import release_matches
from tests.support.factories import create_active_version, create_waiting_match

pytestmark = pytest.mark.django_db

BOTS = 5
Row = tuple[int | None, int, int, str]


def version_of(slug: str) -> BotVersion:
    known = BotVersion.objects.filter(bot__slug=slug).first()
    return known or create_active_version("print()", slug=slug, game="pig")


def ended(seats: int, number: int, *, released: bool = True) -> Match:
    """Return a match of some of the bots that was played to its end, with random roles."""
    luck = Random(number)
    versions = [version_of(f"b{who}") for who in luck.sample(range(BOTS), seats)]
    match = create_waiting_match(versions, f"{number}")
    for seat in match.seats.all():
        MatchSeat.objects.filter(pk=seat.pk).update(place=luck.randint(1, seats), role=luck.choice(("king", "thief")))
    Match.objects.filter(pk=match.pk).update(status=Match.Status.CLOSED, released=released)
    return match


def counted_by_hand() -> dict[Row, tuple[int, int, int]]:
    matches, won, places = Counter[Row](), Counter[Row](), Counter[Row]()
    for match in Match.objects.filter(status="closed", released=True):
        seats = list(match.seats.select_related("version"))
        for seat in seats:
            for bot in (seat.version.bot_id, None):
                row = (bot, len(seats), seat.seat, seat.role)
                matches[row] += 1
                won[row] += seat.place == 1
                places[row] += seat.place or 0
    return {row: (matches[row], won[row], places[row]) for row in matches}


def stored() -> dict[Row, tuple[int, int, int]]:
    return {
        (row.bot_id, row.size, row.seat, row.role): (row.matches, row.won, row.places)
        for row in SeatResultSum.objects.all()
    }


def test_incrementally_updated_statistics_per_seat_equal_a_full_count() -> None:
    for number in range(12):
        ended(2 + number % 3, number)
        result_totals_by_seat.add_batch_of_matches(1 + number % 2)
    result_totals_by_seat.add_all()
    assert stored() == counted_by_hand()


def test_rebuilding_the_statistics_per_seat_reproduces_the_stored_statistics() -> None:
    for number in range(6):
        ended(3, number)
        result_totals_by_seat.add_batch_of_matches(2)
    result_totals_by_seat.add_all()
    before = stored()
    call_command("rebuild")
    assert stored() == before


def test_a_match_is_added_to_the_statistics_per_seat_once_and_only_after_it_became_public() -> None:
    match = ended(2, 1, released=False)
    assert result_totals_by_seat.add_all() == 0
    release_matches([match.pk])
    assert [result_totals_by_seat.add_all() for _ in range(2)] == [1, 0]
    assert stored() == counted_by_hand()


def test_a_report_includes_matches_not_yet_added_to_the_statistics_per_seat() -> None:
    match = ended(3, 1)
    assert sum(row.matches for row in read_seat_statistics("pig").rows) == 3
    bot = match.seats.select_related("version__bot")[0].version.bot
    tables, roles = read_bot_statistics(bot.slug)
    assert [(table.seats, table.matches) for table in tables] == [(3, 1)]
    assert sum(row.matches for row in roles.rows) == 1


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_concurrent_processes_add_each_match_to_the_statistics_per_seat_once() -> None:
    for number in range(30):
        ended(2, number)

    def add() -> None:
        try:
            while result_totals_by_seat.add_batch_of_matches(3):
                pass
        finally:
            connection.close()

    threads = [Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stored() == counted_by_hand()


def test_seat_statistics_come_from_the_totals_alone_once_these_include_all_matches() -> None:
    ended(2, 1)
    result_totals_by_seat.add_all()
    with CaptureQueriesContext(connection) as asked:
        read_seat_statistics("pig")
        read_bot_statistics("b0")
    assert not [query for query in asked.captured_queries if "matchseat" in query["sql"] and "SKIP" not in query["sql"]]
