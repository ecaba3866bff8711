"""Luck of a game, measured from its leagues and shown on its page."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from django.test import Client

from foundation.celery_task_messages import count_messages
from ftk_core.game import NoGameOptions
from ftk_core.games.pig import rules as pig
from ftk_core.league.event_fields import Deals, StageSettings, TableSeating
from ftk_core.league.league_facts import LeagueFact, ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.league_state_from_events import encode_fact
from ftk_core.league.match_seating_and_random_seeds import rotate_seating, table_seed
from ftk_core.league.statistics.variance_components import MIN_REPEATED_DEALS, SOURCES
from ftk_core.random_streams import MatchRandomness
from replays.event_stream_storage import EventAppender
from tests.support.browser.pages import fetch_text
from tests.support.factories import create_active_version
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments import tasks
from tournaments.ladders import ladder_court_ratings
from tournaments.leagues import game_luck_measurement, queries, services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import CourtRatingFit
from tournaments.models.luck_measures import LuckMeasure

pytestmark = pytest.mark.django_db

GOALS = (3, 8, 14, 20, 26, 40)
"""Number of points at which each bot holds."""
TABLES = len(GOALS) // 2


def pig_of(goals: Sequence[int], seed: bytes) -> pig.TableState:
    """Return a finished match of Pig between bots that hold at these points."""
    table, chance = pig.setup(len(goals), NoGameOptions()), MatchRandomness(seed)
    while due := pig.turn(table):
        menu = pig.legal(table, due[0])
        hold = pig.HoldAction() in menu and table.gathered >= goals[due[0]]
        for fact in pig.decide(table, due[0], pig.HoldAction() if hold else menu[-1], chance):
            table = pig.apply(table, fact)
    return table


def league_of_pig(rounds: int, deals: Deals = "same") -> None:
    """Return a league whose bots have met this often, with two matches at each table."""
    stage = StageSettings(format="swiss", seats=2, least=2, rounds=rounds, games=2, deals=deals)
    league = services.open_league(
        LeagueSettings(slug=deals, name="Pig", game="pig", seats=2, rounds=rounds, stages=(stage,))
    )
    for number in range(len(GOALS)):
        services.enter_bot(league.pk, create_active_version(slug=f"{deals}{number}"))
    facts: list[LeagueFact] = []
    for number in range(1, rounds + 1):
        order = [1, *(2 + (number + step) % 5 for step in range(5))]  # all bots meet each other in five rounds
        tables = [TableSeating(at + 1, (order[at], order[-1 - at])) for at in range(TABLES)]
        facts.append(RoundPaired(round=number, tables=tuple(tables)))
        facts += [_result(bytes(league.secret), stage, number, table, game) for table in tables for game in (0, 1)]
        facts.append(RoundClosed(number))
    stream = EventAppender(league.stream_id)
    stream.append([encode_fact(fact) for fact in facts], stream.length)


def _result(secret: bytes, stage: StageSettings, round_: int, table: TableSeating, game: int) -> ResultRecorded:
    seating = rotate_seating(table.seating, game)
    seed = table_seed(secret, round_, table, stage, game=game)
    ended = pig.result(pig_of([GOALS[entry - 1] for entry in seating], seed))
    return ResultRecorded(
        round=round_,
        table=table.number,
        game=game,
        match=f"{round_}-{table.number}-{game}",
        seating=seating,
        places=ended.places,
        scores=ended.scores,
    )


@pytest.mark.slow
def test_the_page_of_a_game_shows_its_share_of_luck_estimated_from_a_league(client: Client) -> None:
    league_of_pig(60)
    assert game_luck_measurement.measure("pig")
    row = LuckMeasure.objects.get(game="pig")
    assert (row.seats, row.matches, row.deals) == (2, 60 * TABLES * 2, 60 * TABLES)
    assert sum(share["value"] for share in row.shares.values()) == pytest.approx(1)
    assert row.shares["bot"]["low"] > 0, "holding at 3 or at 40 loses to holding at 20"
    assert row.shares["seat"]["high"] < row.shares["bot"]["low"], "to begin is worth less than to play well"
    page = fetch_text(client, "/games/pig/")
    told = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    parts = {part.source: part for part in queries.read_luck("pig").parts}
    assert list(parts) == list(SOURCES)
    assert f"{parts['bot'].percent} % ({parts['bot'].low}–{parts['bot'].high}) comes from the bot" in told
    assert page.count("<rect class=") == len(SOURCES)
    assert sum(part.width for part in parts.values()) == pytest.approx(100, abs=0.1)


@pytest.mark.slow
def test_estimating_the_share_of_luck_again_gives_the_same_value() -> None:
    league_of_pig(40)
    game_luck_measurement.measure("pig")
    before = LuckMeasure.objects.values().get()
    game_luck_measurement.measure("pig")
    assert LuckMeasure.objects.values().get() == before


@pytest.mark.slow
def test_random_deals_played_only_once_give_no_estimate_of_luck(client: Client) -> None:
    league_of_pig(60, deals="fresh")
    assert not game_luck_measurement.measure("pig")
    assert f"shown once the same bots have played {MIN_REPEATED_DEALS} deals" in fetch_text(client, "/games/pig/")
    assert "so far there are 0." in fetch_text(client, "/games/pig/")


def test_the_page_of_a_game_without_luck_estimate_shows_how_many_repeated_deals_are_needed(client: Client) -> None:
    assert f"shown once the same bots have played {MIN_REPEATED_DEALS} deals" in fetch_text(client, "/games/pig/")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_sweeper_enqueues_a_new_luck_estimate_once_there_are_10_percent_more_matches() -> None:
    play_all(start_league(create_entrants(4), rounds=1))
    ladder_court_ratings.refit("pig")  # otherwise the sweeper would enqueue a task for this, too
    before = count_messages("house")
    tasks.sweep()
    assert count_messages("house") == before + 1
    assert tasks.measure("pig") is False
    tasks.sweep()
    assert count_messages("house") == before + 1
    assert game_luck_measurement.list_due() == []
    LuckMeasure.objects.update(known=100)
    for matches, due in ((109, []), (110, ["pig"])):
        CourtRatingFit.objects.update(matches=matches)
        assert game_luck_measurement.list_due() == due
