"""What a log tells of a match's questions is what the seats were asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from ftk_core.entries import Clock
from ftk_core.facts import PUBLIC, encode
from ftk_core.games import game, shelf
from ftk_core.kit.lines import AskLine
from ftk_core.log import MemoryLog, lines_of
from ftk_core.players import Answer, Ask, NoAnswer, RandomPlayer, TimeSpent
from ftk_core.questions import questions
from ftk_core.referee import play
from ftk_core.rng import seed_of


class _Diarist(RandomPlayer):
    """Keeps each line that it was sent; falls silent at times, and thinks longer than it is free to."""

    def __init__(self, seed: bytes, name: str) -> None:
        super().__init__(seed, name)
        self.lines: list[bytes] = []

    def choose(self, ask: Ask) -> Answer:
        self.lines.append(encode(AskLine.of(ask)))
        if ask.id % 7 == 3:
            raise NoAnswer("timeout", "thinks", TimeSpent(2_500_000))
        return super().choose(ask)


@pytest.mark.parametrize(("name", "seats"), [(name, seats) for name, row in shelf().items() for seats in row.seats])
def test_each_seat_was_asked_what_the_log_says(name: str, seats: int) -> None:
    players, log = [_Diarist(seed_of("diary", seat), f"bot-{seat}") for seat in range(seats)], MemoryLog()
    play(game(name), players, seed_of("questions", name), log=log, clock=Clock(1000, 30_000))
    lines = list(lines_of(log))
    for seat, player in enumerate(players):
        assert _same(player.lines, [encode(AskLine.of(question.ask)) for question in questions(lines, seat)])
        assert {question.chosen for question in questions(lines, seat) if question.chose.excuse} <= {0}


def _same(then: Sequence[bytes], now: Sequence[bytes]) -> bool:
    """Compare without pytest's telling of the difference, which takes minutes for lines as long as these."""
    return list(then) == list(now)


def test_a_log_that_ends_early_has_its_questions_too() -> None:
    log = MemoryLog()
    play(game("pig"), [RandomPlayer(seed_of("early", seat)) for seat in range(2)], seed_of("early"), log=log)
    lines = list(lines_of(log))
    whole = [question.entry for question in questions(lines, 0)]
    assert [question.entry for question in questions(lines[: whole[2] + 1], 0)] == whole[:3]


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_there_is_named_beside_those_that_are(seat: int) -> None:
    log = MemoryLog()
    play(game("pig"), [RandomPlayer(seed_of("early", seat)) for seat in range(2)], seed_of("early"), log=log)
    with pytest.raises(ValueError, match=f"seat {seat}: the match has the seats 0 to 1"):
        list(questions(list(lines_of(log)), seat))
    with pytest.raises(ValueError, match="does not begin with the opening"):
        list(questions([], 0))


@pytest.mark.parametrize("name", shelf())
def test_the_rules_say_every_kind_of_thing_that_a_bot_is_asked(name: str) -> None:
    text = Path(f"ftk_core/games/{name}/RULES.md").read_text().partition("## What a bot is asked\n")[2]
    kinds = [str(kind.__struct_config__.tag) for kind in get_args(shelf()[name].actions)]
    assert kinds
    assert [kind for kind in kinds if f'"kind":"{kind}"' not in text] == []
    steps = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    known = {field.name: field for field in msgspec.structs.fields(_view_of(name))}
    if steps:
        assert set(steps) == set(get_args(known["step"].type)) - {"none"}
    looked = {word for row in re.findall(r"\| ([^|]*) \|$", text, re.MULTILINE) for word in re.findall(r"`(\w+)", row)}
    assert [word for word in looked if word not in known] == []


def _view_of(name: str) -> type[msgspec.Struct]:
    rules = shelf()[name]
    view: type[msgspec.Struct] = type(rules.view(rules.setup(rules.seats.start, rules.options()), PUBLIC))
    return view
