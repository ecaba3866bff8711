"""The event store: streams grow only by whole pages, under a fencing token."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from ftk_core.hash_chained_log import LogWriteConflictError
from replays.event_stream_storage import EventAppender, pages_of, raise_fence

pytestmark = pytest.mark.django_db


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
