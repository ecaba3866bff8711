"""The event store: streams grow only by whole pages, under a fencing token."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from ftk_core.hash_chained_log import GENESIS, LogWriteConflictError, check_chain
from replays.event_stream_storage import EventAppender, pages_of, raise_fence

pytestmark = pytest.mark.django_db


def test_each_log_page_is_stored_with_a_hash_that_covers_all_previous_pages() -> None:
    log = EventAppender("match/a")
    log.append([b"one\n", b"two\n"], 0)
    log.append([b"three\n"], 2)
    pages = list(check_chain(pages_of("match/a")))
    assert [(page.first, page.last, page.body) for page in pages] == [
        (0, 1, b"one\ntwo\n"),
        (2, 2, b"three\n"),
    ]
    assert EventAppender("match/a").head == pages[-1].head != GENESIS


def test_appending_to_a_log_with_a_stale_expected_length_is_refused() -> None:
    early, late = EventAppender("match/a"), EventAppender("match/a")
    early.append([b"one\n"], 0)
    with pytest.raises(LogWriteConflictError):
        late.append([b"other\n"], 0)
    assert [page.body for page in pages_of("match/a")] == [b"one\n"]


def test_appending_to_a_log_with_an_old_fencing_token_is_refused() -> None:
    zombie = EventAppender("match/a", raise_fence("match/a"))
    zombie.append([b"one\n"], 0)
    heir = EventAppender("match/a", raise_fence("match/a"))
    with pytest.raises(LogWriteConflictError):
        zombie.append([b"two\n"], 1)
    heir.append([b"two\n"], 1)
    assert heir.length == 2


def test_a_log_stream_can_be_read_from_any_entry() -> None:
    log = EventAppender("match/a")
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
def test_the_database_refuses_to_change_or_delete_a_log_page(statement: str) -> None:
    EventAppender("match/a").append([b"one\n"], 0)
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert [page.body for page in pages_of("match/a")] == [b"one\n"]
