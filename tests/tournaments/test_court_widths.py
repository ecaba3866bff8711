"""How much bots change from version to version is learnt with the court ratings, stored and told."""

from __future__ import annotations

import pytest

from bots.models import BotVersion
from ftk_core.league.court.fitting import POINT
from ftk_core.league.court.widths import WIDTHS
from tests.support.ladders import NAMES, bot, later, rate, some
from tournaments import court_ratings, ladder_queries
from tournaments.models import ALL_TIME, CourtFit


@pytest.fixture
def field(db: None) -> list[BotVersion]:
    """Six bots that have not played."""
    return [bot(slug) for slug in NAMES]


def test_how_much_versions_change_is_learnt_and_stored(field: list[BotVersion]) -> None:
    rate(some(40, field))
    court_ratings.refit("pig")
    assert CourtFit.objects.get(season=ALL_TIME).width is None, "nobody has a second version"
    newer = [later(version) for version in field]
    rate(some(200, newer))
    court_ratings.refit("pig")
    width = CourtFit.objects.get(season=ALL_TIME).width
    assert width in [round(one * POINT, 2) for one in WIDTHS]
    court_ratings.rebuild("pig")
    assert CourtFit.objects.get(season=ALL_TIME).width == width


def test_a_leaderboard_says_how_much_bots_change_from_version_to_version(field: list[BotVersion]) -> None:
    ada, bo = field[:2]
    rate([((ada, bo), (1, 2))] * 5)
    court_ratings.refit("pig")
    assert ladder_queries.read_ladder("pig").width == "", "nobody has a second version"
    rate([((later(ada), bo), (1, 2))] * 5)
    court_ratings.refit("pig")
    assert 20 < int(ladder_queries.read_ladder("pig").width) < 250
