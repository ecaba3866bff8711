"""The search for bots: repeatable, based on the seat's own knowledge, and right in plain cases."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from random import Random

import msgspec
import pytest
from typer.testing import CliRunner

from ftk_core.facts import encode
from ftk_core.games import game
from ftk_core.games.pig.rules import HoldAction
from ftk_core.kit.bot import Ask
from ftk_core.kit.cli import app
from ftk_core.kit.engine import FIRST_BUDGET, SearchBot, SearchUnavailable, best_item, search_seed, table_of
from ftk_core.native.native_match import NativeMatch
from ftk_core.native.shared_rules_library import NativeError
from tests.support.laws.tables import play_random_match
from tests.support.laws.twins import SECRET_GAMES, twin_questions
from tests.support.native_rules import NATIVE_GAMES

pytestmark = pytest.mark.usefixtures("native_library")

BUDGET = 500


def table_in(name: str, seats: int, state: object) -> NativeMatch:
    table = NativeMatch(name, seats)
    table.set_state(encode(state))
    return table


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_a_search_with_the_same_seed_repeats_its_result(name: str) -> None:
    seats = game(name).seats.start
    match = play_random_match(name, seats, 0)
    for moment in match.moments[:: max(1, len(match.moments) // 10)]:
        seat = game(name).turn(moment.state)[0]
        size = len(game(name).legal(moment.state, seat))
        table = table_in(name, seats, moment.state)
        found = table.search(seat, BUDGET, seed=1)
        assert found == table.search(seat, BUDGET, seed=1)
        best, items = found
        assert len(items) == size
        assert all(0 <= share <= 1 for share, _ in items)
        assert items[best][1] == max(playouts for _, playouts in items)


@pytest.mark.slow
@pytest.mark.parametrize("name", SECRET_GAMES)
def test_a_search_gives_the_same_result_in_states_that_differ_only_in_secrets_of_other_players(name: str) -> None:
    for here, there, seat, seats, _ in islice(twin_questions(game(name)), 30):
        assert table_in(name, seats, here).search(seat, 1, 3) == table_in(name, seats, there).search(seat, 1, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["for_the_king", "to_court_the_king"])
def test_a_search_of_a_single_world_keeps_the_choice_of_the_playout_policy(name: str) -> None:
    moments = play_random_match(name, 5, 0).moments
    for moment in moments[:: max(1, len(moments) // 8)]:
        seat = game(name).turn(moment.state)[0]
        table = table_in(name, 5, moment.state)
        if table.menu_size(seat) > 2:
            own = {table.quick(seat, Random(number).randbytes(32)) for number in range(2000)}
            assert {table.search(seat, 1, seed)[0] for seed in range(20)} <= own


def test_a_search_whose_answer_is_fixed_plays_few_playouts() -> None:
    state = game("kings_court").setup(6, game("kings_court").options())
    table = table_in("kings_court", 6, state)
    best, items = table.search(0, 400_000, seed=1)
    assert items[best][1] > 0
    assert table.search_spent() < 10_000


def test_a_search_in_pig_keeps_points_that_win_immediately_but_rolls_again_with_few_points() -> None:
    rules = game("pig")
    start = rules.setup(2, rules.options())
    for points, holds in ((3, False), (99, True)):
        state = msgspec.structs.replace(start, banked=(1, 80), gathered=points, rolls=2)
        best, _ = table_in("pig", 2, state).search(0, 20_000, seed=1)
        assert isinstance(rules.legal(state, 0)[best], HoldAction) == holds


def test_a_search_for_a_player_who_is_not_to_move_raises_an_error() -> None:
    table = NativeMatch("pig", 2)
    for seat in (-1, 1, 2, 99):
        with pytest.raises(NativeError):
            table.search(seat, BUDGET, seed=1)


def test_a_bot_can_search_from_the_game_state_that_the_server_sends() -> None:
    state = msgspec.structs.replace(game("pig").setup(2, game("pig").options()), gathered=90, rolls=4)
    world = msgspec.json.decode(encode(state))
    line = {"id": 7, "view": world, "news": [], "menu": [{"kind": "hold"}, {"kind": "roll"}], "bank_ms": 0}
    ask = Ask({"match": "m", "game": "pig", "seats": 2, "seat": 0}, line, lambda: world)
    assert msgspec.json.decode(table_of(ask).view(0)) == world
    assert best_item(ask, 2000) == 0
    with pytest.raises(SearchUnavailable, match="sends no state"):
        best_item(Ask({"match": "m", "game": "pig", "seats": 2, "seat": 0}, line), 2000)


@pytest.mark.slow
@pytest.mark.parametrize(("budget", "kept"), [(20_000, {"theft", "King", "statement"}), (100_000, {"theft", "King"})])
def test_in_kings_court_a_larger_search_budget_changes_statements_but_no_thefts_or_accusations(
    budget: int, kept: set[str]
) -> None:
    kinds = {"TakeAction": "theft", "AccuseAction": "King", "ClaimAction": "statement"}
    differ, met = set[str](), set[str]()
    for moment in play_random_match("kings_court", 6, 1).moments[::3]:
        for seat in game("kings_court").turn(moment.state):
            menu = game("kings_court").legal(moment.state, seat)
            if kind := next((kinds[name] for action in menu if (name := type(action).__name__) in kinds), None):
                table = table_in("kings_court", 6, moment.state)
                met.add(kind)
                if table.search(seat, budget, seed=1)[0] != table.search(seat, BUDGET, seed=1)[0]:
                    differ.add(kind)
    assert met == {"theft", "King", "statement"}
    assert differ == met - kept


@pytest.mark.slow
def test_larger_searches_of_the_game_to_court_the_king_run_more_playouts_and_give_similar_results() -> None:
    small, large = 99_999, 100_000
    differences, ratios = list[float](), list[float]()
    for number, seats in enumerate((2, 3, 5)):
        moments = play_random_match("to_court_the_king", seats, number).moments
        for moment in [one for one in moments if one.state.round <= 10 and one.state.king is None][::12][:8]:
            seat = game("to_court_the_king").turn(moment.state)[0]
            table = table_in("to_court_the_king", seats, moment.state)
            if table.menu_size(seat) < 2:
                continue
            played_to_end, estimated = table.search(seat, small, seed=1)[1], table.search(seat, large, seed=1)[1]
            at = max(range(len(estimated)), key=lambda item: played_to_end[item][1])
            differences.append(abs(played_to_end[at][0] - estimated[at][0]))
            ratios.append(sum(count for _, count in estimated) / sum(count for _, count in played_to_end))
    assert len(differences) > 10
    assert sum(differences) / len(differences) < 0.06
    assert min(ratios) > 1, "a playout to the end of the turn is shorter"
    assert sum(ratios) / len(ratios) > 3


def test_search_bots_have_a_new_seed_in_every_match() -> None:
    asks = [
        Ask({"match": match, "seat": 0}, {"id": 7, "view": {}, "news": [], "menu": [], "bank_ms": 0})
        for match in ("a", "b", "a")
    ]
    first, second, again = map(search_seed, asks)
    assert first != second
    assert first == again


def test_a_search_plays_no_more_playouts_than_its_budget_allows() -> None:
    state = game("pig").setup(2, game("pig").options())
    _, items = table_in("pig", 2, msgspec.structs.replace(state, gathered=5, rolls=2)).search(0, 10_000, seed=1)
    assert sum(playouts for _, playouts in items) < 10_000


def test_a_search_bot_with_a_huge_playout_budget_answers_within_its_move_time() -> None:
    state = msgspec.structs.replace(game("pig").setup(2, game("pig").options()), gathered=5, rolls=2)
    world = msgspec.json.decode(encode(state))
    hello = {"match": "m", "game": "pig", "seats": 2, "seat": 0, "move_ms": 50}
    bot, playouts = SearchBot(budget=10**12), list[float]()
    for number in range(3):
        line = {"id": number, "view": world, "news": [], "menu": [{"kind": "hold"}, {"kind": "roll"}], "bank_ms": 0}
        ask = Ask(hello, line, lambda: world)
        assert bot.choose(ask) == 1
        assert isinstance(ask.note, dict)
        playouts.append(ask.note["playouts"])
    assert playouts[0] < FIRST_BUDGET, "the first search measures how fast this machine is"
    assert max(playouts) < 10**9


@pytest.mark.nightly
@pytest.mark.parametrize("name", NATIVE_GAMES)
@pytest.mark.parametrize("bot", ["gentle", "club", pytest.param("master", marks=pytest.mark.slow)])
def test_every_built_in_search_bot_plays_a_whole_match_without_a_fault(bot: str, name: str) -> None:
    seats = game(name).seats.start
    run = CliRunner().invoke(app, ["play", name, bot, *["random"] * (seats - 1), "--jobs", "1", "--json"])
    assert run.exit_code == 0, run.stderr
    assert {line["faults"] for line in json.loads(run.stdout)["bots"]} == {0}


@pytest.mark.slow
def test_search_bots_are_listed_as_built_in_bots_only_if_native_rules_are_available() -> None:
    command = [sys.executable, "-c", "from ftk_core.kit.cli import app; app()", "games"]
    games = [
        subprocess.run(command, env=os.environ | {"FTK_NATIVE": native}, capture_output=True, text=True, check=True)
        for native in ("1", "0")
    ]
    assert ["master" in run.stdout for run in games] == [True, False]
