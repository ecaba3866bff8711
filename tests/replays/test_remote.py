"""A program at its author's machine takes a seat: it reads the lines of the pipe, on a clock that is fair to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from ftk_core.entries import Clock
from replays.models import Attendance, Mailbox, Match
from replays.playing.ending import end_match
from replays.services import verify_match
from tests.support.factories import active_version
from tests.support.seats import Program, asked, choices, playing, remote_version, seated_match, shown
from tests.support.served import Served, served
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def arena() -> Iterator[Served]:
    with served() as running:
        yield running


def excuses(match: Match, seat: int = 0) -> set[str | None]:
    return {chose.excuse for chose in choices(match, seat)}


@pytest.mark.slow
def test_a_program_reads_the_lines_of_the_pipe_and_its_match_is_logged(arena: Served) -> None:
    version = remote_version()
    match = seated_match([version, active_version()])
    with Program(arena.port, version) as program:
        opening = program.read()  # before anybody plays, or it may name the match as open
        with playing(match) as played:
            messages = program.play()
    assert played.result()
    assert opening == {"open": [], "allowance_ms": 500}
    assert [message["line"]["type"] for message in messages[:2]] == ["hello", "ask"]
    assert {message["seat"] for message in messages} == {f"{match.pk}/0"}
    assert len(messages[-1]["line"]["places"]) == 2
    assert verify_match(match.pk).game == "pig"
    assert excuses(match) == {None}


@pytest.mark.slow
def test_one_connection_carries_all_matches_of_its_bot(arena: Served) -> None:
    version = remote_version()
    matches = [seated_match([version, active_version()]) for _ in range(3)]
    with Program(arena.port, version) as program, playing(matches[0]), playing(matches[1]), playing(matches[2]):
        over = 0
        while over < 3:
            message = program.read()
            kind = message.get("line", {}).get("type")
            over += kind == "over"
            if kind == "ask":
                program.answer(message)
    assert [excuses(match) for match in matches] == [{None}] * 3


@pytest.mark.slow
def test_a_question_without_an_answer_is_sent_again_to_whoever_comes_back_and_its_time_counts(arena: Served) -> None:
    version = remote_version()
    match = seated_match([version, active_version()])
    with playing(match):
        with Program(arena.port, version) as program:
            first = program.question()
        wait_for(lambda: Attendance.objects.get(bot=version.bot).closed_at, "it is known to be away")
        spent = Mailbox.objects.get(seat__match=match).spent_ms
        with Program(arena.port, version) as program:
            opening = program.read()
            assert opening["open"] == [f"{match.pk}/0"]
            again = program.question()
            assert again == first
            program.answer(again)
            program.play()
    assert spent >= 0
    assert excuses(match) == {None}


@pytest.mark.slow
def test_a_second_connection_takes_over_from_the_first(arena: Served) -> None:
    version = remote_version()
    match = seated_match([version, active_version()])
    with playing(match), Program(arena.port, version) as first:
        question = first.question()
        with Program(arena.port, version) as second:
            assert first.code() == 4409
            assert second.question() == question
            second.answer(question)
            second.play()
    assert excuses(match) == {None}


@pytest.mark.slow
def test_who_is_connected_and_silent_has_a_clock_and_then_the_first_item_is_played(
    arena: Served, settings: Any
) -> None:
    settings.SEATS = {**settings.SEATS, "slack_ms": 0, "allowance_ms": 0}
    version = remote_version()
    match = seated_match([version, active_version()], clock=Clock(move_ms=20, bank_ms=20))
    with Program(arena.port, version), playing(match) as played:
        pass
    assert played.result()
    assert excuses(match) == {"timeout"}
    faults = match.seats.get(seat=0).faults
    assert faults[0] == "question 1: late: no answer within 40 ms"
    assert faults[3] == "question 4: late: silent for 3 questions, and not connected anew"


def test_who_is_away_for_longer_than_the_grace_is_not_waited_for(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "grace_seconds": 0}
    match = seated_match([remote_version(), active_version()])
    with playing(match) as played:
        pass
    assert played.result()
    assert excuses(match) == {"timeout"}
    assert match.seats.get(seat=0).faults[0] == "question 1: away: not connected for 0 s of the match"


@pytest.mark.slow
def test_an_answer_that_took_too_long_is_late_and_one_in_time_is_not_however_late_we_hear_of_it() -> None:
    version = remote_version()
    match = seated_match([version, active_version()], clock=Clock(move_ms=1000, bank_ms=0))
    with playing(match):
        for number, took_ms in enumerate((1500, 1501), 1):
            asked(match, number=number)
            Mailbox.objects.filter(seat__match=match).update(choice=1, took_ms=took_ms, answered_at="2026-01-01T00:00Z")
        wait_for(lambda: len(choices(match)) >= 1, "a choice")
        asked(match, number=3)
        end_match(match.pk, "enough")
    first, second = choices(match)[:2]
    assert (first.excuse, first.charged_us) == (None, 1_000_000)
    assert second.excuse == "timeout"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"id": 1, "choose": 2}, "refused: choose is 2, the menu has items 0 to 1"),
        ({"id": 2, "choose": 0}, "malformed: question 2 was not yet asked"),
        ({"id": 1}, "malformed: "),
        ("hold", "malformed: "),
    ],
)
def test_what_is_no_answer_is_nonsense_with_a_reason(arena: Served, line: Any, said: str) -> None:
    version = remote_version()
    match = seated_match([version, active_version()])
    with playing(match), Program(arena.port, version) as program:
        program.say(program.question()["seat"], line)
        program.play()
    assert choices(match)[0].excuse == "nonsense"
    assert match.seats.get(seat=0).faults[0].startswith(f"question 1: {said}")


@pytest.mark.slow
def test_a_match_that_is_given_up_is_over_for_its_program(arena: Served) -> None:
    version = remote_version()
    match = seated_match([version, active_version()])
    with Program(arena.port, version) as program, playing(match):
        program.question()
        end_match(match.pk, "its league was stopped")
        assert program.read()["line"] == {"type": "over", "places": []}


def test_only_a_token_that_may_play_connects_and_only_for_a_bot_of_its_own(arena: Served) -> None:
    version, other = remote_version(), remote_version("other")
    for token, status in (("nonsense", 401), (shown(version, "upload", "enter", "read"), 403)):
        with pytest.raises(InvalidStatus) as refused:
            Program(arena.port, version, token)
        assert refused.value.response.status_code == status
    with Program(arena.port, other, shown(version)) as program:
        assert program.code() == 4404


@pytest.mark.parametrize("text", ["nonsense", '{"seat":"a/0"}', "[" * 5000, '{"seat":1,"line":{}}'])
def test_what_is_no_envelope_closes_the_connection(arena: Served, text: str) -> None:
    with Program(arena.port, remote_version()) as program:
        program.socket.send(text)
        assert program.code() == 4400


def test_a_flood_of_messages_closes_the_connection(arena: Served) -> None:
    with Program(arena.port, remote_version()) as program:
        for _ in range(401):
            program.say("none/0", {"id": 1, "choose": 0})
        assert program.code() == 4429


def test_a_revoked_token_ends_its_connection(arena: Served, settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "alive_seconds": 1}
    version = remote_version()
    with Program(arena.port, version) as program:
        program.read()
        version.bot.owner.tokens.all().delete()
        assert program.code() == 4401


@pytest.mark.slow
def test_who_asks_for_words_is_told_the_story_the_table_and_a_numbered_menu(arena: Served) -> None:
    version = remote_version()
    match = seated_match([active_version(slug="rival"), version])
    with playing(match), Program(arena.port, version, form="text") as program:
        text = program.question()["text"]
        end_match(match.pk, "enough")
    assert text.startswith("You are afar-1, in seat 1.\n\nThe story so far:\n- ")
    assert "rival-1 rolls" in text
    assert "\n\nThe table:\n- " in text
    assert text.endswith("\n\nThe menu:\n0. hold\n1. roll")
