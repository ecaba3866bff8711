"""Matchmaking of the continuous ladder beside new versions and changes of versions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.db import transaction

from bots.models import BotVersion
from bots.versions.activation import activate_version
from ftk_core.league import matchmaking
from tests.support.bouts import start_continuous_ladder
from tests.support.factories import create_active_version
from tests.support.ladders import add_version
from tournaments.continuous_ladder import ladder_matchmaking
from tournaments.models.continuous_ladders import Bout, ContinuousLadder, ContinuousLadderBotVersion

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


@pytest.fixture
def first(monkeypatch: pytest.MonkeyPatch) -> BotVersion:
    """The version of one of six bots that all have played and that meets no other bot unless it is chosen first."""
    version, *_ = [create_active_version() for _ in range(6)]
    monkeypatch.setattr(
        ladder_matchmaking, "_count_meetings", lambda _ladder, _bot: Counter({version.bot_id: 1_000_000})
    )
    start_continuous_ladder()
    start_bouts(6)
    return version


def test_a_bot_that_changes_its_version_still_waits_for_its_turn(
    first: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matchmaking, "CAUGHT_UP_MATCHES", 1)
    newer = add_version(first)
    start_bouts(6)
    while not start_bouts(1)[newer.pk]:
        pass
    activate_version(first.bot.owner_id, first.bot.slug, first.number)
    assert not start_bouts(1)[first.pk], "the others have waited longer"


def test_an_older_version_that_is_activated_again_gains_no_bouts_from_a_newer_one_that_played_much(
    first: BotVersion,
) -> None:
    newer = add_version(first)
    assert start_bouts(1)[newer.pk] == 1
    ContinuousLadderBotVersion.objects.filter(version=newer).update(sat={"2": [30, 30]})
    activate_version(first.bot.owner_id, first.bot.slug, first.number)
    assert not start_bouts(12)[first.pk]


def test_no_bout_starts_with_a_missing_seat_if_a_version_is_retired_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(4):
        create_active_version()
    start_continuous_ladder()
    list_active = ladder_matchmaking.list_active
    monkeypatch.setattr(ladder_matchmaking, "list_active", lambda ids: list_active(ids)[1:])
    assert not start_bout(0)
    assert not Bout.objects.exists()
