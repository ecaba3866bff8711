"""Release of replays to the public: at once, after the round, after the league, or earlier by an organiser."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from ftk_core.league import organiser_command_handlers
from ftk_core.league.event_fields import Release
from ftk_core.league.league_state import CommandRejected
from replays.models import Match
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version
from tests.support.leagues import create_entrants, perform_act, play_all, start_league
from tests.support.stages import ORGANISER, LeagueRun, stage
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.queries import find_league_of_match
from tournaments.models.organiser_roles import LeagueRole
from tournaments.organisers.organiser_action_submission import enter_own


def a_run(release: Release) -> LeagueRun:
    """Return a league with one finished round and one running round."""
    run = LeagueRun(stage("swiss", rounds=2), entries=4, release=release)
    run.pair()
    run.play()
    run.pair()
    return run


@pytest.mark.parametrize(("release", "released"), [("at_once", [1, 2, 3]), ("after_round", [1]), ("after_league", [])])
def test_a_league_setting_defines_when_the_replays_of_a_round_become_public(
    release: Release, released: list[int]
) -> None:
    league = a_run(release).league
    assert [number for number in (1, 2, 3) if league.is_released(number)] == released


def test_an_organiser_can_release_the_replays_of_one_round_or_of_all_rounds() -> None:
    run = a_run("after_league")
    run.append(organiser_command_handlers.release_replays(run.league, 2, ORGANISER))
    assert [run.league.is_released(number) for number in (1, 2, 3)] == [False, True, False]
    run.append(organiser_command_handlers.release_replays(run.league, 0, ORGANISER))
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
def test_releasing_the_replays_of_a_released_or_missing_round_is_refused(
    release: Release, round_: int, why: str
) -> None:
    with pytest.raises(CommandRejected, match=why):
        organiser_command_handlers.release_replays(a_run(release).league, round_, ORGANISER)


@pytest.mark.parametrize("text", ["", " \n ", "x" * 201, "a\0b"])
def test_an_announcement_of_an_organiser_must_be_one_printable_line(text: str) -> None:
    with pytest.raises(CommandRejected, match="an announcement has 1 to 200 characters that can be shown"):
        organiser_command_handlers.announce_message(a_run("at_once").league, text, ORGANISER)
    assert (
        organiser_command_handlers.announce_message(a_run("at_once").league, " two\nlines ", ORGANISER).text
        == "two lines"
    )


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_end_of_a_league_releases_the_replays_of_all_its_matches() -> None:
    league = start_league(create_entrants(4), release="after_league")
    assert not Match.objects.filter(released=True).exists()
    perform_act(league, "release", {"round": 1}, ORGANISER)
    assert set(league.tables.filter(match__released=True).values_list("round", flat=True)) == {1}
    play_all(league)
    assert load(league)[1].closed
    assert not Match.objects.filter(released=False).exists()
    order = list(league.tables.order_by("round", "number", "game").values_list("match_id", flat=True))
    found = [find_league_of_match(match) for match in order]
    assert [place.next_match for place in found if place] == [*order[1:], None], "each match leads to the next one"
    Match.objects.filter(pk=order[1]).update(released=False)
    skipping = find_league_of_match(order[0])
    assert skipping
    assert skipping.next_match == order[2]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("release", ["at_once", "after_league"])
@pytest.mark.parametrize("role", ["judge", "staff"])
def test_a_person_who_can_watch_unreleased_matches_cannot_enter_a_bot_meanwhile(role: str, release: str) -> None:
    league = start_league(create_entrants(2), late=2, release=release)
    person: User = AuthorFactory.create(username="jo", is_staff=role == "staff")
    if role == "judge":
        LeagueRole.objects.create(league=league, person=person, role=LeagueRole.Role.JUDGE)
    create_own_version("late", person)
    Match.objects.update(opened_at=timezone.now())
    if release == "at_once":
        assert enter_own(person, "night", "late").entry == 3
        return
    with pytest.raises(CommandRejected, match="you can watch matches of Night that are not released yet"):
        enter_own(person, "night", "late")
    Match.objects.update(opened_at=None)
    assert enter_own(person, "night", "late").entry == 3
