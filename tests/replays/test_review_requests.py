"""Requests for reviews by several people at the same time, and by tokens of few scopes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections
from rest_framework.test import APIClient

from bots.access.api_tokens import create_token
from replays import match_access
from replays.models import Match
from replays.models.reviews import MatchReview
from replays.reviews.review_requests import request_review
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
