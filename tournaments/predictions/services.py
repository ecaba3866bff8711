"""Storing of spectators' predictions of winners."""
# Predictions are not in event streams: they are private until their round begins, and people can erase them.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from ftk_core.league.league_state import CommandRejected, LeagueState
from tournaments.leagues.league_event_projection import load
from tournaments.models import League
from tournaments.models.predictions import Prediction
from tournaments.predictions.predictable_tables import PredictableTable, list_open_tables

MAX_PREDICTIONS_PER_ROUND = 100
"""Maximum number of predictions that a person can store for one round."""


@dataclass(frozen=True, slots=True)
class PredictionInput:
    """A person's prediction of the winner of a table. If `entry` is 0, the person withdraws the prediction."""

    round: int
    table: int
    entry: int


@transaction.atomic
def set_predictions(person: User, slug: str, wanted: Sequence[PredictionInput]) -> None:
    """Store all of a person's predictions, or none. They replace the person's earlier predictions for the same tables.

    Raises League.DoesNotExist, or CommandRejected if predictions are turned off, if one of them is invalid or too late,
    or if there are too many.
    """
    User.objects.select_for_update().get(pk=person.pk)  # one request at a time, so that the quota holds
    league = League.objects.valid().get(slug=slug)
    if not league.predictions:
        raise CommandRejected(
            gettext("the organisers of %(league)s have turned predictions off") % {"league": league.name}
        )
    state = load(league)[1]
    tables = {(table.round, table.number): table for table in list_open_tables(league, state)}
    for prediction in wanted:
        table = tables.get((prediction.round, prediction.table))
        if table is None:
            raise _reject_table(prediction)
        _store(person, league, state, table, prediction.entry)
    for round_ in {prediction.round for prediction in wanted}:
        _check_quota(person, league, round_)


def _store(person: User, league: League, state: LeagueState, table: PredictableTable, entry: int) -> None:
    if entry and entry not in table.entries:
        raise _reject_entry(state, table, entry)
    key: dict[str, Any] = {"league": league, "person": person, "round": table.round}
    if table.number:  # a prediction from before the pairing, of an entry that was then paired at this table
        Prediction.objects.filter(**key, table=0, entry__in=table.entries).delete()
    if entry:
        defaults = {"entry": entry, "seating": table.seating}
        Prediction.objects.update_or_create(**key, table=table.number, defaults=defaults)
    else:
        Prediction.objects.filter(**key, table=table.number).delete()


def _reject_table(prediction: PredictionInput) -> CommandRejected:
    number = {"table": prediction.table, "round": prediction.round}
    if prediction.table:
        message = gettext(
            "table %(table)s of round %(round)s cannot be predicted: it is not paired yet, or the round has begun"
        )
    else:
        message = gettext(
            "round %(round)s cannot be predicted as a whole: it is paired already, or another round comes first"
        )
    return CommandRejected(message % number)


def _reject_entry(state: LeagueState, table: PredictableTable, entry: int) -> CommandRejected:
    if not table.number:
        message = gettext("there is no entry %(entry)s that can play round %(round)s")
        return CommandRejected(message % {"entry": entry, "round": table.round})
    names = ", ".join(f"{state.entrant(one).name} ({one})" for one in table.entries)
    message = gettext("entry %(entry)s is not at table %(table)s of round %(round)s; there play %(names)s")
    return CommandRejected(message % {"entry": entry, "table": table.number, "round": table.round, "names": names})


def _check_quota(person: User, league: League, round_: int) -> None:
    if Prediction.objects.filter(league=league, person=person, round=round_).count() > MAX_PREDICTIONS_PER_ROUND:
        message = gettext("you can predict at most %(most)s tables of round %(round)s; remove a prediction first")
        raise CommandRejected(message % {"most": MAX_PREDICTIONS_PER_ROUND, "round": round_})
