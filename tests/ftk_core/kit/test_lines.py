"""The strict reader: whatever comes over the pipe is an answer or nonsense, and nothing in between."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ftk_core.kit.lines import ANSWER_BYTES, BadReply, read_reply

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["id", "choose", "note"]) | st.text(), inner),
    max_leaves=10,
)


@given(st.binary(max_size=ANSWER_BYTES + 10))
def test_no_bytes_are_more_than_nonsense(line: bytes) -> None:
    with pytest.raises(BadReply):
        read_reply(line)


@given(ANYTHING)
def test_json_is_an_answer_exactly_if_it_has_the_fields_and_their_types(value: Any) -> None:
    line = json.dumps(value).encode()
    whole = isinstance(value, dict) and {"id", "choose"} <= set(value) <= {"id", "choose", "note"}
    numbers = whole and all(type(value[key]) is int for key in ("id", "choose"))
    note = value.get("note", "") if isinstance(value, dict) else None
    valid = numbers and isinstance(note, str) and "\0" not in note and len(line) <= ANSWER_BYTES
    try:
        reply = read_reply(line)
    except BadReply:
        assert not valid or any(abs(value[key]) >= 1 << 63 for key in ("id", "choose"))
    else:
        assert valid
        assert (reply.id, reply.choose, reply.note) == (value["id"], value["choose"], note)


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 1, "choose": 0, "id": 1}',
        b'{"id": 1, "choose": 0, "\\u0069d": 1}',
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
    ],
)
def test_what_readers_of_json_differ_about_is_nonsense(line: bytes) -> None:
    with pytest.raises(BadReply):
        read_reply(line)
