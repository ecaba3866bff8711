"""Storing answers of remote bots: an answer that the database refuses holds up no other bot."""

from __future__ import annotations

import pytest

from bots.remote_bots import RemoteBotUnavailable, find_remote
from replays.models import SeatQuestionMailbox
from replays.playing.match_cancellation import end_match
from replays.seats.remote_bot_presence import RemoteQuestionOutcome, store_question_outcomes
from tests.support.factories import create_active_version
from tests.support.seats import (
    RemoteProgram,
    create_remote_version,
    create_seated_match,
    list_choices,
    play_in_thread,
)
from tests.support.served import serve
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_answer_that_cannot_be_stored_is_a_fault_of_its_remote_bot_and_does_not_affect_other_bots() -> None:
    bots = [create_remote_version(slug) for slug in ("bad", "good")]
    seats = [create_seated_match([version, create_active_version()]).seats.get(seat=0) for version in bots]
    for version, seat in zip(bots, seats, strict=True):
        SeatQuestionMailbox.objects.create(seat=seat, bot=version.bot, number=1, items=2)
    bad = RemoteQuestionOutcome(seat_id=seats[0].pk, number=1, choice=None, fault="\0", took_ms=1)
    store_question_outcomes([bad, RemoteQuestionOutcome(seat_id=seats[1].pk, number=1, choice=1, took_ms=1)])
    stored = [(mailbox.choice, mailbox.fault) for mailbox in SeatQuestionMailbox.objects.order_by("seat_id")]
    assert stored == [(None, "malformed: the answer cannot be stored"), (1, "")]
    assert not SeatQuestionMailbox.objects.filter(answered_at=None).exists()


@pytest.mark.parametrize("name", ["\0", "far\0", "x" * 1000, "../far"])
def test_a_remote_bot_name_with_forbidden_characters_is_refused_like_an_unknown_name(name: str) -> None:
    owner = create_remote_version("far").bot.owner
    with pytest.raises(RemoteBotUnavailable, match="you have no remote bot"):
        find_remote(owner, name)


@pytest.mark.slow
def test_an_answer_with_nul_in_a_field_name_is_a_fault_of_its_remote_bot_alone() -> None:
    bad, good = create_remote_version("bad"), create_remote_version("good")
    matches = [create_seated_match([version, create_active_version()]) for version in (bad, good)]
    with (
        serve() as arena,
        RemoteProgram(arena.port, bad) as rude,
        RemoteProgram(arena.port, good) as polite,
        play_in_thread(matches[0]),
        play_in_thread(matches[1]),
    ):
        rude.say(rude.question()["seat"], {"id": 1, "choose": 0, "\0": 1})
        polite.play()
        wait_for(lambda: list_choices(matches[0]), "the fault is recorded")
        end_match(matches[0].pk, "enough")
    assert list_choices(matches[0])[0].excuse == "nonsense"
    assert {chosen.excuse for chosen in list_choices(matches[1])} == {None}
