"""The event store: streams grow by whole pages, under a fence, and in no other way."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from ftk_core.log import GENESIS, Conflict, check_chain
from replays.store import StreamLog, pages_of, raise_fence

pytestmark = pytest.mark.django_db


def test_a_page_is_stored_with_the_hash_of_all_before_it() -> None:
    log = StreamLog("match/a")
    log.append([b"one\n", b"two\n"], 0)
    log.append([b"three\n"], 2)
    pages = list(check_chain(pages_of("match/a")))
    assert [(page.first, page.last, page.body) for page in pages] == [
        (0, 1, b"one\ntwo\n"),
        (2, 2, b"three\n"),
    ]
    assert StreamLog("match/a").head == pages[-1].head != GENESIS


def test_a_writer_that_has_not_seen_the_newest_page_is_refused() -> None:
    early, late = StreamLog("match/a"), StreamLog("match/a")
    early.append([b"one\n"], 0)
    with pytest.raises(Conflict):
        late.append([b"other\n"], 0)
    assert [page.body for page in pages_of("match/a")] == [b"one\n"]


def test_a_writer_whose_fence_was_passed_is_refused() -> None:
    zombie = StreamLog("match/a", raise_fence("match/a"))
    zombie.append([b"one\n"], 0)
    heir = StreamLog("match/a", raise_fence("match/a"))
    with pytest.raises(Conflict):
        zombie.append([b"two\n"], 1)
    heir.append([b"two\n"], 1)
    assert heir.length == 2


def test_reading_begins_behind_any_entry() -> None:
    log = StreamLog("match/a")
    for number in range(4):
        log.append([f"{number}a\n".encode(), f"{number}b\n".encode()], 2 * number)
    assert [page.first for page in pages_of("match/a", after=3)] == [4, 6]
    assert [page.first for page in pages_of("match/a", after=2)] == [2, 4, 6]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE replays_page SET body = 'x'",
        "UPDATE replays_page SET first = first + 1",
        "DELETE FROM replays_page",
        "TRUNCATE replays_page",
        "TRUNCATE replays_page, replays_stream CASCADE",
    ],
)
@pytest.mark.django_db(transaction=True)
def test_the_database_refuses_to_change_a_page(statement: str) -> None:
    StreamLog("match/a").append([b"one\n"], 0)
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert [page.body for page in pages_of("match/a")] == [b"one\n"]
