"""Remote programs in a seat: they read the same lines as a local bot, with a fair clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from ftk_core.log_entries import TimeControl
from replays.models import Match, SeatQuestionMailbox
from replays.models.remote_bot_presences import RemoteBotPresence
from replays.playing.match_cancellation import end_match
from replays.services import verify_match
from tests.support.factories import create_active_version
from tests.support.seats import (
    RemoteProgram,
    create_owner_token,
    create_remote_version,
    create_seated_match,
    list_choices,
    play_in_thread,
    wait_for_question,
)
from tests.support.served import WebServer, serve
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def arena() -> Iterator[WebServer]:
    with serve() as running:
        yield running


def excuses(match: Match, seat: int = 0) -> set[str | None]:
    return {chose.excuse for chose in list_choices(match, seat)}


@pytest.mark.slow
def test_a_remote_bot_gets_the_protocol_lines_and_its_match_is_logged(arena: WebServer) -> None:
    version = create_remote_version()
    match = create_seated_match([version, create_active_version()])
    with RemoteProgram(arena.port, version) as program:
        opening = program.read()  # before the match is played, because the message lists open matches
        with play_in_thread(match) as played:
            messages = program.play()
    assert played.result()
    assert opening == {"open": [], "allowance_ms": 500}
    assert [message["line"]["type"] for message in messages[:2]] == ["hello", "ask"]
    assert {message["seat"] for message in messages} == {f"{match.pk}/0"}
    assert len(messages[-1]["line"]["places"]) == 2
    assert verify_match(match.pk).game == "pig"
    assert excuses(match) == {None}


@pytest.mark.slow
def test_one_websocket_connection_serves_all_matches_of_a_remote_bot(arena: WebServer) -> None:
    version = create_remote_version()
    matches = [create_seated_match([version, create_active_version()]) for _ in range(3)]
    with (
        RemoteProgram(arena.port, version) as program,
        play_in_thread(matches[0]),
        play_in_thread(matches[1]),
        play_in_thread(matches[2]),
    ):
        over = 0
        while over < 3:
            message = program.read()
            kind = message.get("line", {}).get("type")
            over += kind == "over"
            if kind == "ask":
                program.answer(message)
    assert [excuses(match) for match in matches] == [{None}] * 3


@pytest.mark.slow
def test_a_remote_bot_that_reconnects_receives_its_unanswered_question_again_and_can_answer_it(
    arena: WebServer,
) -> None:
    version = create_remote_version()
    match = create_seated_match([version, create_active_version()])
    with play_in_thread(match):
        with RemoteProgram(arena.port, version) as program:
            first = program.question()
        wait_for(lambda: RemoteBotPresence.objects.get(bot=version.bot).closed_at, "it is known to be away")
        spent = SeatQuestionMailbox.objects.get(seat__match=match).spent_ms
        with RemoteProgram(arena.port, version) as program:
            opening = program.read()
            assert opening["open"] == [f"{match.pk}/0"]
            again = program.question()
            assert again == first
            program.answer(again)
            program.play()
    assert spent >= 0
    assert excuses(match) == {None}


@pytest.mark.slow
def test_a_second_connection_of_a_remote_bot_replaces_the_first(arena: WebServer) -> None:
    version = create_remote_version()
    match = create_seated_match([version, create_active_version()])
    with play_in_thread(match), RemoteProgram(arena.port, version) as first:
        question = first.question()
        with RemoteProgram(arena.port, version) as second:
            assert first.code() == 4409
            assert second.question() == question
            second.answer(question)
            second.play()
    assert excuses(match) == {None}


@pytest.mark.nightly
def test_the_first_option_is_played_for_a_connected_remote_bot_that_exceeds_its_time(
    arena: WebServer, settings: Any
) -> None:
    settings.SEATS = {**settings.SEATS, "slack_ms": 0, "allowance_ms": 0}
    version = create_remote_version()
    match = create_seated_match([version, create_active_version()], clock=TimeControl(move_ms=20, bank_ms=20))
    with RemoteProgram(arena.port, version), play_in_thread(match) as played:
        pass
    assert played.result()
    assert excuses(match) == {"timeout"}
    faults = match.seats.get(seat=0).faults
    assert faults[0] == "question 1: late: no answer within 40 ms"
    assert faults[3] == "question 4: late: silent for 3 questions, and not connected anew"


@pytest.mark.slow
def test_a_match_does_not_wait_for_a_remote_bot_disconnected_longer_than_the_grace_period(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "grace_seconds": 0}
    match = create_seated_match([create_remote_version(), create_active_version()])
    with play_in_thread(match) as played:
        pass
    assert played.result()
    assert excuses(match) == {"timeout"}
    assert match.seats.get(seat=0).faults[0] == "question 1: away: not connected for 0 s of the match"


@pytest.mark.slow
def test_the_time_of_a_remote_answer_is_measured_at_its_arrival_and_not_when_processed() -> None:
    version = create_remote_version()
    match = create_seated_match([version, create_active_version()], clock=TimeControl(move_ms=1000, bank_ms=0))
    with play_in_thread(match):
        for number, took_ms in enumerate((1500, 1501), 1):
            wait_for_question(match, number=number)
            SeatQuestionMailbox.objects.filter(seat__match=match).update(
                choice=1, took_ms=took_ms, answered_at="2026-01-01T00:00Z"
            )
        wait_for(lambda: len(list_choices(match)) >= 1, "a choice")
        wait_for_question(match, number=3)
        end_match(match.pk, "enough")
    first, second = list_choices(match)[:2]
    assert (first.excuse, first.charged_us) == (None, 1_000_000)
    assert second.excuse == "timeout"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"id": 1, "choose": 2}, "refused: choose is 2, the menu has items 0 to 1"),
        ({"id": 2, "choose": 0}, "malformed: question 2 was not yet asked"),
        ({"id": 1}, "malformed: "),
        ("hold", "malformed: "),
    ],
)
def test_an_invalid_answer_of_a_remote_bot_is_recorded_as_a_fault_with_a_reason(
    arena: WebServer, line: Any, said: str
) -> None:
    version = create_remote_version()
    match = create_seated_match([version, create_active_version()])
    with play_in_thread(match), RemoteProgram(arena.port, version) as program:
        program.say(program.question()["seat"], line)
        program.play()
    assert list_choices(match)[0].excuse == "nonsense"
    assert match.seats.get(seat=0).faults[0].startswith(f"question 1: {said}")


@pytest.mark.slow
def test_a_remote_bot_gets_a_message_when_its_match_is_given_up(arena: WebServer) -> None:
    version = create_remote_version()
    match = create_seated_match([version, create_active_version()])
    with RemoteProgram(arena.port, version) as program, play_in_thread(match):
        program.question()
        end_match(match.pk, "its league was stopped")
        assert program.read()["line"] == {"type": "over", "places": []}


def test_only_a_token_of_the_owner_with_the_scope_play_lets_a_remote_bot_connect(arena: WebServer) -> None:
    version, other = create_remote_version(), create_remote_version("other")
    for token, status in (("nonsense", 401), (create_owner_token(version, "upload", "enter", "read"), 403)):
        with pytest.raises(InvalidStatus) as refused:
            RemoteProgram(arena.port, version, token)
        assert refused.value.response.status_code == status
    with RemoteProgram(arena.port, other, create_owner_token(version)) as program:
        assert program.code() == 4404


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["nonsense", '{"seat":"a/0"}', "[" * 5000, '{"seat":"a/0","line":' + "[" * 1500, '{"seat":1,"line":{}}'],
)
def test_an_invalid_message_envelope_closes_the_connection_of_a_remote_bot(arena: WebServer, text: str) -> None:
    with RemoteProgram(arena.port, create_remote_version()) as program:
        program.socket.send(text)
        assert program.code() == 4400


@pytest.mark.slow
def test_a_flood_of_messages_closes_the_connection_of_a_remote_bot(arena: WebServer) -> None:
    with RemoteProgram(arena.port, create_remote_version()) as program:
        for _ in range(401):
            program.say("none/0", {"id": 1, "choose": 0})
        assert program.code() == 4429


@pytest.mark.slow
def test_revoking_a_token_closes_the_connection_of_the_remote_bot_that_uses_it(arena: WebServer, settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "alive_seconds": 1}
    version = create_remote_version()
    with RemoteProgram(arena.port, version) as program:
        program.read()
        version.bot.owner.tokens.all().delete()
        assert program.code() == 4401


@pytest.mark.slow
def test_a_question_in_text_form_describes_past_events_the_game_table_and_a_numbered_menu(arena: WebServer) -> None:
    version = create_remote_version()
    match = create_seated_match([create_active_version(slug="rival"), version])
    with play_in_thread(match), RemoteProgram(arena.port, version, form="text") as program:
        text = program.question()["text"]
        end_match(match.pk, "enough")
    assert text.startswith("You are afar-1, in seat 1.\n\nThe story so far:\n- ")
    assert "rival-1 rolls" in text
    assert "\n\nThe table:\n- " in text
    assert text.endswith("\n\nThe menu:\n0. hold\n1. roll")
