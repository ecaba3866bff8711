"""Matches by hand: a person takes a seat, answers the questions of a bot, and may take days."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from bots import remote_bots, tasks
from bots.models import Bot
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from replays.human_play import questions_to_humans
from replays.human_play.questions_to_humans import HumanAnswerRefusedError
from replays.models import SEATS, Match, SeatQuestionMailbox
from replays.playing import match_leases
from replays.playing.match_cancellation import end_match, list_running
from replays.playing.match_runner import play_match
from replays.services import verify_match
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.seats import (
    answer_question,
    answer_until_released,
    create_person_version,
    create_seated_match,
    list_choices,
    play_in_thread,
    wait_for_question,
)
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)
MENU = [{"kind": "hold"}, {"kind": "roll"}]


def status_of(match: Match) -> str:
    return str(Match.objects.get(pk=match.pk).status)


def table(**more: Any) -> Match:
    """Return a match of a person against a built-in bot."""
    return create_seated_match([create_person_version(), create_active_version()], **more)


@pytest.mark.slow
def test_a_match_of_a_person_against_a_bot_is_played_to_its_end_and_its_log_is_valid() -> None:
    match = table()
    with play_in_thread(match) as played:
        assert wait_for_question(match)["menu"] == MENU
        answer_until_released(match, played)
    assert played.result()
    assert status_of(match) == Match.Status.CLOSED
    assert verify_match(match.pk).game == "pig"
    assert {chose.excuse for chose in list_choices(match)} == {None}
    mailbox = SeatQuestionMailbox.objects.get(seat__match=match)
    assert '"type":"over"' in mailbox.over


@pytest.mark.nightly
def test_a_match_is_adjourned_while_a_human_player_is_away_and_resumed_by_their_answer(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table()
    assert not play_match(match.pk), "it is adjourned at once"
    assert status_of(match) == Match.Status.ADJOURNED
    assert match_leases.list_in_fair_order(SEATS) == []
    for _ in range(30):
        answer_question(match, 1)
        assert status_of(match) == Match.Status.WAITING
        assert match_leases.list_in_fair_order(SEATS) == [match.pk]
        if tasks.work(SEATS) and status_of(match) == Match.Status.CLOSED:
            break
    row = Match.objects.get(pk=match.pk)
    assert row.attempts <= 1, "none of them was an attempt"
    assert verify_match(match.pk).game == "pig" if row.ended else row.status == Match.Status.ADJOURNED
    assert [chose.excuse for chose in list_choices(match)].count(None) == len(list_choices(match)) >= 10


def test_an_answer_of_a_human_player_sent_while_the_match_is_being_adjourned_is_not_lost() -> None:
    match = table()
    lease = match_leases.claim(match.pk, "a worker")
    assert lease is not None
    seat = match.seats.get(seat=0)
    SeatQuestionMailbox.objects.create(seat=seat, bot=seat.version.bot, number=1, items=2, line='{"menu":[]}')
    answer_question(match, 1)
    match_leases.adjourn(lease, seat, None)
    assert status_of(match) == Match.Status.WAITING


@pytest.mark.slow
def test_the_first_option_is_played_if_a_human_exceeds_the_time_limit_even_in_an_adjourned_match(
    settings: Any,
) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table(hand_ms=1)

    def work() -> bool:
        tasks.work(SEATS)
        return status_of(match) == Match.Status.CLOSED

    wait_for(work, "the match ends", 60)
    assert {chose.excuse for chose in list_choices(match)} == {"timeout"}
    assert "late: no answer within 1 ms" in match.seats.get(seat=0).faults[0]


@pytest.mark.parametrize(
    ("number", "index", "code"), [(2, 0, "not_asked"), (1, 2, "not_on_the_menu"), (1, -1, "not_on_the_menu")]
)
def test_an_answer_of_a_human_player_who_was_not_asked_is_refused(
    settings: Any, number: int, index: int, code: str
) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table()
    play_match(match.pk)
    person = Bot.objects.get(kind="person").owner
    with pytest.raises(HumanAnswerRefusedError) as refused:
        questions_to_humans.store_answer(match.pk, 0, number, index, person)
    assert refused.value.code == code
    assert not questions_to_humans.read_question(match.pk, 0, person).answered


def test_only_the_human_player_of_a_seat_can_answer_its_questions(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table()
    play_match(match.pk)
    for seat in (0, 1):
        with pytest.raises(SeatQuestionMailbox.DoesNotExist):
            questions_to_humans.store_answer(match.pk, seat, 1, 0, AuthorFactory.create())


def test_a_human_player_can_answer_a_question_only_once(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table()
    play_match(match.pk)
    answer_question(match, 1)
    with pytest.raises(HumanAnswerRefusedError, match="is not asked now"):
        answer_question(match, 0)


def test_an_adjourned_match_can_be_ended_early(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = table()
    play_match(match.pk)
    bot = Bot.objects.get(kind="person")
    assert list_running([bot.pk]) == [(match.pk, 0)]
    assert end_match(match.pk, "its author is banned")
    assert questions_to_humans.read_question(match.pk, 0, bot.owner).over


def test_matches_with_human_players_have_their_own_queue_and_a_limit_per_author(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "each": 2}
    versions = [create_person_version(), create_active_version()]
    matches = [create_seated_match(versions) for _ in range(3)]
    assert match_leases.list_in_fair_order("friendly") == match_leases.list_in_fair_order("league") == []
    other = create_seated_match([create_person_version("ben"), create_active_version()])
    assert match_leases.list_in_fair_order(SEATS) == [*(match.pk for match in matches[:2]), other.pk]
    assert match_leases.claim(matches[0].pk, "a worker")
    assert match_leases.list_in_fair_order(SEATS) == [matches[1].pk, other.pk]


def choose_action(match: Match, seat: int, action: dict[str, Any]) -> None:
    """Answer the question of a seat with the first action on its menu that has these fields, and play on."""
    menu = wait_for_question(match, seat, SeatQuestionMailbox.objects.get(seat__match=match, seat__seat=seat).number)[
        "menu"
    ]
    answer_question(match, next(at for at, item in enumerate(menu) if action.items() <= item.items()), seat)
    assert not play_match(match.pk)


def read_pages(match: Match, client: Client) -> list[str]:
    """Return the pages and the status that a visitor sees of a match, without its id, times and form tokens."""
    pages = [client.get(path).content.decode() for path in (f"/matches/{match.pk}/", f"/api/v1/matches/{match.pk}/")]
    changing = rf'{match.pk}|<time.*?</time>|"opened_at":"[^"]*"|csrfmiddlewaretoken" value="[^"]*"'
    return [status_of(match), *(re.sub(changing, "", page) for page in pages)]


@pytest.mark.slow
def test_an_adjourned_match_of_kings_court_does_not_reveal_whether_the_diamond_box_is_empty(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    people = [create_person_version(f"p{seat}", "kings_court") for seat in range(6)]
    onlooker = Client()
    onlooker.force_login(people[2].bot.owner)
    takes = [{"card": "peasant"}, {"card": "usurper"}, {"card": "apprentice"}]
    seen = []
    for taken in (13, 12):
        match = create_seated_match(people)
        assert not play_match(match.pk)
        for seat, action in enumerate([{"count": 0}, {"card": None}, {"diamonds": taken}, *takes]):
            choose_action(match, max(0, seat - 1) if seat > 1 else seat, action)
        menu = json.loads(SeatQuestionMailbox.objects.get(seat__match=match, seat__seat=5).line)["menu"]
        assert len(menu) == (1 if taken == 13 else 3), "in one of the worlds the last seat has no choice"
        waiting = read_pages(match, onlooker)
        choose_action(match, 5, menu[-1])
        seen.append((waiting, read_pages(match, onlooker)))
    assert seen[0][0][0] == Match.Status.ADJOURNED
    assert seen[0] == seen[1]


@pytest.mark.slow
def test_threads_that_wait_for_a_human_player_hold_no_database_connection() -> None:
    def connected() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
            return int(cursor.fetchone()[0])

    before, versions = connected(), [create_person_version(), create_person_version("ben")]
    with ExitStack() as stack:
        matches = [create_seated_match(versions) for _ in range(8)]
        played = [stack.enter_context(play_in_thread(match)) for match in matches]
        for match in matches:
            wait_for_question(match)
        wait_for(lambda: connected() <= before + 2, "one listens and one says pokes, and no more are open")
        for match in matches:
            end_match(match.pk, "enough")
    assert not any(future.result() for future in played)


def test_a_human_player_is_represented_by_one_bot_per_game_named_after_the_account() -> None:
    ada = AuthorFactory.create(username="Ada L.")
    first, again = remote_bots.get_bot_by_hand(ada, "pig"), remote_bots.get_bot_by_hand(ada, "pig")
    assert (first.bot.slug, first.pk) == ("ada-l-by-hand", again.pk)
    other = remote_bots.get_bot_by_hand(AuthorFactory.create(username="ada-l"), "pig")
    assert other.bot.slug == "ada-l-by-hand-2"
    assert first.language == "by hand"


def test_uploads_to_the_bot_that_represents_a_human_player_are_refused() -> None:
    from bots.services import accept_upload

    version = create_person_version()
    with pytest.raises(InvalidUploadError, match="is by hand"):
        accept_upload(version.bot.owner, "pig", version.bot.slug, "bot.py", b"print()")
