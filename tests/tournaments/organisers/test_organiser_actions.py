"""Acts of organisers on a running league, stored as facts in its stream."""

from __future__ import annotations

from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from foundation.management_commands import InvalidCommandInputError
from ftk_core.i18n import Message
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import LeagueFact, ResultRecorded, RoundPaired
from ftk_core.league.match_result_command_handlers import overrule_result, void_match
from ftk_core.league.pairing_checks import flaws
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments import tasks
from tournaments.ladders import ladder_match_rating
from tournaments.leagues import finished_league_export, queries, services
from tournaments.leagues.league_event_appending import act
from tournaments.leagues.league_event_projection import load, read_facts
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import ALL_TIME, Entrant, League, Rating
from tournaments.organisers.organiser_action_preview import preview
from tournaments.reports import league_page_queries
from tournaments.translatable_message_json import encode_message

pytestmark = pytest.mark.django_db(transaction=True)

HAND = LeagueActor(by="ada", at=1_800_000_000, why="the bots were exchanged")


def play_round() -> list[str]:
    """Play all waiting matches of the round without recording them; return their ids."""
    matches = list(Match.objects.filter(status=Match.Status.WAITING).order_by("pk").values_list("pk", flat=True))
    assert all(play_match(match) for match in matches)
    return matches


def facts_of(league: League, kind: type[LeagueFact]) -> list[Any]:
    return [fact for fact in read_facts(league) if isinstance(fact, kind)]


def organise(*words: object) -> str:
    out = StringIO()
    call_command("organise", *map(str, words), stdout=out)
    return out.getvalue()


def ratings() -> dict[str, int]:
    return dict(Rating.objects.filter(season=ALL_TIME).values_list("bot__slug", "value"))


@pytest.mark.slow
def test_after_a_result_is_overruled_points_and_ratings_are_those_of_the_new_result(
    tmp_path: Path,
) -> None:
    league = start_league(create_entrants(4), rounds=2)
    for match in play_round():
        services.record_match(match)
    first = facts_of(league, ResultRecorded)[0]
    otherwise = tuple(reversed(first.places))
    organise("overrule", "night", first.match, *otherwise, "--why", "the bots were exchanged")
    points = {row.number: row.points for row in Entrant.objects.filter(league=league)}
    assert {points[entry] for entry in first.seating} == {"0", "1"}
    assert points[first.seating[otherwise.index(1)]] == "1"
    after = ratings()
    ladder_match_rating.rebuild("pig")
    assert ratings() == after
    play_all(league)
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


@pytest.mark.slow
def test_the_preview_of_an_overruled_result_predicts_places_and_ratings_and_stores_nothing() -> None:
    league = start_league(create_entrants(4), rounds=2)
    for match in play_round():
        services.record_match(match)
    before, values = len(read_facts(league)), ratings()
    first = facts_of(league, ResultRecorded)[0]
    otherwise = tuple(reversed(first.places))
    key = (first.round, first.table, first.game)
    seen = preview(league, "overrule", {"match": first.match, "places": otherwise}, HAND)
    assert len(read_facts(league)) == before
    assert ratings() == values
    assert {one.name for one in seen.ratings} >= {f"b{entry - 1}" for entry in first.seating}
    act(league.pk, lambda state: overrule_result(state, key, otherwise, HAND))
    assert {one.name: one.after for one in seen.ratings}.items() <= {
        name: f"{value / 1000:.1f}" for name, value in ratings().items()
    }.items()
    places = {row.name: str(row.place) for row in league_page_queries.list_standings("night")}
    assert {one.name: one.after for one in seen.places}.items() <= places.items()
    assert {one.name for one in seen.places} >= {f"b{entry - 1}-1" for entry in first.seating}


@pytest.mark.slow
def test_voiding_a_match_of_a_closed_round_removes_its_points_and_ratings() -> None:
    league = start_league(create_entrants(4), rounds=2)
    for match in play_round():
        services.record_match(match)
    first = facts_of(league, ResultRecorded)[0]
    act(
        league.pk,
        lambda s: void_match(s, (first.round, first.table, first.game), first.match, HAND),
    )
    points = {row.number: row.points for row in Entrant.objects.filter(league=league)}
    assert {points[entry] for entry in first.seating} == {"0"}
    assert set(ratings()) == {f"b{entry - 1}" for entry in range(1, 5) if entry not in first.seating}
    play_all(league)
    assert list(flaws(read_facts(league))) == []


@pytest.mark.slow
def test_a_round_ends_without_its_voided_match() -> None:
    league = start_league(create_entrants(4), rounds=1)
    one, other = Match.objects.values_list("pk", flat=True)
    assert play_match(one)
    services.record_match(one)
    act(league.pk, lambda s: void_match(s, queries.find_table(league.pk, other), other, HAND))
    tasks.sweep()
    league.refresh_from_db()
    assert league.status == League.Status.CLOSED
    assert len(load(league)[1].results) == 1


