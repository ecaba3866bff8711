"""Requests for reviews: concurrent, repeated, by tokens of few scopes, and for removed games."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connections
from rest_framework.test import APIClient

from bots.access.api_tokens import create_token
from foundation.management_commands import InvalidCommandInputError
from replays import match_access
from replays.models import Match
from replays.models.reviews import MatchReview
from replays.reviews.review_requests import request_for_all, request_review
from replays.reviews.review_scheduling import claim_review, list_in_fair_order
from tests.support.factories import AuthorFactory
from tests.support.reviewable import create_closed_match, create_reviewed_match


@pytest.mark.django_db(transaction=True)
def test_two_people_who_request_the_same_match_review_at_the_same_time_get_the_same_one() -> None:
    match, people, start = create_closed_match(), [AuthorFactory.create() for _ in range(4)], Barrier(4)

    def request(person: User) -> int:
        start.wait(20)
        try:
            return request_review(match.pk, "public", person).pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(request, people)) == {MatchReview.objects.get().pk}


@pytest.mark.django_db
def test_people_take_turns_with_the_match_reviews_that_leagues_requested() -> None:
    request_for_all([create_closed_match().pk, create_closed_match().pk])
    asked = request_review(create_closed_match().pk, "public", AuthorFactory.create())
    assert claim_review(list_in_fair_order()[0], "worker")
    assert list_in_fair_order()[0] == asked.pk


@pytest.mark.slow
@pytest.mark.django_db
def test_a_token_without_the_scope_read_gets_no_review_of_a_match_that_is_not_public(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match_access, "SEE_UNRELEASED_PERMISSION", [lambda *_: True])
    judge, match = AuthorFactory.create(), create_closed_match()
    create_reviewed_match(match, "public")
    Match.objects.update(released=False)

    def request_with(*scopes: str) -> Any:
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {create_token(judge, scopes=list(scopes))}")
        return client.post(f"/api/v1/matches/{match.pk}/review/?eyes=public")

    refused = request_with("play")
    assert (refused.status_code, "review" in refused.json()) == (403, False)
    answered = request_with("play", "read")
    assert (answered.status_code, answered.json()["status"]) == (202, "done")


@pytest.fixture
def client_of_ada() -> APIClient:
    client = APIClient()
    client.force_login(AuthorFactory.create(username="ada"))
    return client


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("eyes", ["own", "all", "public"])
def test_requesting_a_finished_match_review_again_returns_it(client_of_ada: APIClient, eyes: str) -> None:
    match = create_closed_match()
    create_reviewed_match(match, eyes)
    address = f"/api/v1/matches/{match.pk}/review/?eyes={eyes}"
    answer = client_of_ada.post(address)
    assert (answer.status_code, answer.json()) == (202, client_of_ada.get(address).json())
    assert answer.json()["review"]["choices"]


@pytest.mark.django_db
def test_a_review_request_for_a_match_of_a_removed_game_is_refused_with_the_missing_game(
    client_of_ada: APIClient,
) -> None:
    match = create_closed_match()
    Match.objects.update(game="chess")
    answer = client_of_ada.post(f"/api/v1/matches/{match.pk}/review/?eyes=all")
    assert (answer.status_code, "'chess'" in answer.json()["detail"]) == (404, True)
    with pytest.raises(InvalidCommandInputError, match="'chess'"):
        call_command("review", match.pk)
