"""A league belongs to a season, in which everybody starts anew."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from ftk_core.league.state import NotNow
from tests.tournaments.test_services import entrants
from tournaments import projections, queries, services
from tournaments.models import Tournament
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_league_belongs_to_the_year_in_which_it_is_opened() -> None:
    tournament = services.open_league(Terms("night", "Night", "pig", 2, 1))
    year = str(tournament.created_at.year)
    assert projections.load(tournament)[1].header.season == year
    assert queries.league("night").season == queries.league_card("night").season == year


def test_an_organiser_calls_a_season_as_they_like() -> None:
    entrants(2)
    out = StringIO()
    call_command("league", "open", "cup", "pig", "--seats", "2", "--rounds", "1", "--season", "autumn-26", stdout=out)
    call_command("league", "show", "cup", stdout=out)
    assert "cup: open, round 0 of 1, season autumn-26" in out.getvalue()


@pytest.mark.parametrize("label", ["", "Autumn", "autumn 26", "spring/26", "2026\n", "a" * 21, "été"])
def test_a_label_that_cannot_be_a_season_is_named_and_answered_with_a_remedy(label: str) -> None:
    with pytest.raises(NotNow, match="1 to 20 of a-z, 0-9 and -, like 2026") as refusal:
        services.open_league(Terms("night", "Night", "pig", 2, 1, season=label))
    assert repr(label) in str(refusal.value)
    with pytest.raises(CommandError, match="cannot be a season"):
        call_command("league", "open", "night", "pig", "--seats", "2", "--season", label)
    assert not Tournament.objects.exists()
