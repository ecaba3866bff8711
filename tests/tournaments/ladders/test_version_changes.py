"""Estimated change of strength between versions: it is stored with the court ratings and shown."""

from __future__ import annotations

import pytest
from django.test import Client

from bots.models import BotVersion
from bots.versions.activation import activate_version
from ftk_core.league.court_rating.bot_version_change_prior import WIDTHS
from ftk_core.league.court_rating.rating_fit import POINTS_PER_STRENGTH
from tests.support.ladders import NAMES, add_version, create_bot, draw_results, rate_results
from tournaments.ladders import ladder_court_ratings, queries as ladder_queries
from tournaments.models import ALL_TIME, CourtRating, CourtRatingFit

pytestmark = pytest.mark.slow


@pytest.fixture
def field(db: None) -> list[BotVersion]:
    """Six bots without a match."""
    return [create_bot(slug) for slug in NAMES]


def test_the_typical_change_of_strength_between_bot_versions_is_estimated_and_stored(field: list[BotVersion]) -> None:
    rate_results(draw_results(40, field))
    ladder_court_ratings.refit("pig")
    assert CourtRatingFit.objects.get(season=ALL_TIME).width is None, "nobody has a second version"
    newer = [add_version(version) for version in field]
    rate_results(draw_results(200, newer))
    ladder_court_ratings.refit("pig")
    width = CourtRatingFit.objects.get(season=ALL_TIME).width
    assert width in [round(one * POINTS_PER_STRENGTH, 2) for one in WIDTHS]
    ladder_court_ratings.rebuild("pig")
    assert CourtRatingFit.objects.get(season=ALL_TIME).width == width


def test_a_leaderboard_shows_the_typical_change_of_strength_between_bot_versions(
    field: list[BotVersion], client: Client
) -> None:
    ada, bo = field[:2]
    rate_results([((ada, bo), (1, 2))] * 5)
    ladder_court_ratings.refit("pig")
    assert ladder_queries.read_ladder("pig").width == "", "nobody has a second version"
    rate_results([((add_version(ada), bo), (1, 2))] * 5)
    ladder_court_ratings.refit("pig")
    width = ladder_queries.read_ladder("pig").width
    assert 20 < int(width) < 250
    assert f"changes by about {width} points" in client.get("/leaderboards/pig/").content.decode()


def test_the_rating_of_a_bot_is_that_of_its_newest_active_version(field: list[BotVersion]) -> None:
    ada, *others = field
    newer = add_version(ada)
    rate_results([((ada, one), (2, 1)) for one in others])
    rate_results([((newer, others[0]), (1, 2))] * 3)
    ladder_court_ratings.refit("pig")
    lucky = CourtRating.objects.get(bot=ada.bot, season=ALL_TIME)
    assert lucky.version == newer.number
    activate_version(ada.bot.owner_id, ada.bot.slug, ada.number)
    assert [ladder_court_ratings.refit("pig") for _ in range(2)] == [2, 0], "both ladders, without a new match"
    rated = CourtRating.objects.get(bot=ada.bot, season=ALL_TIME)
    assert (rated.version, rated.value < lucky.value) == (ada.number, True)
    BotVersion.objects.filter(bot=ada.bot).update(status=BotVersion.Status.RETIRED)
    assert [ladder_court_ratings.refit("pig") for _ in range(2)] == [2, 0]
    assert CourtRating.objects.get(bot=ada.bot, season=ALL_TIME).version == newer.number


def test_ladders_that_the_previous_release_has_fitted_are_fitted_again(field: list[BotVersion]) -> None:
    rate_results(draw_results(5, field))
    ladder_court_ratings.refit("pig")
    CourtRating.objects.update(fitted_versions=None)  # as release 1.0.0, which does not know the column, stores ratings
    assert [ladder_court_ratings.refit("pig") for _ in range(2)] == [2, 0]
