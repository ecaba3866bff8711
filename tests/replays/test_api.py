"""A match's log and decisions over the REST API, during the match and after its end."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client

from foundation.query_parameters import StrictCursorPagination
from ftk_core.hash_chained_log import lines_of
from ftk_core.log_entries import ChoiceMade, read
from ftk_core.match_log_file import parse_pages
from ftk_core.match_replay_frames import is_shown
from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.factories import CLOCK, create_active_version, create_waiting_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_the_api_returns_the_complete_log_of_a_finished_match(client: Client) -> None:
    match = create_waiting_match([create_active_version(), create_active_version()])
    assert play_match(match.pk)
    answer = client.get(f"/api/v1/matches/{match.pk}/log/")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{match.pk}.jsonl"'
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    pages = list(parse_pages(answer.content.splitlines(keepends=True)))
    assert pages[0].lines[0].startswith(b'{"kind":"opened"')
    assert pages[-1].lines[-1].startswith(b'{"kind":"closed"')


def test_the_api_does_not_return_the_log_of_a_running_match(client: Client) -> None:
    match = create_waiting_match([create_active_version(), create_active_version()])
    for status in (Match.Status.WAITING, Match.Status.PLAYING):
        Match.objects.filter(pk=match.pk).update(status=status)
        assert client.get(f"/api/v1/matches/{match.pk}/log/").status_code == 404


def test_the_api_lists_each_match_of_a_bot_once(client: Client) -> None:
    ada, bob = create_active_version(slug="ada"), create_active_version(slug="bob")
    both, alone = create_waiting_match([ada, bob], "1"), create_waiting_match([ada, ada], "2")

    def of(bot: str) -> list[str]:
        return [row["id"] for row in client.get(f"/api/v1/matches/?bot={bot}").json()["results"]]

    # neither match has ended, so they are sorted by their random ids
    first, second = sorted((alone.pk, both.pk), reverse=True)
    assert of("ada") == [first, second]
    assert of("bob") == [both.pk]
    assert of("nobody") == []
    assert [row["id"] for row in client.get("/api/v1/matches/?bot=ada&limit=1").json()["results"]] == [first]


WITNESS = """
import json, sys
from hashlib import sha256
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "ask":
        asked = json.dumps([ask["id"], ask["view"], ask["menu"], ask["bank_ms"]], sort_keys=True)
        choose = len(ask["menu"]) - 1 if ask["id"] % 3 else 0
        print(json.dumps({"id": ask["id"], "choose": choose, "note": sha256(asked.encode()).hexdigest()}), flush=True)
