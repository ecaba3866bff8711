"""Predictions of rounds: deadlines, points, visibility, switching off, and erasure."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.league_state import CommandRejected
from people.account_erasure import erase_person
from people.models import StaffAct
from replays.models import Match
from tests.support.browser.pages import fetch_text
from tests.support.factories import AuthorFactory
from tests.support.leagues import create_entrants, end_matches, start_league
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.prediction_points import compute_share
from tournaments.models import League
from tournaments.models.organiser_roles import LeagueRole, Refusal
from tournaments.models.predictions import Prediction
from tournaments.organisers.organiser_action_submission import propose_or_act
from tournaments.personal_data_export import export_league_data
from tournaments.predictions.queries import list_guessers, read_predictions
from tournaments.predictions.services import MAX_PREDICTIONS_PER_ROUND, PredictionInput, set_predictions

pytestmark = pytest.mark.django_db


@pytest.fixture
def fan() -> User:
    person: User = AuthorFactory.create(username="fan")
    return person


def draft_league(**terms: Any) -> League:
    """Return a league of four bots whose rounds wait as drafts; its first round is drafted: two tables of two."""
    return start_league(create_entrants(), held=True, **terms)


def predict(person: User, *choices: tuple[int, int, int]) -> None:
    set_predictions(person, "night", [PredictionInput(*choice) for choice in choices])


def list_seatings() -> list[tuple[int, ...]]:
    """Return the entries at each table of the drafted round."""
    draft = load(League.objects.get())[1].draft
    assert draft is not None
    return [table.seating for table in draft.tables]


def begin_and_end(league: League) -> None:
    services.begin_round(league.pk)
    end_matches(league, Random(1))


def test_at_the_end_of_a_round_correct_predictions_score_one_point_and_wrong_predictions_none(fan: User) -> None:
    league = draft_league()
    first, second = list_seatings()
    predict(fan, (1, 1, first[0]), (1, 2, second[0]))
    predict(AuthorFactory.create(username="other"), (1, 1, first[1]), (1, 2, second[1]))
    assert list_guessers() == [], "nothing counts before the round ends"
    begin_and_end(league)
    winners = {result.seating[result.places.index(1)] for result in load(league)[1].results}
    points = {one.entry: one.points for one in Prediction.objects.all()}
    assert points == {entry: 10_000 if entry in winners else 0 for entry in (*first, *second)}
    guessers = list_guessers("night")
    assert {row.person for row in guessers} == {"fan", "other"}
    assert sum(row.points for row in guessers) == 2
    assert [row.chance for row in guessers] == [1, 1]
    assert sum(row.lead for row in guessers) == 0, "what everybody together wins above chance is nothing"
    assert guessers == list_guessers()


@pytest.mark.parametrize(
    ("places", "share"), [((1, 2, 3), 1), ((1, 1, 3), 1 / 2), ((1, 1, 1), 1 / 3), ((2, 1, 1), 0), ((3, 1, 2), 0)]
)
def test_predicting_one_of_several_winners_scores_part_of_a_point(places: tuple[int, ...], share: float) -> None:
    result = ResultRecorded(round=1, table=1, game=0, match="m", seating=(7, 8, 9), places=places, scores=(0, 0, 0))
    assert float(compute_share(7, [result])) == pytest.approx(share)


def test_a_prediction_can_be_changed_and_removed_until_the_first_match_of_the_round_begins(fan: User) -> None:
    league = draft_league()
    first, second = list_seatings()
    predict(fan, (1, 1, first[0]), (1, 2, second[0]))
    predict(fan, (1, 1, first[1]), (1, 2, 0))
    services.begin_round(league.pk)
    predict(fan, (1, 1, first[0]))
    assert [(one.table, one.entry) for one in Prediction.objects.all()] == [(1, first[0])]
    Match.objects.filter(table__number=2).update(opened_at=timezone.now())
    with pytest.raises(CommandRejected, match=r"table 1 of round 1 cannot be predicted: .* the round has begun"):
        predict(fan, (1, 1, first[1]))
    with pytest.raises(CommandRejected, match="the round has begun"):
        predict(fan, (1, 1, 0))
    assert [one.entry for one in Prediction.objects.all()] == [first[0]]


def test_before_a_round_is_paired_a_person_can_predict_one_bot_that_will_win_its_table(fan: User) -> None:
    league = start_league(create_entrants(3), rounds=3)
    Match.objects.update(opened_at=timezone.now())
    (open_table,) = read_predictions("night", fan).tables
    assert (open_table.round, open_table.table, len(open_table.choices)) == (2, 0, 3)
    people = [fan, *(AuthorFactory.create() for _ in range(2))]
    for entry, person in enumerate(people, 1):
        predict(person, (2, 0, entry))
    end_matches(league, Random(1))
    end_matches(league, Random(2))
    rests = {rest.entry for rest in load(league)[1].rounds[1].rests}
    points = {one.entry: one.points for one in Prediction.objects.all()}
    assert len(rests) == 1
    assert {entry for entry, won in points.items() if won is None} == rests, "a bot with a bye does not count"
    assert sorted(won for won in points.values() if won is not None) == [0, 10_000]


def test_a_prediction_does_not_count_if_other_bots_were_paired_at_its_table_afterwards(fan: User) -> None:
    league = draft_league()
    first, _ = list_seatings()
    predict(fan, (1, 1, first[0]))
    Prediction.objects.update(seating=[first[0], 99])
    assert [table.chosen for table in read_predictions("night", fan).tables] == [0, 0]
    begin_and_end(league)
    assert Prediction.objects.get().points is None


def test_prediction_points_are_updated_after_an_overruled_result_and_restored_by_a_rebuild(fan: User) -> None:
    olga: User = AuthorFactory.create(username="olga")
    league = draft_league()
    LeagueRole.objects.create(league=league, person=olga, role=LeagueRole.Role.ORGANISER)
    first, _ = list_seatings()
    predict(fan, (1, 1, first[0]))
    begin_and_end(league)
    before = Prediction.objects.get().points
    result = next(one for one in load(league)[1].results if one.table == 1)
    places = [3 - place for place in result.places]
    propose_or_act(olga, league, "overrule", {"match": result.match, "places": places}, "the clock was wrong")
    assert Prediction.objects.get().points == 10_000 - (before or 0)
    Prediction.objects.update(points=None)
    services.rebuild(league.pk)
    assert Prediction.objects.get().points == 10_000 - (before or 0)


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ((1, 9, 1), "table 9 of round 1 cannot be predicted"),
        ((2, 0, 1), "round 2 cannot be predicted as a whole"),
        ((1, 1, 99), "entry 99 is not at table 1 of round 1; there play b"),
    ],
)
def test_an_impossible_prediction_is_refused_with_the_reason_and_stores_nothing(
    fan: User, choice: tuple[int, int, int], reason: str
) -> None:
    draft_league()
    with pytest.raises(CommandRejected, match=reason):
        predict(fan, (1, 2, list_seatings()[1][0]), choice)
    assert not Prediction.objects.exists()


def test_a_person_can_predict_at_most_a_hundred_tables_of_a_round(fan: User) -> None:
    league = draft_league()
    old = {"league": league, "person": fan, "entry": 1}
    Prediction.objects.bulk_create(Prediction(round=1 + n % 2, table=100 + n, **old) for n in range(198))
    first, second = list_seatings()
    predict(fan, (1, 1, first[0]))
    with pytest.raises(CommandRejected, match=f"at most {MAX_PREDICTIONS_PER_ROUND} tables of round 1"):
        predict(fan, (1, 2, second[0]))
    assert Prediction.objects.filter(round=1).count() == MAX_PREDICTIONS_PER_ROUND


def test_a_prediction_is_visible_only_to_its_author_but_prediction_points_are_public(client: Client, fan: User) -> None:
    league = draft_league()
    choice = list_seatings()[0][0]
    client.force_login(fan)
    path = "/leagues/night/predictions/"
    page = client.post(path, {"table-1-1": str(choice), "table-1-2": "0"}, follow=True).content.decode()
    assert "Your predictions are stored." in page
    assert f'<option value="{choice}" selected' in page
    for value in ("", "x", "-1", "9" * 10, "１"):
        refused = client.post(path, {"table-1-1": value})
        assert (refused.status_code, "send the number of an entry" in refused.content.decode()) == (400, True)
    anonymous, stranger = Client(), Client()
    stranger.force_login(AuthorFactory.create())
    assert f'<option value="{choice}" selected' not in fetch_text(anonymous, path) + fetch_text(stranger, path)
    begin_and_end(league)
    assert all("<bdi>fan</bdi>" in fetch_text(anonymous, shown) for shown in (path, "/predictions/"))
    assert 'href="/leagues/night/predictions/"' in fetch_text(Client(), "/leagues/night/")
    for secret in (bytes(league.secret).hex(), *(bytes(m.seed).hex() for m in Match.objects.all())):
        assert secret not in fetch_text(client, path)


def test_predictions_can_be_read_and_stored_through_the_api(client: Client, fan: User) -> None:
    league = draft_league()
    choice = list_seatings()[0][0]
    client.force_login(fan)
    path = "/api/v1/leagues/night/predictions/"
    wanted = {"predictions": [{"round": 1, "table": 1, "entry": choice}]}
    stored = client.put(path, wanted, content_type="application/json").json()
    assert [table["chosen"] for table in stored["tables"]] == [choice, 0]
    assert client.get(path).json() == stored
    services.begin_round(league.pk)
    Match.objects.update(opened_at=timezone.now())
    late = client.put(path, wanted, content_type="application/json")
    assert (late.status_code, "the round has begun" in late.json()["detail"]) == (409, True)
    end_matches(league, Random(1))
    for best in ("/api/v1/leagues/night/predictions/best/", "/api/v1/leagues/predictions/best/"):
        (row,) = Client().get(best).json()["guessers"]
        assert (row["person"], row["predictions"], row["chance"]) == ("fan", 1, 0.5)
    assert client.get(path).json()["old"][0]["points"] in {0, 1}


def test_predictions_of_a_league_can_be_turned_off_and_on(client: Client, fan: User) -> None:
    league = draft_league()
    staff: User = AuthorFactory.create(username="staff", is_staff=True)
    client.force_login(staff)
    path = "/leagues/night/desk/audience/"
    saved = client.post(path, {"predictions": "off"}, follow=True).content.decode()
    assert "The settings for the audience are saved." in saved
    assert StaffAct.objects.get().on == "league night"
    with pytest.raises(CommandRejected, match="have turned predictions off"):
        predict(fan, (1, 1, list_seatings()[0][0]))
    assert "turned predictions off" in fetch_text(client, "/leagues/night/predictions/")
    assert 'href="/leagues/night/predictions/"' not in fetch_text(client, "/leagues/night/")
    services.rebuild(league.pk)
    assert not League.objects.get().predictions, "a rebuild keeps the setting"
    client.post(path, {"predictions": "on"})
    predict(fan, (1, 1, list_seatings()[0][0]))
    assert client.post(path, {"predictions": "maybe"}).status_code == 400
    client.force_login(fan)
    assert client.post(path, {"predictions": "off"}).status_code == 403
    assert Refusal.objects.get().what == "set the audience's settings"


def test_predictions_are_exported_and_erased_with_the_account(fan: User) -> None:
    league = draft_league()
    choice = list_seatings()[0][0]
    predict(fan, (1, 1, choice))
    begin_and_end(league)
    exported = json.loads(dict(export_league_data(fan))["predictions.json"])
    assert [(row["league__slug"], row["round"], row["entry"]) for row in exported] == [("night", 1, choice)]
    assert exported[0]["points"] in {0, 1}
    erase_person(fan)
    assert not Prediction.objects.exists()
    assert list_guessers() == []
