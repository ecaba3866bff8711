"""Requests for reviews by several people at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connections

from replays.models.reviews import MatchReview
from replays.reviews.review_requests import request_review
from tests.support.factories import AuthorFactory
from tests.support.reviewable import create_closed_match


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
