"""Reviews on the server: asked for, reckoned once whatever dies, within their budget, and told to whom may see."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from bots.turns import KINDS
from foundation.shell import Refusal
from ftk_core.games import build_of, shelf
from ftk_core.kit.policies import policy_of
from ftk_core.log import Conflict, lines_of
from ftk_core.moves import moves_of
from ftk_core.review import review
from ftk_core.reviewed import reviewed
from people.leaving import export
from replays.models import Match
from replays.review_models import Review
from replays.reviews import working
from replays.reviews.asking import ask, ask_at_the_shell
from replays.reviews.turns import claim, count_waiting, read_queue
from replays.reviews.working import _Reckoner, reckon, review_next
from replays.store import StreamLog
from tests.support.factories import AuthorFactory
from tests.support.live import lines_played
from tests.support.reviewable import closed_match, reviewed_match

pytestmark = pytest.mark.django_db
PLAYOUTS = 4


@pytest.fixture(autouse=True)
def quick(settings: Any) -> None:
    """Let a review be rough."""
    settings.REVIEWS = {**settings.REVIEWS, "playouts": PLAYOUTS}


@pytest.fixture
def ada() -> User:
    """Return somebody with an account."""
    person: User = AuthorFactory.create(username="ada")
    return person


@pytest.fixture
def browser(ada: User) -> Client:
    """Return the browser of somebody who is signed in."""
    client = Client()
    client.force_login(ada)
    return client


def path(match: Match, eyes: str = "all") -> str:
    return f"/api/v1/matches/{match.pk}/review/?eyes={eyes}"


def stored(row: Review) -> list[bytes]:
    return [line + b"\n" for line in lines_of(StreamLog(row.stream_id))]


def test_a_review_that_is_asked_for_is_reckoned_by_a_worker_and_is_what_anybody_finds(browser: Client) -> None:
    match = closed_match()
    assert browser.get(path(match)).json()["status"] == "not asked"
    asked = browser.post(path(match))
    assert (asked.status_code, asked.json()["status"]) == (202, "waiting")
    assert KINDS["reviews"].waiting() == 1
    assert review_next()
    told = browser.get(path(match)).json()
    assert (told["status"], told["done"]) == ("done", told["total"])
    moves = moves_of([line.rstrip(b"\n") for line in lines_played("pig", 2)])
    again = reviewed(review(moves, policy_of(moves.game, "", 2), PLAYOUTS, "all", build_of("pig")))
    assert told["review"]["curve"] == [
        {"frame": p.frame, "playouts": p.playouts, "shares": list(p.shares), "margins": list(p.margins)}
        for p in again.curve
    ]
    assert told["review"]["schema"] == "ftk.review/1"
    assert not review_next()


def test_a_worker_that_dies_loses_little_and_another_goes_on_where_it_was() -> None:
    whole = reviewed_match(closed_match())
    match = closed_match()
    row = ask_at_the_shell(match.pk, "all")
    fence = claim(row.pk, "dead")
    assert fence is not None
    begun = StreamLog(row.stream_id, fence)
    begun.append(stored(whole)[:5], 0)
    assert not reckon(row.pk)  # it is held
    Review.objects.filter(pk=row.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert reckon(row.pk)
    row.refresh_from_db()
    assert (row.status, row.attempts) == (Review.Status.DONE, 2)
    assert stored(row) == stored(whole)
    with pytest.raises(Conflict):
        begun.append([b"late\n"], 5)


def test_a_worker_that_was_taken_for_dead_stores_nothing_more() -> None:
    row = ask_at_the_shell(closed_match().pk, "all")
    fence = claim(row.pk, "slow")
    assert fence is not None
    slow = Review.objects.select_related("match").get(pk=row.pk)
    Review.objects.filter(pk=row.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert reckon(row.pk)
    before = stored(row)
    with pytest.raises(Conflict):
        _Reckoner(slow, fence).run()
    assert stored(row) == before


def test_what_another_build_began_stays_as_it_is_and_a_new_stream_is_begun() -> None:
    whole = reviewed_match(closed_match())
    row = ask_at_the_shell(closed_match().pk, "all")
    first = json.loads(stored(whole)[0]) | {"build": "an older one"}
    old = [json.dumps(first).encode() + b"\n", *stored(whole)[1:4]]
    StreamLog(row.stream_id).append(old, 0)
    assert reckon(row.pk)
    row.refresh_from_db()
    assert (row.edition, row.status) == (2, "done")
    assert stored(row) == stored(whole)


def test_a_review_beyond_its_budget_is_given_up_and_says_why(settings: Any, browser: Client) -> None:
    settings.REVIEWS = {**settings.REVIEWS, "match_seconds": 0}
    match = closed_match()
    row = ask_at_the_shell(match.pk, "all")
    assert reckon(row.pk)
    told = browser.get(path(match)).json()
    assert told["status"] == "given up"
    assert "more than the 0 seconds of processor time" in told["reason"]
    assert browser.post(path(match)).json()["status"] == "given up"
    settings.REVIEWS = {**settings.REVIEWS, "match_seconds": 600}
    call_command("review", match.pk, again=True, stdout=StringIO())
    assert reckon(row.pk)
    assert browser.get(path(match)).json()["status"] == "done"


def test_what_is_over_the_budget_of_a_day_waits_for_the_next(settings: Any) -> None:
    done = reviewed_match(closed_match())
    Review.objects.filter(pk=done.pk).update(cpu_ms=5000)
    settings.REVIEWS = {**settings.REVIEWS, "day_seconds": 5}
    ask_at_the_shell(closed_match().pk, "all")
    assert (count_waiting(), read_queue().waiting, read_queue().spent) == (0, 1, 5)
    assert not review_next()
    yesterday = timezone.now() - timedelta(days=1)
    Review.objects.filter(pk=done.pk).update(begun_at=yesterday, ended_at=yesterday)
    assert count_waiting() == 1
    assert review_next()


def test_who_has_asked_for_as_many_as_their_quota_asks_later(settings: Any, ada: User, browser: Client) -> None:
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "reviews_each": 1}
    match, other = closed_match(), closed_match()
    assert browser.post(path(match)).status_code == 202
    assert browser.post(path(match)).status_code == 202  # what is there costs nothing
    answer = browser.post(path(other))
    assert (answer.status_code, answer.json()["code"]) == (429, "quota")
    Review.objects.update(asked_at=timezone.now() - timedelta(days=2))
    assert browser.post(path(other)).status_code == 202
    assert set(Review.objects.values_list("asked_by", flat=True)) == {ada.pk}


def test_nobody_reviews_what_has_not_ended_or_is_void_and_no_visitor_asks(browser: Client) -> None:
    match = closed_match()
    assert Client().post(path(match)).status_code == 401
    for status, code in ((Match.Status.PLAYING, "not_ended"), (Match.Status.VOID, "void")):
        Match.objects.filter(pk=match.pk).update(status=status)
        answer = browser.post(path(match, "public"))
        assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert browser.get(path(match, "0")).status_code == 404
    assert browser.get("/api/v1/matches/nosuch/review/").status_code == 404
    assert not Review.objects.exists()


def test_nothing_is_told_of_a_review_before_its_match_is_released(browser: Client, ada: User) -> None:
    match = closed_match()
    reviewed_match(match)
    Match.objects.filter(pk=match.pk).update(released=False)
    for eyes in ("all", "public"):
        for answer in (
            browser.get(path(match, eyes)),
            browser.post(path(match, eyes)),
            Client().get(path(match, eyes)),
        ):
            assert answer.status_code == 403
    Match.objects.filter(pk=match.pk).update(released=True)
    assert Client().get(path(match)).json()["status"] == "done"
    assert ask(match.pk, "all", ada).status == "done"


def test_a_game_that_cannot_deal_again_is_not_reviewed_with_the_eyes_of_the_public(
    monkeypatch: pytest.MonkeyPatch, browser: Client
) -> None:
    match = closed_match()
    monkeypatch.setitem(shelf(), "pig", replace(shelf()["pig"], resample=None))  # type: ignore[arg-type]  # a fake shelf
    answer = browser.post(path(match, "public"))
    assert (answer.status_code, answer.json()["code"]) == (409, "eyes")
    assert "take all eyes" in answer.json()["detail"]


def test_the_command_asks_and_says_how_far_it_is() -> None:
    match, said = closed_match(), StringIO()
    call_command("review", match.pk, stdout=said)
    assert f"match {match.pk}, eyes all: waiting, 0 of ? steps" in said.getvalue()
    for wrong, why in ((["nosuch"], "there is no match"), ([match.pk, "--eyes", "3"], "with the eyes")):
        with pytest.raises(Refusal, match=why):
            call_command("review", *wrong)


def test_the_status_page_tells_the_length_of_the_queue(browser: Client) -> None:
    ask_at_the_shell(closed_match().pk, "all")
    page = browser.get("/status/").content.decode()
    assert "Reviews" in page
    assert "<dt>Waiting</dt><dd>1</dd>" in page


def test_who_takes_their_things_along_finds_the_reviews_that_they_asked_for(browser: Client, ada: User) -> None:
    browser.post(path(closed_match()))
    with export(ada) as file:
        assert b"reviews.json" in file.read()


def test_nothing_of_the_database_is_held_while_a_review_is_reckoned(monkeypatch: pytest.MonkeyPatch) -> None:
    row, let_go = ask_at_the_shell(closed_match().pk, "all"), []
    monkeypatch.setattr(working, "PAGE_SECONDS", 0.0)
    monkeypatch.setattr(working, "_let_go", lambda: let_go.append(1))
    assert reckon(row.pk)
    assert len(let_go) > len(stored(row))
