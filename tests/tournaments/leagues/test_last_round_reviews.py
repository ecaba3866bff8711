"""Reviews of the last round, requested at the end of a league."""

from __future__ import annotations

import pytest

from ftk_core.kit.built_in_bots import list_built_in_bots
from replays.models.reviews import MatchReview
from tests.support.factories import create_active_version
from tests.support.leagues import play_all
from tournaments.leagues import services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League

pytestmark = pytest.mark.slow


@pytest.mark.django_db(transaction=True)
def test_the_end_of_a_league_requests_reviews_of_the_matches_of_its_last_round_once() -> None:
    terms = LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=2, games=1)
    league = services.open_league(terms)
    for number in range(4):
        services.enter_bot(league.pk, create_active_version(list_built_in_bots("pig")["hold20"], slug=f"b{number}"))
    services.start(league.pk)
    assert not MatchReview.objects.exists()
    play_all(league)
    assert League.objects.get(pk=league.pk).status == League.Status.CLOSED
    last = set(league.tables.filter(round=2).values_list("match_id", flat=True))
    asked = list(MatchReview.objects.filter(eyes="own", asked_by=None).values_list("match_id", flat=True))
    assert set(asked) == last
    assert len(asked) == len(last) == 2
