"""The archive's migrations: stored matches stay, and a reversed migration restores the older constraint."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction

from replays.match_archiving import archive_match
from replays.models import Page as PageRow, Stream
from replays.queries import read_match
from tests.support.archived_matches import export_log
from tests.support.bucket import use_archive
from tests.support.migrating import migrate_back
from tests.support.reviewable import create_closed_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_a_match_stored_before_the_archive_existed_can_be_archived(tmp_path: Path) -> None:
    match = create_closed_match()
    before = export_log(match)
    with migrate_back(("replays", "0017_seat_sums")):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM replays_page")
        assert PageRow.objects.exists()
    with use_archive(str(tmp_path / "archive")):
        archive_match(match)
        assert not PageRow.objects.exists()
        assert export_log(match) == before


@pytest.mark.slow
def test_the_migration_deletes_only_the_log_streams_of_archived_matches(tmp_path: Path) -> None:
    archived, stays = create_closed_match(), create_closed_match()
    with use_archive(str(tmp_path / "archive")):
        archive_match(archived)
        before = {match.pk: (export_log(match), read_match(match.pk)) for match in (archived, stays)}
        with migrate_back(("replays", "0023_fewer_indexes")) as apps:
            streams = apps.get_model("replays", "Stream").objects
            assert set(streams.values_list("pk", flat=True)) == {archived.stream_id, stays.stream_id}
        assert list(Stream.objects.values_list("pk", flat=True)) == [stays.stream_id]
        assert {match.pk: (export_log(match), read_match(match.pk)) for match in (archived, stays)} == before
