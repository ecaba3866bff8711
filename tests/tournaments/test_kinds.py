"""What is won from outside counts on ladders of its own, unless the organiser mixes them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.entering import opened
from tests.support.factories import active_version
from tests.support.leagues import play_all
from tests.support.seats import remote_version
from tournaments import services
from tournaments.models import Rating

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("terms", "seasons"),
    [({}, {"outside"}), ({"mixed": True, "season": "2026"}, {"", "2026"})],
    ids=["of its own", "mixed"],
)
def test_a_league_with_remote_bots_counts_where_it_should(
    settings: Any, terms: dict[str, Any], seasons: set[str]
) -> None:
    settings.SEATS = {**settings.SEATS, "grace_seconds": 0}
    league = opened(kinds=("uploaded", "remote"), **terms)
    for version in (active_version(), remote_version()):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    play_all(league)
    assert set(Rating.objects.values_list("season", flat=True)) == seasons
