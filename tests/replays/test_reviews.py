"""Reviews on the server: requests, computation despite crashes, budgets, and access."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from bots.jobs.fair_job_scheduling import KINDS
from foundation.management_commands import InvalidCommandInputError
from ftk_core import match_fork
from ftk_core.analysis.match_review import review
from ftk_core.analysis.match_review_document import build_review_document
from ftk_core.games import build_of, list_games
from ftk_core.hash_chained_log import LogWriteConflictError, lines_of
from ftk_core.kit.match_series.playout_policies import load_policy
from ftk_core.match_moves import moves_of
from people.account_erasure import export_person
from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.models.reviews import MatchReview
from replays.reviews import review_computation
from replays.reviews.review_computation import _ReviewComputation, compute_review, review_next
from replays.reviews.review_requests import request_from_shell, request_review
from replays.reviews.review_scheduling import claim_review, count_waiting, read_queue
from tests.support.factories import AuthorFactory
from tests.support.live import play_log_lines
from tests.support.reviewable import create_closed_match, create_reviewed_match

pytestmark = pytest.mark.django_db
PLAYOUTS = 4


@pytest.fixture(autouse=True)
def quick(settings: Any) -> None:
    """Make reviews quick and imprecise."""
    settings.REVIEWS = {**settings.REVIEWS, "playouts": PLAYOUTS}


@pytest.fixture
def ada() -> User:
    """A person with an account."""
    person: User = AuthorFactory.create(username="ada")
    return person


@pytest.fixture
def browser(ada: User) -> Client:
    """The browser of that person, signed in."""
    client = Client()
    client.force_login(ada)
    return client


def path(match: Match, eyes: str = "all") -> str:
    return f"/api/v1/matches/{match.pk}/review/?eyes={eyes}"


def stored(row: MatchReview) -> list[bytes]:
    return [line + b"\n" for line in lines_of(EventAppender(row.stream_id))]


def test_a_requested_match_review_is_computed_by_a_worker_and_shown_to_everybody(browser: Client) -> None:
    match = create_closed_match()
    assert browser.get(path(match)).json()["status"] == "not asked"
    asked = browser.post(path(match))
    assert (asked.status_code, asked.json()["status"]) == (202, "waiting")
    assert KINDS["reviews"].count_waiting() == 1
    assert review_next()
    told = browser.get(path(match)).json()
    assert (told["status"], told["done"]) == ("done", told["total"])
    moves = moves_of([line.rstrip(b"\n") for line in play_log_lines("pig", 2)])
    again = build_review_document(review(moves, load_policy(moves.game, "", 2), PLAYOUTS, "all", build_of("pig")))
    assert told["review"]["curve"] == [
        {"frame": p.frame, "playouts": p.playouts, "shares": list(p.shares), "margins": list(p.margins)}
        for p in again.curve
    ]
    assert told["review"]["schema"] == "ftk.review/1"
    assert not review_next()


def test_another_worker_resumes_the_match_review_of_a_dead_worker() -> None:
    whole = create_reviewed_match(create_closed_match())
    match = create_closed_match()
    row = request_from_shell(match.pk, "all")
    fence = claim_review(row.pk, "dead")
    assert fence is not None
    begun = EventAppender(row.stream_id, fence)
    begun.append(stored(whole)[:5], 0)
    assert not compute_review(row.pk)  # another worker has leased it
    MatchReview.objects.filter(pk=row.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert compute_review(row.pk)
    row.refresh_from_db()
    assert (row.status, row.attempts) == (MatchReview.Status.DONE, 2)
    assert stored(row) == stored(whole)
    with pytest.raises(LogWriteConflictError):
        begun.append([b"late\n"], 5)


def test_a_worker_that_lost_its_lease_stores_no_more_of_a_match_review() -> None:
    row = request_from_shell(create_closed_match().pk, "all")
    fence = claim_review(row.pk, "slow")
    assert fence is not None
    slow = MatchReview.objects.select_related("match").get(pk=row.pk)
    MatchReview.objects.filter(pk=row.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert compute_review(row.pk)
    before = stored(row)
    with pytest.raises(LogWriteConflictError):
        _ReviewComputation(slow, fence).run()
    assert stored(row) == before


def test_a_match_review_started_by_another_software_build_is_restarted_from_the_beginning(settings: Any) -> None:
    whole = create_reviewed_match(create_closed_match())
    row = request_from_shell(create_closed_match().pk, "all")
    first = json.loads(stored(whole)[0]) | {"build": "an older one"}
    old = [json.dumps(first).encode() + b"\n", *stored(whole)[1:4]]
    EventAppender(row.stream_id).append(old, 0)
    spent = 1000 * settings.REVIEWS["match_seconds"]
    MatchReview.objects.filter(pk=row.pk).update(cpu_ms=spent)
    assert compute_review(row.pk)
    row.refresh_from_db()
    assert (row.edition, row.status) == (2, "done"), "the time that another build spent does not count"
    assert row.cpu_ms < spent
    assert stored(row) == stored(whole)


def test_a_match_review_over_its_processor_time_budget_is_stopped_with_a_reason(settings: Any, browser: Client) -> None:
    settings.REVIEWS = {**settings.REVIEWS, "match_seconds": 0}
    match = create_closed_match()
    row = request_from_shell(match.pk, "all")
    assert compute_review(row.pk)
    told = browser.get(path(match)).json()
    assert told["status"] == "given up"
    assert "more than the 0 seconds of processor time" in told["reason"]
    assert browser.post(path(match)).json()["status"] == "given up"
    settings.REVIEWS = {**settings.REVIEWS, "match_seconds": 600}
    call_command("review", match.pk, eyes="all", again=True, stdout=StringIO())
    assert compute_review(row.pk)
    assert browser.get(path(match)).json()["status"] == "done"


def test_match_reviews_over_the_daily_processor_time_budget_wait_for_the_next_day(settings: Any) -> None:
    done = create_reviewed_match(create_closed_match())
    MatchReview.objects.filter(pk=done.pk).update(cpu_ms=5000)
    settings.REVIEWS = {**settings.REVIEWS, "day_seconds": 5}
    request_from_shell(create_closed_match().pk, "all")
    assert (count_waiting(), read_queue().waiting, read_queue().spent) == (0, 1, 5)
    assert not review_next()
    yesterday = timezone.now() - timedelta(days=1)
    MatchReview.objects.filter(pk=done.pk).update(begun_at=yesterday, ended_at=yesterday)
    assert count_waiting() == 1
    assert review_next()


def test_a_request_for_a_match_review_over_the_quota_is_refused_until_later(
    settings: Any, ada: User, browser: Client
) -> None:
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "reviews_each": 1}
    match, other = create_closed_match(), create_closed_match()
    assert browser.post(path(match)).status_code == 202
    assert browser.post(path(match)).status_code == 202  # requesting an existing review does not count
    answer = browser.post(path(other))
    assert (answer.status_code, answer.json()["code"]) == (429, "quota")
    MatchReview.objects.update(asked_at=timezone.now() - timedelta(days=2))
    assert browser.post(path(other)).status_code == 202
    assert set(MatchReview.objects.values_list("asked_by", flat=True)) == {ada.pk}


def test_a_review_request_is_refused_to_visitors_and_for_running_or_void_matches(browser: Client) -> None:
    match = create_closed_match()
    assert Client().post(path(match)).status_code == 401
    for status, code in ((Match.Status.PLAYING, "not_ended"), (Match.Status.VOID, "void")):
        Match.objects.filter(pk=match.pk).update(status=status)
        answer = browser.post(path(match, "public"))
        assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert browser.get(path(match, "0")).status_code == 404
    assert browser.get("/api/v1/matches/nosuch/review/").status_code == 404
    assert not MatchReview.objects.exists()


@pytest.mark.slow
def test_the_review_of_a_match_is_hidden_until_the_match_is_released(browser: Client, ada: User) -> None:
    match = create_closed_match()
    create_reviewed_match(match)
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
    assert request_review(match.pk, "all", ada).status == "done"


def test_a_game_that_cannot_resample_hidden_information_has_no_public_match_reviews(
    monkeypatch: pytest.MonkeyPatch, browser: Client
) -> None:
    match = create_closed_match()
    monkeypatch.setitem(list_games(), "pig", replace(list_games()["pig"], resample=None))  # type: ignore[arg-type]  # read-only
    monkeypatch.setattr(match_fork, "has_secrets", lambda _game: True)
    answer = browser.post(path(match, "public"))
    assert (answer.status_code, answer.json()["code"]) == (409, "eyes")
    assert "choose the eyes `all`" in answer.json()["detail"]


def test_the_review_command_requests_a_match_review_and_shows_its_progress() -> None:
    match, said = create_closed_match(), StringIO()
    call_command("review", match.pk, stdout=said)
    assert f"match {match.pk}, eyes own: waiting, 0 of ? steps" in said.getvalue()
    for wrong, why in ((["nosuch"], "there is no match"), ([match.pk, "--eyes", "3"], "with the eyes")):
        with pytest.raises(InvalidCommandInputError, match=why):
            call_command("review", *wrong)


def test_the_status_page_shows_the_length_of_the_review_queue(browser: Client) -> None:
    request_from_shell(create_closed_match().pk, "all")
    page = browser.get("/status/").content.decode()
    assert "Reviews" in page
    assert "<dt>Waiting</dt><dd>1</dd>" in page


def test_the_data_export_of_a_person_contains_their_requested_match_reviews(browser: Client, ada: User) -> None:
    match = create_closed_match()
    browser.post(path(match))
    request_from_shell(create_closed_match().pk, "all")
    with export_person(ada) as file, ZipFile(file) as archive:
        assert [row["match"] for row in json.loads(archive.read("reviews.json"))] == [match.pk]


@pytest.mark.slow
def test_computing_a_match_review_holds_no_database_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    row, let_go = request_from_shell(create_closed_match().pk, "all"), []
    monkeypatch.setattr(review_computation, "PAGE_SECONDS", 0.0)
    monkeypatch.setattr(review_computation, "_close_connections", lambda: let_go.append(1))
    assert compute_review(row.pk)
    assert len(let_go) > len(stored(row))
