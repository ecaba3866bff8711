"""The strict parser of bot output: each line is either an answer or malformed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from ftk_core.kit.protocol.protocol_lines import (
    ANSWER_BYTES,
    InvalidBotAnswerError,
    StateRequestLine,
    read_reply,
    read_reply_or_request,
)

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["id", "choose", "note"]) | st.text(), inner),
    max_leaves=10,
)


@given(st.binary(max_size=ANSWER_BYTES + 10))
def test_parsing_arbitrary_bytes_as_an_answer_raises_only_invalid_reply_error(line: bytes) -> None:
    with pytest.raises(InvalidBotAnswerError):
        read_reply(line)


@pytest.mark.slow
@given(ANYTHING)
@example({"id": (1 << 31) - 1, "choose": -(1 << 31)})
@example({"id": 1 << 31, "choose": 0})
def test_json_is_accepted_as_an_answer_exactly_if_its_fields_and_types_match(value: Any) -> None:
    line = json.dumps(value).encode()
    whole = isinstance(value, dict) and {"id", "choose"} <= set(value) <= {"id", "choose", "note"}
    numbers = whole and all(type(value[key]) is int and -(1 << 31) <= value[key] < 1 << 31 for key in ("id", "choose"))
    note = value.get("note", "") if isinstance(value, dict) else None
    valid = numbers and isinstance(note, str) and "\0" not in note and len(line) <= ANSWER_BYTES
    try:
        reply = read_reply(line)
    except InvalidBotAnswerError:
        assert not valid
    else:
        assert valid
        assert (reply.id, reply.choose, reply.note) == (value["id"], value["choose"], note)


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 1, "choose": 0, "id": 1}',
        b'{"id": 1, "choose": 0, "\\u0069d": 1}',
        b'{"id": 1, "choose": 7, "choose": 0}',
        b'{"id": 1, "choose": 0, "note": "\\u0000"}',
        b'{"id": 1, "choose": 0, "note": "\\ud800"}',
        b'{"id": 1, "choose": 1e999}',
        b'{"id": 1, "choose": NaN}',
        b'{"id": 1, "choose": 0.0}',
        b'{"id": 1, "choose": "0"}',
        b'{"id": 1, "choose": true}',
        b'{"id": 1, "choose": 0, "more": ' + b"[" * 2000 + b"]" * 2000 + b"}",
        b'\xff{"id": 1, "choose": 0}',
        b'{"id": 1, "choose": 0} {}',
        b'{"id": 1, "choose": 0, "mood": "good"}',
    ],
)
def test_json_that_different_parsers_read_differently_is_refused_as_malformed(line: bytes) -> None:
    with pytest.raises(InvalidBotAnswerError):
        read_reply(line)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[1, 0]", "object"),
        ("null", "object"),
        ("0", "object"),
        ('{"id": 1, "choose": 0, "note": 7}', "note"),
        ('{"id": "1", "choose": 0}', "str"),
        ('{"id": 1, "choose": 0.5}', "float"),
    ],
)
def test_the_message_about_an_invalid_answer_names_the_wrong_part(line: str, reason: str) -> None:
    with pytest.raises(InvalidBotAnswerError, match=reason):
        read_reply(line.encode())


@pytest.mark.parametrize("number", ["9" * 4000, "-" + "9" * 30, "2147483648"])
@pytest.mark.parametrize("key", ["id", "choose"])
def test_the_message_about_a_huge_number_in_an_answer_is_short(key: str, number: str) -> None:
    numbers = {"id": "1", "choose": "1", key: number}
    with pytest.raises(InvalidBotAnswerError) as refused:
        read_reply(f'{{"id": {numbers["id"]}, "choose": {numbers["choose"]}}}'.encode())
    assert len(str(refused.value)) < 280


def test_a_request_of_a_bot_for_the_game_state_is_distinguished_from_an_answer() -> None:
    assert read_reply_or_request(b'{"id": 3, "world": true}') == StateRequestLine(id=3, world=True)
    assert read_reply_or_request(b'{"id": 3, "choose": 1, "note": "\\"world\\""}') == read_reply(
        b'{"id": 3, "choose": 1, "note": "\\"world\\""}'
    )


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 1, "world": false}',
        b'{"id": 1, "world": 1}',
        b'{"id": 1, "world": true, "world": true}',
        b'{"id": 1, "world": true, "seat": 2}',
        b'{"id": 1, "world": true' + b" " * ANSWER_BYTES + b"}",
        b'{"world": true}',
    ],
)
def test_a_request_for_the_game_state_with_unexpected_fields_or_values_is_refused_as_malformed(line: bytes) -> None:
    with pytest.raises(InvalidBotAnswerError):
        read_reply_or_request(line)


@pytest.mark.parametrize("line", [b'{"id":1,"choose":0,"\\u0000":1}', b'{"id":1,"choose":0,"\\u0000":1,"\\u0000":1}'])
def test_the_message_about_an_invalid_answer_has_no_control_characters(line: bytes) -> None:
    with pytest.raises(InvalidBotAnswerError) as refused:
        read_reply(line)
    assert str(refused.value).isprintable()
