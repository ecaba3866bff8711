"""When a league ends, the matches of its last round are reviewed without anybody asking."""

from __future__ import annotations

import pytest

from ftk_core.kit.house import house_bots
from replays.review_models import Review
from tests.support.factories import active_version
from tests.support.leagues import play_all
from tournaments import services
from tournaments.models import League
from tournaments.terms import Terms


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_reviews_of_the_last_round_are_asked_for_once_when_a_league_ends() -> None:
    terms = Terms(slug="night", name="Night", game="pig", seats=2, rounds=2, games=1)
    league = services.open_league(terms)
    for number in range(4):
        services.enter_bot(league.pk, active_version(house_bots("pig")["hold20"], slug=f"b{number}"))
    services.start(league.pk)
    assert not Review.objects.exists()
    play_all(league)
    assert League.objects.get(pk=league.pk).status == League.Status.CLOSED
    last = set(league.tables.filter(round=2).values_list("match_id", flat=True))
    asked = list(Review.objects.filter(eyes="all", asked_by=None).values_list("match_id", flat=True))
    assert set(asked) == last
    assert len(asked) == len(last) == 2
