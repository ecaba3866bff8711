"""The archive in an S3 bucket: blocks are read back unchanged, and failures are named."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from replays.archive.archive_errors import ArchiveBlockMissing, ArchiveStoreRefusedError, ArchiveStoreUnavailable
from replays.archive.archived_log_reading import read_block
from replays.match_archiving import archive_match
from replays.models import EventStreamPage as PageRow, Match
from tests.support.archived_matches import export_log, find_block
from tests.support.bucket import Bucket, serve_bucket, use_archive
from tests.support.live import play_log_lines
from tests.support.reviewable import create_closed_match

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
URL = "s3://court/old/matches"


@pytest.fixture(scope="module")
def bucket() -> Iterator[Bucket]:
    with serve_bucket() as one:
        yield one


@pytest.fixture
def environment(bucket: Bucket) -> dict[str, str]:
    """The arena's environment variables for the bucket."""
    return {
        "AWS_ENDPOINT_URL": bucket.endpoint,
        "AWS_ACCESS_KEY_ID": bucket.key,
        "AWS_SECRET_ACCESS_KEY": bucket.secret,
        "AWS_REGION": "us-east-1",
    }


@pytest.fixture
def matches() -> list[Match]:
    """As many matches as a dictionary needs."""
    return [create_closed_match(lines=play_log_lines("pig", 2, number)) for number in range(8)]


def test_archived_logs_are_read_from_an_s3_bucket_unchanged(matches: list[Match], environment: dict[str, str]) -> None:
    before = [export_log(match) for match in matches]
    with use_archive(URL, **environment):
        out = io.StringIO()
        call_command("archive", "--older-than", "0d", stdout=out)
    assert out.getvalue().startswith("8 matches archived")
    assert not PageRow.objects.exists()
    with use_archive(URL, **environment):
        assert [export_log(match) for match in matches] == before


def test_a_wrong_s3_access_key_is_reported_and_no_match_is_deleted(
    matches: list[Match], environment: dict[str, str]
) -> None:
    wrong = environment | {"AWS_SECRET_ACCESS_KEY": "another"}
    with use_archive(URL, **wrong), pytest.raises(CommandError, match="the store refuses our key"):
        call_command("archive", "--older-than", "0d")
    assert PageRow.objects.count() == len(matches)
    with use_archive(URL, **environment):
        archive_match(matches[0])
    with (
        use_archive(URL, **wrong),
        pytest.raises(ArchiveStoreRefusedError, match=f"{matches[0].stream_id} is in the archive"),
    ):
        read_block(find_block(matches[0]))


def test_an_unreachable_s3_bucket_is_reported_and_no_match_is_deleted(
    matches: list[Match], environment: dict[str, str], client: Client
) -> None:
    away = environment | {"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}
    with use_archive(URL, **away), pytest.raises(CommandError, match="the store does not answer"):
        call_command("archive", "--older-than", "0d")
    assert PageRow.objects.count() == len(matches)
    with use_archive(URL, **environment):
        archive_match(matches[0])
    with use_archive(URL, **away):
        answer = client.get(f"/api/v1/matches/{matches[0].pk}/log/")
        assert (answer.status_code, answer.json()["code"]) == (503, "store_unreachable")
    with use_archive("s3://nosuch", **environment), pytest.raises((ArchiveStoreUnavailable, ArchiveStoreRefusedError)):
        read_block(find_block(matches[0]))


def test_an_archive_block_missing_from_the_s3_bucket_is_reported(
    matches: list[Match], environment: dict[str, str], bucket: Bucket
) -> None:
    with use_archive(URL, **environment):
        archive_match(matches[0])
        bucket.clear()
        with pytest.raises(
            ArchiveBlockMissing, match=f"{matches[0].stream_id} is in the archive.*may have been deleted"
        ):
            read_block(find_block(matches[0]))
