"""The built-in bots differ in strength, answer from the menu, and answer the same question alike."""

from __future__ import annotations

import pytest

from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.log_entries import ChoiceMade, read
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from tests.support.local import LocalPlayer, measure_points

GAME = "for_the_king"
QUICK = sorted(set(list_built_in_bots(GAME)) - {"slow"})
EXCUSES = {"crashy": {"crash"}, "dozer": {"timeout"}}


def log_of(names: list[str], number: int = 0) -> list[bytes]:
    log = InMemoryLog()
    play(game(GAME), [LocalPlayer(GAME, name) for name in names], seed_of("house", *names, number), log=log)
    return list(lines_of(log))


def choices(lines: list[bytes], seat: int) -> list[ChoiceMade]:
    return [entry for line in lines if isinstance(entry := read(line), ChoiceMade) and entry.seat == seat]


def test_there_are_at_least_eight_built_in_bots() -> None:
    assert {"random", "greedy", "counter", "slow", "crashy"} <= set(list_built_in_bots(GAME))
    assert len(list_built_in_bots(GAME)) >= 8


@pytest.mark.slow
def test_the_counting_bot_beats_the_greedy_bot_which_beats_the_random_bot() -> None:
    counter, greedy, *chance = measure_points(GAME, ["counter", "greedy", "random", "random"], games=60)
    assert counter > greedy + 0.15
    assert greedy > max(chance) + 0.15


@pytest.mark.slow
def test_the_courtier_bot_beats_the_greedy_bot_and_loses_to_the_counting_bot() -> None:
    counter, courtier, _, greedy = measure_points(GAME, ["counter", "courtier", "miser", "greedy"], games=60)
    assert counter > courtier + 0.1
    assert courtier > greedy + 0.1


@pytest.mark.parametrize("name", QUICK)
def test_each_built_in_bot_gives_the_same_answer_to_the_same_question(name: str) -> None:
    table = [name, "greedy", name]
    assert log_of(table) == log_of(table)


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("seats", [2, 5])
def test_each_built_in_bot_answers_with_legal_actions_with_two_and_with_five_players(name: str, seats: int) -> None:
    lines = log_of([name, *["greedy"] * (seats - 1)])
    assert {choice.excuse for choice in choices(lines, 0)} <= {None} | EXCUSES.get(name, set())


@pytest.mark.slow
def test_the_slow_bot_plays_like_the_greedy_bot() -> None:
    slow, greedy = LocalPlayer(GAME, "slow"), LocalPlayer(GAME, "greedy")
    logs = []
    for player in (slow, greedy):
        player.name, log = "x", InMemoryLog()
        play(game(GAME), [player, LocalPlayer(GAME, "miser")], seed_of("slow"), log=log)
        logs.append(list(lines_of(log)))
    assert logs[0] == logs[1]


@pytest.mark.slow
def test_the_crashy_bot_crashes_in_some_matches_only() -> None:
    crashed = [
        any(c.excuse for c in choices(log_of(["crashy", "greedy", "miser", "courtier"], n), 0)) for n in range(24)
    ]
    assert 4 <= sum(crashed) <= 20