@pytest.mark.slow
def test_a_paused_league_begins_no_round_until_an_organiser_resumes_it() -> None:
    league = start_league(create_entrants(4), rounds=2)
    organise("pause", "night", "--why", "lunch")
    for match in play_round():
        services.record_match(match)
    assert len(facts_of(league, RoundPaired)) == 1
    assert tasks.sweep() == 0
    with pytest.raises(InvalidCommandInputError, match="paused already"):
        organise("pause", "night")
    organise("resume", "night", "--why", "lunch is over")
    assert tasks.sweep() == 1
    assert len(facts_of(league, RoundPaired)) == 2


@pytest.mark.slow
def test_an_organiser_can_swap_two_entries_of_a_drafted_round_and_then_begin_that_round() -> None:
    league = services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1, held=True))
    for version in create_entrants(4):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    assert not Match.objects.exists()
    draft = load(league)[1].draft
    assert draft
    one, other = draft.tables[0].seating[0], draft.tables[1].seating[0]
    organise("exchange", "night", one, other, "--why", "same author")
    assert organise("begin", "night") == "done: The drafted round begins.\n"
    (paired,) = facts_of(league, RoundPaired)
    assert (paired.tables[0].seating[0], paired.tables[1].seating[0]) == (other, one)
    assert paired.link == draft.link
    assert Match.objects.count() == 2
    play_all(league)
    assert list(flaws(read_facts(league))) == []


def test_drafting_a_round_again_gives_a_new_pairing_without_withdrawn_bots() -> None:
    league = services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1, held=True))
    for version in create_entrants(8):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    before = load(league)[1].draft
    organise("withdraw", "night", 3, "--why", "it was copied")
    with pytest.raises(InvalidCommandInputError, match="b2-1 has changed since the draft; draft round 1 again"):
        organise("begin", "night")
    organise("redraft", "night", "--why", "b2 is gone")
    after = load(league)[1].draft
    assert before
    assert after
    assert (before.link, before.draft) == (sha256(bytes.fromhex(after.link)).hexdigest(), after.draft - 1)
    assert before.tables != after.tables
    organise("begin", "night")
    assert list(flaws(read_facts(league))) == []


@pytest.mark.slow
def test_a_late_entry_starts_with_the_points_that_the_league_settings_grant() -> None:
    *versions, late = create_entrants(5)
    league = start_league(versions, rounds=3, late=3, granted="half")
    for match in play_round():
        services.record_match(match)
    services.enter_bot(league.pk, late)
    (fact,) = [entrant for entrant in load(league)[1].entrants if entrant.name == late.label]
    assert (fact.since, fact.points) == (3, "1")
    play_all(league)
    assert list(flaws(read_facts(league))) == []


@pytest.mark.slow
def test_a_closed_league_cannot_be_changed_by_organisers() -> None:
    league = start_league(create_entrants(2), rounds=1)
    play_all(league)
    (result,) = facts_of(league, ResultRecorded)
    before = len(read_facts(league))
    for deed in (
        ("overrule", result.match, *reversed(result.places)),
        ("void", result.match),
        ("withdraw", 1),
        ("extend", 3),
    ):
        with pytest.raises(
            InvalidCommandInputError, match="Night is closed and signed; nothing of it can be changed any more"
        ):
            organise(deed[0], "night", *deed[1:])
    assert len(read_facts(league)) == before


def test_the_reason_why_a_league_waits_is_shown_in_the_language_of_the_page() -> None:
    league = start_league(create_entrants(2), rounds=2)
    template = "entries %(one)s and %(other)s are of one division, which is forbidden; excuse one of them"
    League.objects.filter(pk=league.pk).update(waits=encode_message(Message(template, one=1, other=2)))
    assert "參賽者 1 與 2 屬同一級" in Client().get("/leagues/night/?lang=zh-Hant").content.decode()
    in_chinese = Client().get("/api/v1/leagues/night/", headers={"Accept-Language": "zh-Hant"}).json()
    assert "參賽者 1 與 2 屬同一級" in in_chinese["waits"]
    League.objects.filter(pk=league.pk).update(waits="a reason of an older version")
    assert "a reason of an older version." in Client().get("/leagues/night/").content.decode()


@pytest.mark.slow
def test_the_league_page_explains_that_two_entries_forbidden_to_meet_prevent_any_pairing() -> None:
    league = start_league(create_entrants(2), rounds=2)
    organise("forbid", "night", 1, 2, "--why", "one team")
    for match in play_round():
        services.record_match(match)
    reason = "entries 1 and 2 must not meet, and no tables were found without a forbidden pair"
    assert f"cannot be paired: {reason}." in Client().get("/leagues/night/").content.decode()
    assert Client().get("/api/v1/leagues/night/").json()["waits"] == reason
    league.refresh_from_db()
    organise("extend", "night", 1, "--why", "nobody is left to meet")
    assert tasks.sweep() == 1
    league.refresh_from_db()
    assert (league.status, league.waits) == (League.Status.CLOSED, "")
