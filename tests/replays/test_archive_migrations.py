"""The archive's migrations: what was stored before stays, and the older rule comes back with the older schema."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction

from replays.archiving import archive_match
from replays.models import Page as PageRow
from replays.models import Stream
from replays.queries import read_match
from tests.support.archived import log_of
from tests.support.bucket import archive_at
from tests.support.migrating import migrated_back
from tests.support.reviewable import closed_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_a_match_stored_before_there_was_an_archive_goes_there(tmp_path: Path) -> None:
    match = closed_match()
    before = log_of(match)
    with migrated_back(("replays", "0017_seat_sums")):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM replays_page")
        assert PageRow.objects.exists()
    with archive_at(str(tmp_path / "archive")):
        archive_match(match)
        assert not PageRow.objects.exists()
        assert log_of(match) == before


@pytest.mark.slow
def test_the_streams_of_matches_archived_before_go_and_nothing_else(tmp_path: Path) -> None:
    archived, stays = closed_match(), closed_match()
    with archive_at(str(tmp_path / "archive")):
        archive_match(archived)
        before = {match.pk: (log_of(match), read_match(match.pk)) for match in (archived, stays)}
        with migrated_back(("replays", "0023_fewer_indexes")) as apps:
            streams = apps.get_model("replays", "Stream").objects
            assert set(streams.values_list("pk", flat=True)) == {archived.stream_id, stays.stream_id}
        assert list(Stream.objects.values_list("pk", flat=True)) == [stays.stream_id]
        assert {match.pk: (log_of(match), read_match(match.pk)) for match in (archived, stays)} == before
