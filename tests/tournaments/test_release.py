"""Replays are everybody's at once, after the round, or after the league; an organiser may release them earlier."""

from __future__ import annotations

import pytest

from ftk_core.league import organising
from ftk_core.league.plans import Release
from ftk_core.league.state import NotNow
from replays.models import Match
from tests.support.leagues import entrants, new_league, play_all
from tests.support.stages import HAND, Run, stage
from tournaments.projections import load
from tournaments.verbs import perform


def a_run(release: Release) -> Run:
    """A league with one round that is over and one that is played."""
    run = Run(stage("swiss", rounds=2), entries=4, release=release)
    run.pair()
    run.play()
    run.pair()
    return run


@pytest.mark.parametrize(("release", "released"), [("at_once", [1, 2, 3]), ("after_round", [1]), ("after_league", [])])
def test_the_terms_say_which_rounds_are_released(release: Release, released: list[int]) -> None:
    league = a_run(release).league
    assert [number for number in (1, 2, 3) if league.is_released(number)] == released


def test_an_organiser_releases_a_round_or_all_and_those_to_come() -> None:
    run = a_run("after_league")
    run.happens(organising.release(run.league, 2, HAND))
    assert [run.league.is_released(number) for number in (1, 2, 3)] == [False, True, False]
    run.happens(organising.release(run.league, 0, HAND))
    assert all(run.league.is_released(number) for number in (1, 2, 3))


@pytest.mark.parametrize(
    ("release", "round_", "why"),
    [
        ("at_once", 1, "round 1 are released already"),
        ("at_once", 0, "are released already"),
        ("after_round", 1, "round 1 are released already"),
        ("after_league", 3, "has no round 3 yet; 0 releases all"),
        ("after_league", -1, "has no round -1 yet"),
    ],
)
def test_what_is_released_or_not_there_is_not_released_again(release: Release, round_: int, why: str) -> None:
    with pytest.raises(NotNow, match=why):
        organising.release(a_run(release).league, round_, HAND)


@pytest.mark.parametrize("text", ["", " \n ", "x" * 201, "a\0b"])
def test_a_notice_is_one_line_that_can_be_shown(text: str) -> None:
    with pytest.raises(NotNow, match="an announcement has 1 to 200 characters that can be shown"):
        organising.announce(a_run("at_once").league, text, HAND)
    assert organising.announce(a_run("at_once").league, " two\nlines ", HAND).text == "two lines"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_matches_follow_the_stream_until_all_are_released_when_the_league_is_over() -> None:
    league = new_league(entrants(4), release="after_league")
    assert not Match.objects.filter(released=True).exists()
    perform(league, "release", {"round": 1}, HAND)
    assert set(league.tables.filter(match__released=True).values_list("round", flat=True)) == {1}
    play_all(league)
    assert load(league)[1].closed
    assert not Match.objects.filter(released=False).exists()
