"""Previews of organisers' acts: they store nothing, and they predict the effects of the act."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ftk_core.league.event_fields import StageSettings
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.factories import AuthorFactory
from tests.support.league_entries import open_league
from tests.support.leagues import create_entrants, read_stored
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load
from tournaments.models import League, LeagueMatch
from tournaments.organisers.drafted_round import build_draft_board
from tournaments.organisers.organiser_action_preview import OutdatedActionPreviewError
from tournaments.organisers.organiser_action_submission import preview_act, propose_or_act
from tournaments.reports.league_page_queries import list_standings

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def held_league(bots: int = 6, **terms: Any) -> tuple[League, User]:
    """Return a league of olga whose rounds wait as drafts, with its first round played and its second one drafted."""
    olga: User = AuthorFactory.create(username="olga")
    league = open_league(by="olga", held=True, rounds=3, late=3, release="after_league", **terms)
    for version in create_entrants(bots):
        services.enter_bot(league.pk, version)
    propose_or_act(olga, league, "start", {})
    propose_or_act(olga, league, "begin", {})
    play_waiting()
    return league, olga


def play_waiting() -> None:
    for match in Match.objects.filter(status=Match.Status.WAITING).order_by("pk"):
        assert play_match(match.pk)
        services.record_match(match.pk)


def play_next() -> None:
    match = Match.objects.filter(status=Match.Status.WAITING).earliest("pk")
    assert play_match(match.pk)
    services.record_match(match.pk)


def test_the_preview_of_the_start_reveals_nothing_of_the_draw() -> None:
    """On a ladder the places after the draw are the tables of the next round."""
    stages = (StageSettings(format="ladder", seats=2, rounds=2),)
    olga: User = AuthorFactory.create(username="olga")
    league = open_league(by="olga", stages=stages)
    for version in create_entrants(6):
        services.enter_bot(league.pk, version)
    before = {row.name: row.place for row in list_standings(league.slug)}
    assert preview_act(olga, league, "start", {}).places == []
    propose_or_act(olga, league, "start", {})
    assert {row.name: row.place for row in list_standings(league.slug)} != before, "the draw gives other places"


def test_an_organiser_action_whose_effects_changed_since_the_preview_is_refused() -> None:
    league, olga = held_league(4)
    first = LeagueMatch.objects.filter(league=league, round=1).earliest("pk").match_id
    shown = preview_act(olga, league, "void", {"match": first})
    other = LeagueMatch.objects.filter(league=league, round=1).latest("pk").match_id
    propose_or_act(olga, league, "void", {"match": other}, "it was too loud")
    stored = read_stored(league)
    with pytest.raises(OutdatedActionPreviewError) as outdated:
        propose_or_act(olga, league, "void", {"match": first}, "because", shown.digest)
    assert read_stored(league) == stored
    assert outdated.value.effects.digest != shown.digest


@pytest.mark.nightly
@pytest.mark.parametrize("verb", ["close", "end", "withdraw"])
def test_results_that_arrive_after_a_preview_are_counted_and_do_not_prevent_the_action(verb: str) -> None:
    olga, league = AuthorFactory.create(username="olga"), open_league(by="olga", rounds=3)
    for version in create_entrants(6):
        services.enter_bot(league.pk, version)
    propose_or_act(olga, league, "start", {})
    arguments = {"entry": 1} if verb == "withdraw" else {}
    shown = preview_act(olga, league, verb, arguments)
    assert shown.awaits_results
    play_next()
    play_next()
    now = preview_act(olga, league, verb, arguments)
    assert verb == "withdraw" or len(now.described) == len(shown.described) - 2
    assert propose_or_act(olga, league, verb, arguments, "the hall closes", shown.digest) is None
    assert len(load(league)[1].results) == 2


@pytest.mark.parametrize("between", ["the draft was changed", "another round was drafted"])
def test_beginning_a_drafted_round_needs_a_new_preview_if_another_draft_waits_now(between: str) -> None:
    league, olga = held_league(4)
    shown = preview_act(olga, league, "begin", {})
    if between == "the draft was changed":
        propose_or_act(olga, league, "redraft", {}, "two of one club meet")
    else:
        propose_or_act(olga, league, "begin", {})
        play_waiting()
    assert load(league)[1].draft
    with pytest.raises(OutdatedActionPreviewError):
        propose_or_act(olga, league, "begin", {}, "", shown.digest)


@pytest.mark.parametrize("between", ["another match is void", "another round begins"])
def test_closing_a_league_needs_a_new_preview_if_the_matches_to_be_voided_have_changed(between: str) -> None:
    olga, league = AuthorFactory.create(username="olga"), open_league(by="olga", rounds=3)
    for version in create_entrants(4):
        services.enter_bot(league.pk, version)
    propose_or_act(olga, league, "start", {})
    shown = preview_act(olga, league, "close", {})
    if between == "another round begins":
        play_next()
        play_next()
        assert load(league)[1].playing == 2
    else:
        match = LeagueMatch.objects.filter(league=league).earliest("pk").match_id
        propose_or_act(olga, league, "void", {"match": match}, "it was too loud")
    with pytest.raises(OutdatedActionPreviewError):
        propose_or_act(olga, league, "close", {}, "the hall closes", shown.digest)


def test_the_page_of_a_drafted_round_marks_each_pairing_conflict_at_a_table() -> None:
    league, olga = held_league(4)
    state = load(league)[1]
    assert state.draft
    one, other = state.draft.tables[0].seating
    names = [state.entrant(entry).name for entry in (one, other)]
    propose_or_act(olga, league, "forbid", {"one": one, "other": other}, "they share an idea")
    board = build_draft_board(load(league)[1])
    assert board
    first = board.tables[0]
    assert sorted(seat.name for seat in first.seats) == sorted(names)
    assert any("must not meet" in conflict for conflict in first.conflicts)
    met = {frozenset(table.seating) for table in state.rounds[0].tables}
    for table in board.tables:
        pair = frozenset(seat.entry for seat in table.seats)
        assert any("have met" in conflict for conflict in table.conflicts) == (pair in met)


def test_the_page_of_a_drafted_round_shows_points_and_previous_seats_of_each_entry() -> None:
    league, olga = held_league(3)
    state = load(league)[1]
    board = build_draft_board(state)
    assert board
    seated = {seat.name: seat for table in board.tables for seat in table.seats} | {s.name: s for s in board.resting}
    assert {name: seat.points for name, seat in seated.items()} == {
        row.name: row.points for row in list_standings(league.slug)
    }
    first, second = (state.entrant(entry).name for entry in state.rounds[0].tables[0].seating)
    assert (seated[first].seat_counts, seated[second].seat_counts) == ((1, 0), (0, 1))
    assert [seat.seat_counts for name, seat in seated.items() if name not in (first, second)] == [(0, 0)]
    client = Client()
    client.force_login(olga)
    assert f"Points {seated[first].points} · seats 1, 0" in client.get("/leagues/night/desk/").content.decode()


def test_the_organisers_page_previews_the_effects_of_an_action_before_it_is_executed() -> None:
    league, olga = held_league(4)
    client = Client()
    client.force_login(olga)
    state = load(league)[1]
    assert state.draft
    one, other = (state.entrant(table.seating[0]).name for table in state.draft.tables[:2])
    page = client.get("/leagues/night/desk/", {"act": "exchange", "one": one, "other": other}).content.decode()
    assert "What will change" in page
    assert "The page “What the organisers did” will then say:" in page
    assert f'data-draft-entry="{one}" aria-current="true"' in page
    assert "changed places" in page
    assert "changed places" not in Client().get("/leagues/night/acts/").content.decode()
    assert load(league)[1].draft == state.draft
    match = LeagueMatch.objects.filter(league=league, round=1).earliest("pk").match_id
    room = client.get("/leagues/night/desk/").content.decode()
    for verb in ("void", "overrule"):
        assert f"?act={verb}&amp;match={match}#act" in room


def test_the_api_previews_the_effects_of_an_organiser_action_without_executing_it() -> None:
    league, olga = held_league(4)
    client, stored = Client(), read_stored(league)
    client.force_login(olga)
    match = LeagueMatch.objects.filter(league=league, round=1).earliest("pk").match_id
    address, body = "/api/v1/leagues/night/acts/void/", {"match": match, "why": "because", "preview": True}
    answer = client.post(address, body, content_type="application/json")
    effects = preview_act(olga, league, "void", {"match": match})
    assert (answer.status_code, read_stored(league)) == (200, stored)
    told = answer.json()
    assert told["facts"] == [fact.what for fact in effects.described] != []
    for kind in ("places", "tables", "ratings"):
        assert [(row["name"], row["before"], row["after"]) for row in told[kind]] == [
            (change.name, change.before, change.after) for change in getattr(effects, kind)
        ]
    assert told["flaw"] == effects.flaw == "a result was corrected since it was drafted"
    assert client.post(address, body | {"match": "none"}, content_type="application/json").status_code == 409
