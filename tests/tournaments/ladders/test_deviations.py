"""Deviation ratings and cycles of a ladder."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from django.test import Client

from bots.models import Bot
from tests.support.factories import BotFactory
from tournaments.ladders.ladder_deviation_ratings import read_deviations, refit
from tournaments.models import HeadToHeadTotal, LadderProjection

pytestmark = pytest.mark.django_db
BEATS = {("paper", "rock"), ("scissors", "paper"), ("rock", "scissors")}


def ladder_of(names: list[str]) -> None:
    """Store 40 matches for each pair: the better bot won 30 of them, and every bot won 36 against the bot `fool`."""
    fold = LadderProjection.objects.create(game="pig")
    bots = {name: BotFactory.create(slug=name) for name in names}
    for one, other in combinations(names, 2):
        kinds = one.split("-")[0], other.split("-")[0]
        won = 30 if kinds in BEATS else 10 if kinds[::-1] in BEATS else 20
        won = {("fool", "fool"): 20}.get(kinds, 4 if kinds[0] == "fool" else 36 if kinds[1] == "fool" else won)
        for bot, opponent, halves in ((one, other, 2 * won), (other, one, 80 - 2 * won)):
            HeadToHeadTotal.objects.create(ladder=fold, bot=bots[bot], other=bots[opponent], halves=halves, matches=40)
    refit("pig", "")


def scores() -> dict[str, tuple[int, str]]:
    found = read_deviations("pig", "")
    return {score.name: (score.place, score.percent) for score in found.scores} if found else {}


def test_bots_that_beat_each_other_in_a_cycle_share_the_first_place_by_deviation_rating() -> None:
    ladder_of(["rock", "paper", "scissors", "fool"])
    assert {name: place for name, (place, _) in scores().items()} == {"rock": 1, "paper": 1, "scissors": 1, "fool": 2}
    found = read_deviations("pig", "")
    assert found is not None
    (cycle,) = found.cycles
    assert set(zip(cycle.names, (*cycle.names[1:], cycle.names[0]), strict=True)) == BEATS
    assert set(cycle.percents) == {"74"}


def test_the_leaderboard_shows_deviation_ratings_and_cycles() -> None:
    ladder_of(["rock", "paper", "scissors", "fool"])
    page = Client().get("/leaderboards/pig/").content.decode()
    assert "A second opinion" in page
    assert page.count("74 %") == 3
    shown = re.findall(r'>(\w+)</a></th><td class="num strong">(\d+) %', page.split('id="second-opinion"')[1])
    assert dict(shown) == {name: percent for name, (_, percent) in scores().items()}
    assert [percent for _, percent in shown[:3]] == ["50"] * 3


def test_a_bot_with_few_opponents_gets_no_deviation_rating() -> None:
    ladder_of(["rock", "paper", "scissors"])
    fold, new = LadderProjection.objects.get(), BotFactory.create(slug="new")
    rock = Bot.objects.get(slug="rock")
    HeadToHeadTotal.objects.create(ladder=fold, bot=new, other=rock, halves=2, matches=1)
    HeadToHeadTotal.objects.create(ladder=fold, bot=rock, other=new, halves=0, matches=1)
    refit("pig", "")
    assert set(scores()) == {"rock", "paper", "scissors"}


def test_a_ladder_without_matches_has_no_deviation_ratings() -> None:
    refit("pig", "")
    assert read_deviations("pig", "") is None
