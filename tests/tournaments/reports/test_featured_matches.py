"""The page that shows one interesting match after another: leaders of the league, and the choice of the match."""

from __future__ import annotations

from random import Random

import pytest
from django.utils import timezone

from ftk_core.league.event_fields import StageSettings
from replays.models import Match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.leagues import create_entrants, end_matches, start_league
from tournaments.models import League
from tournaments.reports.featured_matches_page_content import read_programme

pytestmark = pytest.mark.django_db
CUP = (StageSettings(format="swiss", seats=2, rounds=1), StageSettings(format="knockout", seats=2, qualify=4))


def begin_knockout() -> League:
    """Return a cup of six bots whose knockout of the best four has begun."""
    league = start_league(create_entrants(6), stages=CUP)
    end_matches(league, Random(1))
    league.refresh_from_db()
    assert league.round == 2
    return league


@pytest.mark.slow
def test_the_leaders_of_a_cup_whose_knockout_has_begun_are_the_bots_in_the_knockout() -> None:
    league = begin_knockout()
    leaders = read_programme().leaders
    finalists = set(league.entrants.filter(place__lte=4).values_list("name", flat=True))
    assert {name for _, name, _ in leaders[:4]} == finalists
    assert [place >= 5 for place, _, _ in leaders[4:]] == [True, True]


@pytest.mark.slow
def test_a_match_of_the_first_knockout_round_is_more_interesting_than_a_match_outside_leagues() -> None:
    league = begin_knockout()
    friendly = create_waiting_match([create_active_version(slug=slug) for slug in ("ada", "bo")])
    Match.objects.filter(status=Match.Status.WAITING).update(status=Match.Status.PLAYING, opened_at=timezone.now())
    Match.objects.filter(pk=friendly.pk).update(released=True)
    shown, others = read_programme().shown, read_programme().live
    finals = set(league.tables.filter(round=2).values_list("match_id", flat=True))
    assert shown is not None
    assert {shown.id, *(match.id for match in others[:1])} == finals
    assert others[-1].id == friendly.pk


def test_a_bot_with_a_bye_in_the_first_knockout_round_of_a_cup_is_among_the_leaders() -> None:
    league = start_league(create_entrants(3))
    end_matches(league, Random(1))
    (rested,) = league.entrants.filter(played=0)
    assert rested.name in [name for _, name, _ in read_programme().leaders]


def test_a_league_in_its_first_round_has_no_leaders() -> None:
    start_league(create_entrants(4))
    Match.objects.update(status=Match.Status.PLAYING, opened_at=timezone.now())
    programme = read_programme()
    assert (programme.league, programme.leaders) == ("Night", [])
