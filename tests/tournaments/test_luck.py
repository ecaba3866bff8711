"""The luck of a game is measured from its leagues' streams, now and then, and told on its page."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from django.test import Client

from foundation.doorbell import bells
from ftk_core.game import StandardOptions
from ftk_core.games.pig import rules as pig
from ftk_core.league.deals import table_seed, turned
from ftk_core.league.facts import LeagueFact, ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.folding import write
from ftk_core.league.luck_shares import LEAST, SOURCES
from ftk_core.league.plans import Deals, Stage, TablePlan
from ftk_core.rng import Chance
from replays.store import StreamLog
from tests.support.browser.pages import text_of
from tests.support.factories import active_version
from tests.support.leagues import entrants, new_league, play_all
from tournaments import court_ratings, luck, queries, services, tasks
from tournaments.models import LuckMeasure
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db

GOALS = (3, 8, 14, 20, 26, 40)
"""At how many points each bot holds."""
TABLES = len(GOALS) // 2


def pig_of(goals: Sequence[int], seed: bytes) -> pig.Table:
    """A match of Pig at its end, between bots that hold at these points."""
    table, chance = pig.setup(len(goals), StandardOptions()), Chance(seed)
    while due := pig.turn(table):
        menu = pig.legal(table, due[0])
        hold = pig.Hold() in menu and table.gathered >= goals[due[0]]
        for fact in pig.decide(table, due[0], pig.Hold() if hold else menu[-1], chance):
            table = pig.apply(table, fact)
    return table


def league_of_pig(rounds: int, deals: Deals = "same") -> None:
    """A league in whose stream the bots have met so often, each table playing two matches."""
    stage = Stage(format="swiss", seats=2, least=2, rounds=rounds, games=2, deals=deals)
    league = services.open_league(Terms(slug=deals, name="Pig", game="pig", seats=2, rounds=rounds, stages=(stage,)))
    for number in range(len(GOALS)):
        services.enter_bot(league.pk, active_version(slug=f"{deals}{number}"))
    facts: list[LeagueFact] = []
    for number in range(1, rounds + 1):
        order = [1, *(2 + (number + step) % 5 for step in range(5))]  # everybody meets everybody in five rounds
        tables = [TablePlan(at + 1, (order[at], order[-1 - at])) for at in range(TABLES)]
        facts.append(RoundPaired(round=number, tables=tuple(tables)))
        facts += [_result(bytes(league.secret), stage, number, table, game) for table in tables for game in (0, 1)]
        facts.append(RoundClosed(number))
    stream = StreamLog(league.stream_id)
    stream.append([write(fact) for fact in facts], stream.length)


def _result(secret: bytes, stage: Stage, round_: int, table: TablePlan, game: int) -> ResultRecorded:
    seating = turned(table, game)
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


def test_the_luck_of_pig_is_measured_from_a_league_and_told_on_its_page(client: Client) -> None:
    league_of_pig(60)
    assert luck.measure("pig")
    row = LuckMeasure.objects.get(game="pig")
    assert (row.seats, row.matches, row.deals) == (2, 60 * TABLES * 2, 60 * TABLES)
    assert sum(share["value"] for share in row.shares.values()) == pytest.approx(1)
    assert row.shares["bot"]["low"] > 0, "holding at 3 or at 40 loses to holding at 20"
    assert row.shares["seat"]["high"] < row.shares["bot"]["low"], "to begin is worth less than to play well"
    page = text_of(client, "/games/pig/")
    told = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    parts = {part.source: part for part in queries.read_luck("pig").parts}
    assert list(parts) == list(SOURCES)
    assert f"{parts['bot'].percent} % ({parts['bot'].low}–{parts['bot'].high}) is the bot" in told
    assert page.count("<rect class=") == len(SOURCES)
    assert sum(part.width for part in parts.values()) == pytest.approx(100, abs=0.1)


def test_measured_again_it_is_the_same() -> None:
    league_of_pig(40)
    luck.measure("pig")
    before = LuckMeasure.objects.values().get()
    luck.measure("pig")
    assert LuckMeasure.objects.values().get() == before


def test_deals_that_are_not_shared_tell_nothing(client: Client) -> None:
    league_of_pig(60, deals="fresh")
    assert not luck.measure("pig")
    assert f"told once {LEAST} deals have been played" in text_of(client, "/games/pig/")
    assert "so far there are 0." in text_of(client, "/games/pig/")


def test_a_game_that_nobody_has_measured_says_how_many_deals_it_takes(client: Client) -> None:
    assert f"told once {LEAST} deals have been played" in text_of(client, "/games/pig/")


@pytest.mark.django_db(transaction=True)
def test_the_sweeper_rings_for_what_has_grown_by_a_tenth() -> None:
    play_all(new_league(entrants(4), rounds=1))
    court_ratings.refit("pig")  # or the sweeper would ring for that, too
    before = bells("house")
    tasks.sweep()
    assert bells("house") == before + 1
    assert tasks.measure("pig") is False
    tasks.sweep()
    assert bells("house") == before + 1
    assert luck.list_due() == []
    LuckMeasure.objects.update(known=1)
    assert luck.list_due() == ["pig"]
