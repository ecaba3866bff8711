"""What organisers do to a league stands in its stream, and everything follows from there."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from foundation.shell import Refusal
from ftk_core.kit.verify_league import verify_export
from ftk_core.league import organising
from ftk_core.league.checking import flaws
from ftk_core.league.facts import LeagueFact, ResultRecorded, RoundPaired
from ftk_core.league.organising import Hand
from ftk_core.league.state import NotNow
from replays.models import Match
from replays.playing.runner import play_match
from tests.support.leagues import entrants, new_league, play_all
from tournaments import ladder, league_queries, queries, services, tasks
from tournaments.models import ALL_TIME, Entrant, League, Rating
from tournaments.projections import load, read_facts
from tournaments.rejudging import preview
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db(transaction=True)

HAND = Hand(by="ada", at=1_800_000_000, why="the bots were exchanged")


def play_round() -> list[str]:
    """Play what waits, and leave it to be recorded."""
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
def test_an_overruled_match_changes_standings_and_ratings_as_if_it_had_ended_so(tmp_path: Path) -> None:
    league = new_league(entrants(4), rounds=2)
    for match in play_round():
        services.record_match(match)
    first = facts_of(league, ResultRecorded)[0]
    otherwise = tuple(reversed(first.places))
    organise("overrule", "night", first.match, *otherwise, "--why", "the bots were exchanged")
    points = {row.number: row.points for row in Entrant.objects.filter(league=league)}
    assert {points[entry] for entry in first.seating} == {"0", "1"}
    assert points[first.seating[otherwise.index(1)]] == "1"
    after = ratings()
    ladder.rebuild("pig")
    assert ratings() == after
    play_all(league)
    services.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


def test_a_preview_says_who_would_change_place_and_rating_and_does_nothing() -> None:
    league = new_league(entrants(4), rounds=2)
    for match in play_round():
        services.record_match(match)
    before, values = len(read_facts(league)), ratings()
    first = facts_of(league, ResultRecorded)[0]
    otherwise = tuple(reversed(first.places))
    key = (first.round, first.table, first.game)
    seen = preview(league.pk, lambda state: organising.overrule(state, key, otherwise, HAND))
    assert len(read_facts(league)) == before
    assert ratings() == values
    assert {one.name for one in seen.ratings} >= {f"b{entry - 1}" for entry in first.seating}
    services.act(league.pk, lambda state: organising.overrule(state, key, otherwise, HAND))
    assert {one.name: one.after for one in seen.ratings}.items() <= {
        name: f"{value / 1000:.1f}" for name, value in ratings().items()
    }.items()
    places = {row.name: str(row.place) for row in league_queries.list_standings("night")}
    assert {one.name: one.after for one in seen.places}.items() <= places.items()


@pytest.mark.slow
def test_a_void_match_of_a_closed_round_counts_for_nobody_any_more() -> None:
    league = new_league(entrants(4), rounds=2)
    for match in play_round():
        services.record_match(match)
    first = facts_of(league, ResultRecorded)[0]
    services.act(league.pk, lambda s: organising.void(s, (first.round, first.table, first.game), first.match, HAND))
    points = {row.number: row.points for row in Entrant.objects.filter(league=league)}
    assert {points[entry] for entry in first.seating} == {"0"}
    assert set(ratings()) >= {f"b{entry - 1}" for entry in range(1, 5) if entry not in first.seating}
    play_all(league)
    assert list(flaws(read_facts(league))) == []


def test_a_round_ends_without_a_match_that_is_not_waited_for() -> None:
    league = new_league(entrants(4), rounds=1)
    one, other = Match.objects.values_list("pk", flat=True)
    assert play_match(one)
    services.record_match(one)
    services.act(league.pk, lambda state: organising.void(state, queries.find_table(league.pk, other), other, HAND))
    tasks.sweep()
    league.refresh_from_db()
    assert league.status == League.Status.CLOSED
    assert len(load(league)[1].results) == 1


def test_a_paused_league_begins_no_round_until_it_is_resumed() -> None:
    league = new_league(entrants(4), rounds=2)
    organise("pause", "night", "--why", "lunch")
    for match in play_round():
        services.record_match(match)
    assert len(facts_of(league, RoundPaired)) == 1
    assert tasks.sweep() == 0
    with pytest.raises(Refusal, match="paused already"):
        organise("pause", "night")
    organise("resume", "night", "--why", "lunch is over")
    assert tasks.sweep() == 1
    assert len(facts_of(league, RoundPaired)) == 2


@pytest.mark.slow
def test_a_held_round_waits_is_changed_by_hand_and_begins() -> None:
    league = services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=1, held=True))
    for version in entrants(4):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    assert not Match.objects.exists()
    draft = load(league)[1].draft
    assert draft
    one, other = draft.tables[0].seating[0], draft.tables[1].seating[0]
    organise("exchange", "night", one, other, "--why", "same author")
    assert organise("begin", "night") == "done: begin the drafted round\n"
    (paired,) = facts_of(league, RoundPaired)
    assert (paired.tables[0].seating[0], paired.tables[1].seating[0]) == (other, one)
    assert paired.link == draft.link
    assert Match.objects.count() == 2
    play_all(league)
    assert list(flaws(read_facts(league))) == []


def test_a_drafted_round_is_drafted_anew_with_other_luck() -> None:
    league = services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=1, held=True))
    for version in entrants(8):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    before = load(league)[1].draft
    organise("withdraw", "night", 3, "--why", "it was copied")
    with pytest.raises(Refusal, match="b2-1 is not there any more; draft round 1 again"):
        organise("begin", "night")
    organise("redraft", "night", "--why", "b2 is gone")
    after = load(league)[1].draft
    assert before
    assert after
    assert (before.link, before.draft) == (after.link, after.draft - 1)
    assert before.tables != after.tables
    organise("begin", "night")
    assert list(flaws(read_facts(league))) == []


def test_an_author_enters_no_more_bots_than_the_league_takes() -> None:
    league = services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=1, per_author=1))
    one, other = entrants(2)
    other.bot.owner = one.bot.owner
    other.bot.save()
    services.enter_bot(league.pk, one)
    with pytest.raises(NotNow, match=r"has entered b0-1; an author enters 1 in Night"):
        services.enter_bot(league.pk, other)


@pytest.mark.slow
def test_who_comes_late_is_given_what_the_league_grants() -> None:
    *versions, late = entrants(5)
    league = new_league(versions, rounds=3, late=3, granted="half")
    for match in play_round():
        services.record_match(match)
    services.enter_bot(league.pk, late)
    (fact,) = [entrant for entrant in load(league)[1].entrants if entrant.name == late.label]
    assert (fact.since, fact.points) == (3, "1")
    play_all(league)
    assert list(flaws(read_facts(league))) == []


def test_a_closed_league_is_not_changed_any_more() -> None:
    league = new_league(entrants(2), rounds=1)
    play_all(league)
    (result,) = facts_of(league, ResultRecorded)
    before = len(read_facts(league))
    for deed in (
        ("overrule", result.match, *reversed(result.places)),
        ("void", result.match),
        ("withdraw", 1),
        ("extend", 3),
    ):
        with pytest.raises(Refusal, match="Night is closed and signed; nothing of it can be changed any more"):
            organise(deed[0], "night", *deed[1:])
    assert len(read_facts(league)) == before


def test_a_forbidden_pair_that_leaves_no_table_is_a_sentence_on_the_page() -> None:
    league = new_league(entrants(2), rounds=2)
    organise("forbid", "night", 1, 2, "--why", "one team")
    for match in play_round():
        services.record_match(match)
    league.refresh_from_db()
    assert league.waits == "entries 1 and 2 must not meet, and no tables were found without a forbidden pair"
    organise("extend", "night", 1, "--why", "nobody is left to meet")
    assert tasks.sweep() == 1
    league.refresh_from_db()
    assert (league.status, league.waits) == (League.Status.CLOSED, "")
