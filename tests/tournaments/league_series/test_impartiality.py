"""Permission to add or remove leagues of a series that have begun: only for people without a bot in the series."""

from __future__ import annotations

import pytest

from people.person_roles import make_organiser
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import create_entrants
from tournaments.league_series.services import LeagueSeriesSettings, add_league, open_series, remove_league
from tournaments.leagues import services
from tournaments.organisers.organiser_permission_checks import MissingRightError

pytestmark = pytest.mark.django_db


def test_an_organiser_with_a_bot_in_a_series_changes_no_begun_league_of_it_not_even_one_without_that_bot() -> None:
    olga = AuthorFactory.create(username="olga")
    make_organiser(olga)
    own, *others = create_own_version("olgas", olga), *create_entrants(2)
    open_series(olga, LeagueSeriesSettings(slug="cup", name="Cup", game="pig"))
    for slug, versions in (("mine", (own, *others)), ("theirs", others), ("third", others)):
        league = open_league(slug=slug, by="olga")
        for version in versions:
            services.enter_bot(league.pk, version)
        if slug != "third":
            add_league(olga, "cup", slug)
        services.start(league.pk)
    with pytest.raises(MissingRightError, match="a bot of yours plays in"):
        remove_league(olga, "cup", "theirs")
    with pytest.raises(MissingRightError, match="a bot of yours plays in"):
        add_league(olga, "cup", "third")
    staff = AuthorFactory.create(is_staff=True)
    remove_league(staff, "cup", "theirs")
    add_league(staff, "cup", "third")
