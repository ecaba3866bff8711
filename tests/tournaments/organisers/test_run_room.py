"""Run room: organisers follow the current round and act on it, without seeing hidden information."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from ftk_core.league import intervention_facts as acts
from ftk_core.league.league_facts import BotEntered, LeagueFact
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.database_snapshots import create_or_restore
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.league_entries import create_own_version, open_league, submit_act_form
from tests.support.leagues import create_entrants, end_matches, end_waiting_matches
from tests.support.people import open_session
from tools.bench.league_database_filler import create_large_league
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load, read_facts
from tournaments.models import League
from tournaments.models.organiser_roles import LeagueRole
from tournaments.organisers.organiser_page_queries import read_round_overview
from tournaments.organisers.round_overview import MAX_LISTED, build_round_overview

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def begun(bots: int = 4, **terms: Any) -> League:
    """Return a league opened by olga, with its first round paired."""
    AuthorFactory.create(username="olga")
    league = open_league(by="olga", **terms)
    for version in create_entrants(bots):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    league.refresh_from_db()
    return league


def olga() -> User:
    return User.objects.get(username="olga")


def end_one() -> Match:
    """End a waiting match without playing it, and record its result."""
    (match_id,) = end_waiting_matches(1)
    assert services.record_match(match_id)
    return Match.objects.get(pk=match_id)


def sent(verb: str, **said: str) -> str:
    return submit_act_form(open_session(olga()), verb, **{"why": "because", **said})


def done(kind: type[LeagueFact]) -> list[Any]:
    return [fact for fact in read_facts(League.objects.get(slug="night")) if isinstance(fact, kind)]


def test_the_round_overview_shows_start_and_end_times_and_matches_grouped_by_state() -> None:
    league = create_or_restore(begun)
    first = end_one()
    other = Match.objects.get(status=Match.Status.WAITING)
    opened_at = timezone.now() - timedelta(seconds=90)
    Match.objects.filter(pk=other.pk).update(status=Match.Status.PLAYING, holder="w7", opened_at=opened_at)
    room = build_round_overview(league, within=False)
    assert (room.round, room.rounds, room.played, room.of) == (1, 2, 1, 2)
    assert room.since is not None
    assert room.ends is not None
    assert room.ends > room.since
    playing, closed = room.states
    assert (playing.status, [table.match_id for table in playing.tables]) == ("playing", [other.pk])
    assert (playing.tables[0].worker, (playing.tables[0].seconds or 0) // 10) == ("w7", 9)
    assert (closed.status, [table.match_id for table in closed.tables]) == ("closed", [first.pk])
    assert sorted(playing.tables[0].names + closed.tables[0].names) == ["b0-1", "b1-1", "b2-1", "b3-1"]
    Match.objects.filter(pk=other.pk).update(status=Match.Status.ADJOURNED)
    assert [state.status for state in build_round_overview(league, within=False).states] == ["adjourned", "closed"]


def test_the_organisers_page_shows_a_voided_match_with_its_reason() -> None:
    league = create_or_restore(begun)
    waiting = Match.objects.filter(status=Match.Status.WAITING).earliest("pk")
    sent("void", match=waiting.pk)
    league.refresh_from_db()
    room = build_round_overview(league, within=False)
    (void,) = (state for state in room.states if state.status == "void")
    assert [(table.match_id, table.reason) for table in void.tables] == [(waiting.pk, "because")]
    assert (room.played, room.of) == (1, 2)


@pytest.mark.parametrize("release", ["at_once", "after_league"])
def test_judges_but_not_organisers_see_slow_and_failing_bots_of_a_round_that_is_not_yet_public(release: str) -> None:
    AuthorFactory.create(username="olga")
    league = open_league(by="olga", release=release)
    services.enter_bot(league.pk, create_active_version("raise SystemExit(3)\n", slug="broken"))
    services.enter_bot(league.pk, create_active_version(slug="sound"))
    services.start(league.pk)
    match = Match.objects.get()
    assert play_match(match.pk)
    match.seats.filter(version__bot__slug="sound").update(spent=0.8)
    league.refresh_from_db()
    hidden, shown = build_round_overview(league, within=False), build_round_overview(league, within=True)
    assert [one.name for one in (*shown.missed, *shown.slow)] == ["broken-1", "sound-1"]
    chinese = translation.override("zh-hant")(build_round_overview)(league, within=True)
    assert ["crashed" in shown.missed[0].what, "次當機" in chinese.missed[0].what] == [True, True]
    assert [one.what for one in (*shown.slow, *chinese.slow)] == ["80 % of its clock", "已用掉 80 % 的時間"]
    if release == "after_league":
        assert (hidden.hidden, hidden.slow, hidden.missed) == (True, [], [])
        judge = AuthorFactory.create(username="jo")
        LeagueRole.objects.create(league=league, person=judge, role=LeagueRole.Role.JUDGE)
        assert read_round_overview(judge, league).missed
        assert not read_round_overview(olga(), league).missed
    else:
        assert hidden == shown


def test_a_match_without_faults_stores_the_used_time_and_no_missed_answers_for_each_seat() -> None:
    begun(2)
    match = Match.objects.get()
    assert play_match(match.pk)
    assert services.record_match(match.pk)
    for seat in match.seats.all():
        assert seat.missed == {}
        assert seat.spent is not None
        assert 0 <= seat.spent < 1


def test_the_organisers_page_of_a_large_league_needs_as_many_queries_as_that_of_a_small_league(client: Client) -> None:
    asked = []
    for entries in (60, 1000):
        league = create_large_league(entries, 3, 2)
        services.record_waiting(league.pk)
        assert services.do_due_work(league.pk, timezone.now())
        person = AuthorFactory.create(username=f"o{entries}")
        LeagueRole.objects.create(league=league, person=person, role=LeagueRole.Role.ORGANISER)
        client.force_login(person)
        for path in ("desk/room/", "desk/"):
            client.get(f"/leagues/{league.slug}/{path}")  # the first request caches the replayed league
            with CaptureQueriesContext(connection) as captured:
                answer = client.get(f"/leagues/{league.slug}/{path}")
            assert answer.status_code == 200
            assert len(answer.content) < 200_000
            asked.append(len(captured))
        assert answer.content.count(b'id="row-') == MAX_LISTED
    assert asked[:2] == asked[2:]
    assert max(asked) <= 38, "two of them for background work that was left aside"


def test_each_action_on_the_organisers_page_is_stored_as_an_event_with_person_and_reason() -> None:
    begun(release="after_league", rounds=3)
    assert "Done. No round begins." in sent("pause")
    assert "?act=resume" in sent("announce", text="Tea at four")
    sent("resume")
    sent("release", round="1")
    sent("extend", rounds="4")
    sent("excuse", entry="b1-1", rounds="2, 3")
    sent("withdraw", entry="2")
    sent("forbid", one="b0-1", other="b2-1")
    assert [(fact.by, fact.why, fact.text) for fact in done(acts.AnnouncementMade)] == [("olga", "", "Tea at four")]
    kinds = [acts.LeaguePaused, acts.LeagueResumed, acts.ReplaysReleased, acts.LeagueExtended]
    for kind in (*kinds, acts.BotAbsenceGranted, acts.PairingForbidden):
        (fact,) = done(kind)
        assert (fact.by, fact.why) == ("olga", "because")
    assert [(fact.entry, fact.reason) for fact in done(acts.BotWithdrew)] == [(2, "because")]
    assert "Tea at four" in Client().get("/leagues/night/").content.decode()


@pytest.mark.parametrize(
    ("verb", "said", "why"),
    [
        ("pause", {"why": ""}, "This field is required."),
        ("withdraw", {"entry": "nobody"}, "is not an entry&#x27;s name or number."),
        ("withdraw", {"entry": "9"}, "has entries 1 to 4, not 9."),
        ("extend", {"rounds": "-1"}, "is not a whole number."),
        ("announce", {"text": "x" * 201}, "at most 200 characters"),
        ("enter", {"bot": "nosuch"}, "no version of a bot &#x27;nosuch&#x27; is active."),
        ("overrule", {"match": "x", "places": "1 2"}, "the league has no match &#x27;x&#x27;"),
        ("resume", {}, "&#x27;resume&#x27; is not possible in the present state of the league."),
    ],
)
def test_an_invalid_command_on_the_organisers_page_is_explained_and_changes_nothing(
    verb: str, said: dict[str, str], why: str
) -> None:
    create_or_restore(begun)
    before = read_facts(League.objects.get(slug="night"))
    assert why in sent(verb, **said)
    assert read_facts(League.objects.get(slug="night")) == before


def test_a_judge_sees_only_forms_about_matches_and_other_actions_are_refused_and_recorded() -> None:
    league = create_or_restore(begun)
    LeagueRole.objects.update(role=LeagueRole.Role.JUDGE)
    page = open_session(olga()).get("/leagues/night/desk/").content.decode()
    assert set(re.findall(r"\?act=(\w+)", page)) == {"again", "overrule", "void"}
    assert open_session(olga()).post("/leagues/night/desk/", {"act": "pause", "why": "because"}).status_code == 403
    assert league.refusals.get().what == "pause"


def test_an_organiser_can_enter_a_bot_late_with_a_public_reason() -> None:
    league = begun(late=2)
    create_own_version("late")
    assert "Done. " in sent("enter", bot="late")
    fact = next(fact for fact in done(BotEntered) if fact.name == "late-1")
    assert (fact.by, fact.why, fact.round) == ("olga", "because", 2)
    told = Client().get("/leagues/night/acts/").content.decode()
    assert "late-1 entered late, for round 2" in told
    assert "because" in told
    assert league.entrants.count() == 5


def test_an_organiser_can_void_a_finished_match_and_have_it_replayed_on_another_deal() -> None:
    league = create_or_restore(begun)
    match = end_one()
    old = bytes(match.seed)
    assert "Done. " in sent("again", match=match.pk)
    (voided,), (replaced,) = done(acts.MatchVoided), done(acts.MatchReplaced)
    assert (voided.match, replaced.old, replaced.deal, replaced.why) == (match.pk, match.pk, 1, "because")
    again = Match.objects.get(pk=replaced.new)
    assert (again.status, bytes(again.seed) != old) == ("waiting", True)
    assert play_match(again.pk)
    assert services.record_match(again.pk)
    while not load(league)[1].closed:
        end_matches(league, Random(1))


def test_an_organiser_can_replace_a_match_only_while_its_round_is_being_played() -> None:
    create_or_restore(begun)
    waiting = Match.objects.filter(status=Match.Status.WAITING).earliest("pk")
    assert "Done. " in sent("again", match=waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.status, waiting.reason) == (Match.Status.VOID, "the organisers have it played again")
    (voided,), (replaced,) = done(acts.MatchVoided), done(acts.MatchReplaced)
    assert (voided.match, replaced.old, replaced.deal) == (waiting.pk, waiting.pk, 1)
    over = end_one()
    end_one()
    assert "only such are played again" in sent("again", match=over.pk)


def test_an_organiser_with_a_bot_in_the_league_can_only_propose_to_play_a_match_again() -> None:
    begun(late=2)
    services.enter_bot(League.objects.get(slug="night").pk, create_own_version("olgas", olga()))
    assert "It waits for a second organiser." in sent("again", match=end_one().pk)
    assert done(acts.MatchReplaced) == []
