"""Predictions from before a round is paired: they do not count beside a later prediction of the same table."""

from __future__ import annotations

from random import Random

import pytest
from django.utils import timezone

from replays.models import Match
from tests.support.factories import AuthorFactory
from tests.support.leagues import create_entrants, end_matches, start_league
from tournaments.leagues.league_event_projection import load
from tournaments.models.predictions import Prediction
from tournaments.predictions.queries import read_predictions
from tournaments.predictions.services import PredictionInput, set_predictions


@pytest.mark.django_db
def test_a_prediction_for_a_table_replaces_an_earlier_prediction_for_an_entry_at_that_table() -> None:
    fan, league = AuthorFactory.create(), start_league(create_entrants())
    Match.objects.update(opened_at=timezone.now())
    set_predictions(fan, "night", [PredictionInput(2, 0, 1)])
    end_matches(league, Random(1))
    with_entry = {1 in table.seating: table for table in load(league)[1].rounds[1].tables}
    for has_entry in (False, True):
        table = with_entry[has_entry]
        set_predictions(fan, "night", [PredictionInput(2, table.number, table.seating[0])])
        assert Prediction.objects.filter(table=0).exists() != has_entry
    assert Prediction.objects.count() == 2


@pytest.mark.django_db
def test_submitting_the_prediction_form_after_pairing_keeps_a_prediction_made_before_pairing() -> None:
    fan, league = AuthorFactory.create(), start_league(create_entrants())
    Match.objects.update(opened_at=timezone.now())
    set_predictions(fan, "night", [PredictionInput(2, 0, 1)])
    end_matches(league, Random(1))
    shown = read_predictions("night", fan)
    assert sorted(table.chosen for table in shown.tables) == [0, 1]
    assert shown.old == []
    set_predictions(fan, "night", [PredictionInput(table.round, table.table, table.chosen) for table in shown.tables])
    assert list(Prediction.objects.values_list("entry", flat=True)) == [1]
    set_predictions(fan, "night", [PredictionInput(table.round, table.table, 0) for table in shown.tables])
    assert not Prediction.objects.exists()
