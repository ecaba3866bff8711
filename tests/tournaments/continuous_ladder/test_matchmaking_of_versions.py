"""Matchmaking of the continuous ladder beside new versions and changes of versions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.db import transaction

from tests.support.bouts import start_continuous_ladder
from tests.support.factories import create_active_version
from tests.support.ladders import add_version
from tournaments.continuous_ladder import ladder_matchmaking
from tournaments.models.continuous_ladders import Bout, ContinuousLadder

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_by_itself(settings: Any) -> None:
    settings.LADDER_RATE = 0


@transaction.atomic
def start_bout(at: int) -> bool:
    """Start the next bout at a time in seconds; return False if there are too few bots."""
    return ladder_matchmaking.start_next_bout(ContinuousLadder.objects.select_for_update().get(), at)


def start_bouts(count: int) -> Counter[int]:
    """Start bouts, and return how many of them each version plays."""
    first = ContinuousLadder.objects.get().called
    for at in range(count):
        assert start_bout(at)
    new = Bout.objects.filter(number__gt=first)
    return Counter(new.values_list("match__seats__version", flat=True))


@pytest.mark.slow
def test_only_a_new_version_of_a_bot_whose_version_before_played_much_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ladder_matchmaking, "EARNING_BOUTS", 8)
    monkeypatch.setattr(ladder_matchmaking, "FIRST_BOUTS", 4)
    versions = [create_active_version() for _ in range(6)]
    start_continuous_ladder()
    start_bouts(30)
    newer = add_version(versions[0])
    assert start_bouts(4)[newer.pk] == 4
    newest = add_version(newer)
    assert start_bouts(1)[newest.pk] == 1, "a version that has never played comes first once"
    assert start_bouts(12)[newest.pk] <= 5, "twelve bouts of six bots have 24 seats"


def test_no_bout_starts_with_a_missing_seat_if_a_version_is_retired_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(4):
        create_active_version()
    start_continuous_ladder()
    list_active = ladder_matchmaking.list_active
    monkeypatch.setattr(ladder_matchmaking, "list_active", lambda ids: list_active(ids)[1:])
    assert not start_bout(0)
    assert not Bout.objects.exists()
