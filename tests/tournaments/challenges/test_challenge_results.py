"""Results of challenges: recording at the same time, and intervals."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections

from people.account_erasure import erase_person
from replays.models import Match
from replays.tasks import play_next
from tests.support.bouts import SILENT
from tests.support.factories import AuthorFactory, create_active_version
from tournaments.challenges import services as challenge_services
from tournaments.challenges.services import ChallengeRequest, challenge
from tournaments.league_limits import CHALLENGES
from tournaments.models import Rating

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ada() -> User:
    person: User = AuthorFactory.create(username="ada")
    create_active_version(slug="mine", owner=person)
    create_active_version(SILENT, slug="bold")
    return person


def wanted(**more: Any) -> ChallengeRequest:
    return ChallengeRequest(**{"bot": "mine", "against": ("bold",), "matches": 4, **more})


def test_matches_of_one_deal_that_end_at_the_same_time_are_recorded_without_a_deadlock(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    challenge(ada, wanted(duplicate=True, matches=2))
    while play_next("friendly"):
        pass
    matches = list(Match.objects.values_list("pk", flat=True))
    barrier, rate = Barrier(2), challenge_services.rate_bouts

    def rate_together(*words: Any) -> None:
        with suppress(BrokenBarrierError):  # the other transaction waits for this one
            barrier.wait(2)
        rate(*words)

    monkeypatch.setattr(challenge_services, "rate_bouts", rate_together)

    def record(match: str) -> bool:
        try:
            return challenge_services.record(match)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(record, matches)) == [True, True]
    assert set(Match.objects.values_list("released", flat=True)) == {True}


def test_matches_of_a_challenge_are_rated_to_the_end_after_the_erasure_of_its_author(ada: User) -> None:
    challenge(ada, wanted(matches=2))
    erase_person(ada)
    while play_next("friendly"):
        pass
    for match in Match.objects.values_list("pk", flat=True):
        assert challenge_services.record(match)
    assert Rating.objects.filter(season=CHALLENGES, matches=2).count() == 2
