"""A person takes any seat: is asked what a bot is asked, may take days, and nobody waits for them but their table."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from django.db import connection

from bots import outside, tasks
from bots.models import Bot
from ftk_core.kit.archive import BadUpload
from replays import by_hand
from replays.by_hand import NotAnswered
from replays.models import SEATS, Mailbox, Match
from replays.playing import leases
from replays.playing.ending import end_match, list_going
from replays.playing.runner import play_match
from replays.services import verify_match
from tests.support.factories import AuthorFactory, active_version
from tests.support.migrating import migrated_back
from tests.support.seats import (
    answer,
    answer_on,
    asked,
    by_hand_version,
    choices,
    playing,
    seated_match,
)
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)
MENU = [{"kind": "hold"}, {"kind": "roll"}]


def status_of(match: Match) -> str:
    return str(Match.objects.get(pk=match.pk).status)


def table(**more: Any) -> Match:
    """Return a match of a person against a house bot."""
    return seated_match([by_hand_version(), active_version()], **more)


@pytest.mark.slow
def test_a_person_plays_a_match_against_a_bot_and_its_log_holds() -> None:
    match = table()
    with playing(match) as played:
        assert asked(match)["menu"] == MENU
        answer_on(match, played)
    assert played.result()
    assert status_of(match) == Match.Status.CLOSED
    assert verify_match(match.pk).game == "pig"
    assert {chose.excuse for chose in choices(match)} == {None}
    mailbox = Mailbox.objects.get(seat__match=match)
    assert '"type":"over"' in mailbox.over


@pytest.mark.slow
def test_who_does_not_answer_for_long_leaves_no_worker_waiting_and_the_answer_brings_one_back(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table()
    assert not play_match(match.pk), "it is adjourned at once"
    assert status_of(match) == Match.Status.ADJOURNED
    assert leases.in_turn(SEATS) == []
    for _ in range(30):
        answer(match, 1)
        assert status_of(match) == Match.Status.WAITING
        assert leases.in_turn(SEATS) == [match.pk]
        if tasks.work(SEATS) and status_of(match) == Match.Status.CLOSED:
            break
    row = Match.objects.get(pk=match.pk)
    assert row.attempts <= 1, "none of them was an attempt"
    assert verify_match(match.pk).game == "pig" if row.ended else row.status == Match.Status.ADJOURNED
    assert [chose.excuse for chose in choices(match)].count(None) == len(choices(match)) >= 10


def test_an_answer_that_comes_while_the_match_is_put_aside_is_not_lost() -> None:
    match = table()
    lease = leases.claim(match.pk, "a worker")
    assert lease is not None
    seat = match.seats.get(seat=0)
    Mailbox.objects.create(seat=seat, bot=seat.version.bot, number=1, items=2, line='{"menu":[]}')
    answer(match, 1)
    leases.adjourn(lease, seat, None)
    assert status_of(match) == Match.Status.WAITING


def test_with_a_clock_the_first_item_is_played_for_whoever_is_late_also_while_adjourned(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table(hand_ms=1)
    while status_of(match) != Match.Status.CLOSED:
        tasks.work(SEATS)
    assert {chose.excuse for chose in choices(match)} == {"timeout"}
    assert "late: no answer within 1 ms" in match.seats.get(seat=0).faults[0]


@pytest.mark.parametrize(
    ("number", "index", "code"), [(2, 0, "not_asked"), (1, 2, "not_on_the_menu"), (1, -1, "not_on_the_menu")]
)
def test_what_is_not_asked_is_not_answered(settings: Any, number: int, index: int, code: str) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table()
    play_match(match.pk)
    person = Bot.objects.get(kind="person").owner
    with pytest.raises(NotAnswered) as refused:
        by_hand.answer(match.pk, 0, number, index, person)
    assert refused.value.code == code
    assert not by_hand.read_question(match.pk, 0, person).answered


def test_nobody_answers_for_somebody_else_or_for_a_bot(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table()
    play_match(match.pk)
    for seat in (0, 1):
        with pytest.raises(Mailbox.DoesNotExist):
            by_hand.answer(match.pk, seat, 1, 0, AuthorFactory.create())


def test_a_question_is_answered_once(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table()
    play_match(match.pk)
    answer(match, 1)
    with pytest.raises(NotAnswered, match="is not asked now"):
        answer(match, 0)


def test_an_adjourned_match_can_be_ended_from_outside(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table()
    play_match(match.pk)
    bot = Bot.objects.get(kind="person")
    assert list_going([bot.pk]) == [(match.pk, 0)]
    assert end_match(match.pk, "its author is banned")
    assert by_hand.read_question(match.pk, 0, bot.owner).over


def test_matches_with_people_wait_in_a_queue_of_their_own_and_an_author_has_so_many_at_once(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "each": 2}
    versions = [by_hand_version(), active_version()]
    matches = [seated_match(versions) for _ in range(3)]
    assert leases.in_turn("friendly") == leases.in_turn("league") == []
    assert leases.in_turn(SEATS) == [match.pk for match in matches[:2]]
    assert leases.claim(matches[0].pk, "a worker")
    assert leases.in_turn(SEATS) == [matches[1].pk]


@pytest.mark.slow
def test_threads_that_wait_hold_no_connections_to_the_database() -> None:
    def connected() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
            return int(cursor.fetchone()[0])

    before, versions = connected(), [by_hand_version(), by_hand_version("ben")]
    with ExitStack() as stack:
        matches = [seated_match(versions) for _ in range(8)]
        played = [stack.enter_context(playing(match)) for match in matches]
        for match in matches:
            asked(match)
        wait_for(lambda: connected() <= before + 2, "one listens and one says pokes, and no more are open")
        for match in matches:
            end_match(match.pk, "enough")
    assert not any(future.result() for future in played)


def test_somebody_plays_a_game_as_one_bot_whose_name_says_who_it_is() -> None:
    ada = AuthorFactory.create(username="Ada L.")
    first, again = outside.bot_by_hand(ada, "pig"), outside.bot_by_hand(ada, "pig")
    assert (first.bot.slug, first.pk) == ("ada-l-by-hand", again.pk)
    other = outside.bot_by_hand(AuthorFactory.create(username="ada-l"), "pig")
    assert other.bot.slug == "ada-l-by-hand-2"
    assert first.language == "by hand"


def test_nothing_is_uploaded_for_a_bot_that_is_played_by_hand() -> None:
    from bots.services import take_in

    version = by_hand_version()
    with pytest.raises(BadUpload, match="is by hand"):
        take_in(version.bot.owner, "pig", version.bot.slug, "bot.py", b"print()")


@pytest.mark.slow
def test_bots_and_matches_from_before_there_were_outside_seats_are_played_here() -> None:
    owner = AuthorFactory.create()
    with migrated_back(("replays", "0012_ladder_matches"), ("bots", "0014_languages")) as then:
        bot = then.get_model("bots", "Bot").objects.create(slug="old", game="pig", owner_id=owner.pk)
        match = then.get_model("replays", "Match").objects.create(game="pig")
    assert Bot.objects.get(pk=bot.pk).kind == "uploaded"
    assert leases.in_turn("league") == [match.pk]
    assert leases.in_turn(SEATS) == []