"""
"""A bot whose note is the digest of its question."""


@pytest.fixture
def played() -> Match:
    match = create_waiting_match([create_active_version(WITNESS), create_active_version(WITNESS)])
    assert play_match(match.pk)
    return match


def ask(client: Client, match: Match, seat: object, at: object) -> tuple[int, dict[str, Any]]:
    answer = client.get(f"/api/v1/matches/{match.pk}/decision/", {"eyes": seat, "at": at})
    return answer.status_code, answer.json()


def choices(match: Match) -> list[ChoiceMade]:
    entries = [read(line) for line in lines_of(EventAppender(match.stream_id))]
    return [entry for entry in entries if isinstance(entry, ChoiceMade)]


def frame_of(match: Match, chose: ChoiceMade) -> int:
    """Return the number of the first frame that shows the effect of a choice."""
    return sum(map(is_shown, list(lines_of(EventAppender(match.stream_id)))[: chose.seq]))


@pytest.mark.slow
def test_the_api_returns_every_decision_of_a_bot_with_question_and_answer(client: Client, played: Match) -> None:
    asked = [0, 0]
    for chose in choices(played):
        asked[chose.seat] += 1
        code, told = ask(client, played, chose.seat, frame_of(played, chose))
        assert code == 200, told
        assert (told["at"], told["question"]) == (frame_of(played, chose), asked[chose.seat])
        assert told["menu"][told["chosen"]] == json.loads(bytes(chose.action))
        assert (told["charged_us"], told["bank_ms"]) == (chose.charged_us, chose.bank_ms)


@pytest.mark.slow
def test_the_question_returned_by_the_api_is_the_line_the_bot_received(client: Client, played: Match) -> None:
    seat = played.seats.get(seat=0)
    client.force_login(seat.version.bot.owner)
    mine = [chose for chose in choices(played) if chose.seat == 0]
    for chose in mine:
        told = ask(client, played, 0, frame_of(played, chose))[1]
        asked = json.dumps([told["question"], told["view"], told["menu"], CLOCK.bank_ms], sort_keys=True)
        assert told["own"]["notes"] == [sha256(asked.encode()).hexdigest()]
    assert len(mine) > 10


@pytest.mark.slow
def test_requesting_the_decision_at_a_frame_between_choices_returns_the_previous_choice(
    client: Client, played: Match
) -> None:
    first, *_ = choices(played)
    later = next(chose for chose in choices(played) if chose.seat == first.seat and chose.seq > first.seq)
    at = frame_of(played, later)
    assert ask(client, played, first.seat, at - 1)[1]["at"] == frame_of(played, first) < at
    *_, last = (chose for chose in choices(played) if chose.seat == first.seat)
    assert ask(client, played, first.seat, 10**8)[1]["at"] == frame_of(played, last) > at


@pytest.mark.slow
def test_a_request_for_the_omniscient_view_of_a_frame_returns_the_choice_of_any_seat(
    client: Client, played: Match
) -> None:
    for chose in choices(played):
        assert ask(client, played, "all", frame_of(played, chose))[1]["seat"] == chose.seat


@pytest.mark.slow
def test_only_the_author_can_read_the_notes_and_stderr_of_a_bot(client: Client, played: Match) -> None:
    seat = played.seats.get(seat=0)
    seat.notes, seat.faults, seat.stderr = ["question 1: mine"], ["question 1: refused: 9"], "hush"
    seat.save()
    first = frame_of(played, choices(played)[0])
    own = {"fault": "refused: 9", "notes": ["mine"], "stderr": "hush"}
    assert ask(client, played, 0, first)[1]["own"] is None
    client.force_login(played.seats.get(seat=1).version.bot.owner)
    assert ask(client, played, 0, first)[1]["own"] is None
    client.force_login(seat.version.bot.owner)
    assert ask(client, played, 0, first)[1]["own"] == own


@pytest.mark.slow
def test_during_a_match_only_the_author_of_a_bot_can_read_the_questions_sent_to_it(
    client: Client, played: Match
) -> None:
    Match.objects.filter(pk=played.pk).update(status="playing")
    chose = choices(played)[0]
    code, told = ask(client, played, chose.seat, frame_of(played, chose))
    assert code == 403
    assert "author" in told["detail"]
    client.force_login(played.seats.get(seat=chose.seat).version.bot.owner)
    assert ask(client, played, chose.seat, frame_of(played, chose))[0] == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seat", "at", "code"),
    [
        (7, 5, 404),
        (-1, 5, 404),
        ("x", 5, 404),
        ("public", 5, 404),
        (0, "", 400),
        (0, "-1", 400),
        (0, "²", 400),
        (0, 0, 404),
    ],
)
def test_requesting_a_decision_of_an_unknown_seat_or_frame_is_answered_with_an_error(
    seat: object, at: object, code: int, client: Client, played: Match
) -> None:
    assert ask(client, played, seat, at)[0] == code
    assert ask(client, Match(pk="nope"), 0, 1)[0] == 404


@pytest.mark.slow
def test_the_pages_of_the_matches_of_a_bot_list_each_unfinished_match_once_in_both_directions(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # DRF counts at most `offset_cutoff` rows with the same sort key; here unfinished matches have the same one
    monkeypatch.setattr(StrictCursorPagination, "offset_cutoff", 3)
    versions = [create_active_version(slug="ada"), create_active_version(slug="bob")]
    matches = sorted((create_waiting_match(versions, str(number)).pk for number in range(8)), reverse=True)
    url, pages = "/api/v1/matches/?bot=ada&limit=3", []
    while url and len(pages) < 9:
        pages.append(client.get(url).json())
        url = pages[-1]["next"]
    assert [row["id"] for page in pages for row in page["results"]] == matches
    assert pages[0]["previous"] is None
    back = client.get(pages[2]["previous"]).json()
    assert back["results"] == pages[1]["results"]
    assert client.get(back["next"]).json()["results"] == pages[2]["results"]
    first = client.get(back["previous"]).json()
    assert (first["results"], first["previous"]) == (pages[0]["results"], None)
    assert client.get("/api/v1/matches/?bot=ada&after=cD14").json()["errors"].keys() == {"after"}
