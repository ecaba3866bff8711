"""The schema of a game's protocol lines accepts every line that bots are sent and nothing else."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, meta
from typer.testing import CliRunner

from ftk_core.games import game, list_games
from ftk_core.kit.cli import app
from ftk_core.kit.commands.schema import lines_of, schema_of
from tests.support.plugin_packages import installed, register_entry_point

TABLES = [(name, seats) for name, row in list_games().items() for seats in row.seats]


def test_ftk_games_lists_each_game_on_a_line_that_begins_with_its_name() -> None:
    lines = CliRunner().invoke(app, ["games"], env={"COLUMNS": "500"}).stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(list_games())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_line_that_bots_send_and_receive_in_a_match_is_valid_by_the_json_schema(name: str, seats: int) -> None:
    validator = Draft202012Validator(schema_of(name))
    for line in lines_of(name, seats, 1):
        assert validator.is_valid(line), next(validator.iter_errors(line)).message[:400]


@pytest.mark.slow
@pytest.mark.parametrize("name", list_games())
def test_a_line_outside_the_protocol_is_invalid_by_the_json_schema(name: str) -> None:
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


@pytest.mark.parametrize("name", list_games())
def test_ftk_schema_prints_a_valid_json_schema_with_valid_examples(name: str) -> None:
    said = json.loads(CliRunner().invoke(app, ["schema", name]).stdout)
    meta.validate(said)
    assert [line["type"] for line in said["examples"]] == ["hello", "ask", "over"]
    assert all(Draft202012Validator(said).is_valid(line) for line in said["examples"])
    answer = Draft202012Validator({"$ref": "#/$defs/AnswerLine", "$defs": said["$defs"]})
    assert answer.is_valid({"id": 1, "choose": 0})
    assert not answer.is_valid({"id": 1, "choose": "0"})


def test_the_schema_of_a_game_with_a_single_event_type_names_that_type_by_the_kind_of_event(tmp_path: Path) -> None:
    register_entry_point(tmp_path, "fingers", "fingers = tests.support.finger_game:FINGERS")
    with installed(tmp_path):
        definitions = schema_of("fingers")["$defs"]
    assert definitions["FingersThrown"]["properties"]["kind"] == {"enum": ["fingers_thrown"]}
    assert "Thrown" not in definitions


def test_the_bot_protocol_page_shows_the_example_lines_from_the_schema_of_the_game_pig() -> None:
    page = Path("docs/bot-protocol.md").read_text().splitlines()
    shown = [json.loads(line) for line in page if line.startswith('{"type"') and "..." not in line]
    first = next(number for number, line in enumerate(shown) if line.get("game") == "pig")
    assert shown[first : first + 3] == schema_of("pig")["examples"]
