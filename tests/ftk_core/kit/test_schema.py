"""The schema of a game's lines holds for whatever bots are sent, and for nothing else."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, meta
from typer.testing import CliRunner

from ftk_core.games import game, shelf
from ftk_core.kit.cli import app
from ftk_core.kit.schema import lines_of, schema_of

TABLES = [(name, seats) for name, row in shelf().items() for seats in row.seats]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_line_of_a_match_is_as_the_schema_says(name: str, seats: int) -> None:
    validator = Draft202012Validator(schema_of(name))
    for line in lines_of(name, seats, 1):
        assert validator.is_valid(line), next(validator.iter_errors(line)).message[:400]


@pytest.mark.slow
@pytest.mark.parametrize("name", shelf())
def test_what_no_bot_is_sent_is_not_as_the_schema_says(name: str) -> None:
    validator = Draft202012Validator(schema_of(name))
    ask = next(line for line in lines_of(name, game(name).seats.start, 0) if line["type"] == "ask")

    def changed(**words: Any) -> dict[str, Any]:
        return {**copy.deepcopy(ask), **words}

    wrong = [
        changed(menu=ask["menu"][:1]),
        changed(menu=[{"kind": "fly"}, *ask["menu"]]),
        changed(news=[{"kind": "nothing"}]),
        changed(view={}),
        changed(bank_ms="much"),
        changed(secret=1),
        {"type": "ask"},
    ]
    assert [validator.is_valid(line) for line in wrong] == [False] * len(wrong)


@pytest.mark.parametrize("name", shelf())
def test_the_command_prints_a_sound_schema_whose_examples_fit(name: str) -> None:
    said = json.loads(CliRunner().invoke(app, ["schema", name]).stdout)
    meta.validate(said)
    assert [line["type"] for line in said["examples"]] == ["hello", "ask", "over"]
    assert all(Draft202012Validator(said).is_valid(line) for line in said["examples"])
    answer = Draft202012Validator({"$ref": "#/$defs/AnswerLine", "$defs": said["$defs"]})
    assert answer.is_valid({"id": 1, "choose": 0})
    assert not answer.is_valid({"id": 1, "choose": "0"})
