"""The bots of the house differ in strength, keep to the menu, and answer the same question in the same way."""

from __future__ import annotations

import pytest

from ftk_core.entries import Chose, read
from ftk_core.games import game
from ftk_core.kit.house import house_bots
from ftk_core.log import MemoryLog, lines_of
from ftk_core.referee import play
from ftk_core.rng import seed_of
from tests.support.local import LocalPlayer, points

GAME = "for_the_king"
QUICK = sorted(set(house_bots(GAME)) - {"slow"})
EXCUSES = {"crashy": {"crash"}, "dozer": {"timeout"}}


def log_of(names: list[str], number: int = 0) -> list[bytes]:
    log = MemoryLog()
    play(game(GAME), [LocalPlayer(GAME, name) for name in names], seed_of("house", *names, number), log=log)
    return list(lines_of(log))


def choices(lines: list[bytes], seat: int) -> list[Chose]:
    return [entry for line in lines if isinstance(entry := read(line), Chose) and entry.seat == seat]


def test_there_are_bots_enough_for_a_league() -> None:
    assert {"random", "greedy", "counter", "slow", "crashy"} <= set(house_bots(GAME))
    assert len(house_bots(GAME)) >= 8


@pytest.mark.slow
def test_a_bot_that_counts_beats_the_greedy_one_and_that_one_beats_chance() -> None:
    counter, greedy, *chance = points(GAME, ["counter", "greedy", "random", "random"], games=60)
    assert counter > greedy + 0.15
    assert greedy > max(chance) + 0.15


@pytest.mark.slow
def test_two_offices_courted_well_beat_face_values_and_lose_to_counting() -> None:
    counter, courtier, _, greedy = points(GAME, ["counter", "courtier", "miser", "greedy"], games=60)
    assert counter > courtier + 0.1
    assert courtier > greedy + 0.1


@pytest.mark.parametrize("name", QUICK)
def test_a_bot_answers_the_same_question_in_the_same_way(name: str) -> None:
    table = [name, "greedy", name]
    assert log_of(table) == log_of(table)


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("seats", [2, 5])
def test_a_bot_keeps_to_the_menu_at_every_table(name: str, seats: int) -> None:
    lines = log_of([name, *["greedy"] * (seats - 1)])
    assert {choice.excuse for choice in choices(lines, 0)} <= {None} | EXCUSES.get(name, set())


@pytest.mark.slow
def test_the_slow_one_is_a_greedy_one_that_thinks() -> None:
    slow, greedy = LocalPlayer(GAME, "slow"), LocalPlayer(GAME, "greedy")
    logs = []
    for player in (slow, greedy):
        player.name, log = "x", MemoryLog()
        play(game(GAME), [player, LocalPlayer(GAME, "miser")], seed_of("slow"), log=log)
        logs.append(list(lines_of(log)))
    assert logs[0] == logs[1]


@pytest.mark.slow
def test_the_crashy_one_crashes_in_some_matches_only() -> None:
    crashed = [
        any(c.excuse for c in choices(log_of(["crashy", "greedy", "miser", "courtier"], n), 0)) for n in range(24)
    ]
    assert 4 <= sum(crashed) <= 20
