"""Questions reconstructed from a log: they equal those that the seats were asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from ftk_core.facts import PUBLIC, encode
from ftk_core.games import game, list_games
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.protocol.protocol_lines import QuestionLine
from ftk_core.log_entries import TimeControl
from ftk_core.logged_decisions import questions
from ftk_core.players import DecisionTime, NoAnswerError, PlayerAnswer, QuestionToSeat, RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play


class _Diarist(RandomPlayer):
    """Player that stores each line it gets, and sometimes does not answer or exceeds its free time."""

    def __init__(self, seed: bytes, name: str) -> None:
        super().__init__(seed, name)
        self.lines: list[bytes] = []

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        self.lines.append(encode(QuestionLine.of(ask)))
        if ask.id % 7 == 3:
            raise NoAnswerError("timeout", "thinks", DecisionTime(2_500_000))
        return super().choose(ask)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seats"), [(name, seats) for name, row in list_games().items() for seats in row.seats]
)
def test_the_questions_rebuilt_from_a_log_equal_those_sent_to_each_seat(name: str, seats: int) -> None:
    players, log = [_Diarist(seed_of("diary", seat), f"bot-{seat}") for seat in range(seats)], InMemoryLog()
    play(game(name), players, seed_of("questions", name), log=log, clock=TimeControl(1000, 30_000))
    lines = list(lines_of(log))
    for seat, player in enumerate(players):
        assert _same(player.lines, [encode(QuestionLine.of(question.ask)) for question in questions(lines, seat)])
        assert {question.chosen for question in questions(lines, seat) if question.chose.excuse} <= {0}


def _same(then: Sequence[bytes], now: Sequence[bytes]) -> bool:
    """Compare without pytest's diff, which takes minutes for such long lines."""
    return list(then) == list(now)


def test_the_questions_of_a_truncated_log_can_be_rebuilt() -> None:
    log = InMemoryLog()
    play(game("pig"), [RandomPlayer(seed_of("early", seat)) for seat in range(2)], seed_of("early"), log=log)
    lines = list(lines_of(log))
    whole = [question.entry for question in questions(lines, 0)]
    assert [question.entry for question in questions(lines[: whole[2] + 1], 0)] == whole[:3]


@pytest.mark.parametrize("seat", [-1, 2])
def test_rebuilding_the_questions_of_a_missing_seat_raises_an_error_with_the_existing_seats(seat: int) -> None:
    log = InMemoryLog()
    play(game("pig"), [RandomPlayer(seed_of("early", seat)) for seat in range(2)], seed_of("early"), log=log)
    with pytest.raises(ValueError, match=f"seat {seat}: the match has the seats 0 to 1"):
        list(questions(list(lines_of(log)), seat))
    with pytest.raises(ValueError, match="does not begin with the opening"):
        list(questions([], 0))


@pytest.mark.parametrize("name", list_games())
def test_the_rules_of_each_game_document_every_kind_of_question_sent_to_bots(name: str) -> None:
    text = Path(f"ftk_core/games/{name}/RULES.md").read_text().partition("## What a bot is asked\n")[2]
    kinds = [str(kind.__struct_config__.tag) for kind in get_args(list_games()[name].actions)]
    assert kinds
    assert [kind for kind in kinds if f'"kind":"{kind}"' not in text] == []
    steps = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    known = {field.name: field for field in msgspec.structs.fields(_view_of(name))}
    if steps:
        assert set(steps) == set(get_args(known["step"].type)) - {"none"}
    looked = {word for row in re.findall(r"\| ([^|]*) \|$", text, re.MULTILINE) for word in re.findall(r"`(\w+)", row)}
    assert [word for word in looked if word not in known] == []


def _view_of(name: str) -> type[msgspec.Struct]:
    rules = list_games()[name]
    view: type[msgspec.Struct] = type(rules.view(rules.setup(rules.seats.start, rules.options()), PUBLIC))
    return view
