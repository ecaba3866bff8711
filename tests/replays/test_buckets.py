"""The archive in a bucket that speaks S3, over HTTP: what comes back is what went there, and what fails has a name."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from replays.archiving import archive_match
from replays.blocks.reading import read_block
from replays.blocks.unread import MissingBlock, StoreRefused, StoreUnreachable
from replays.models import Match
from replays.models import Page as PageRow
from tests.support.archived import block_of, log_of
from tests.support.bucket import Bucket, archive_at, served
from tests.support.live import lines_played
from tests.support.reviewable import closed_match

pytestmark = pytest.mark.django_db(transaction=True)
URL = "s3://court/old/matches"


@pytest.fixture(scope="module")
def bucket() -> Iterator[Bucket]:
    with served() as one:
        yield one


@pytest.fixture
def environment(bucket: Bucket) -> dict[str, str]:
    """What an arena is told to reach the bucket."""
    return {
        "AWS_ENDPOINT_URL": bucket.endpoint,
        "AWS_ACCESS_KEY_ID": bucket.key,
        "AWS_SECRET_ACCESS_KEY": bucket.secret,
        "AWS_REGION": "us-east-1",
    }


@pytest.fixture
def matches() -> list[Match]:
    """As many as a dictionary is made from."""
    return [closed_match(lines=lines_played("pig", 2, number)) for number in range(8)]


@pytest.mark.slow
def test_logs_come_back_from_a_bucket_as_they_went_there(matches: list[Match], environment: dict[str, str]) -> None:
    before = [log_of(match) for match in matches]
    with archive_at(URL, **environment):
        out = io.StringIO()
        call_command("archive", "--older-than", "0d", stdout=out)
    assert out.getvalue().startswith("8 matches archived")
    assert not PageRow.objects.exists()
    with archive_at(URL, **environment):
        assert [log_of(match) for match in matches] == before


def test_a_wrong_key_is_named_and_nothing_is_let_go(matches: list[Match], environment: dict[str, str]) -> None:
    wrong = environment | {"AWS_SECRET_ACCESS_KEY": "another"}
    with archive_at(URL, **wrong), pytest.raises(CommandError, match="the store refuses our key"):
        call_command("archive", "--older-than", "0d")
    assert PageRow.objects.count() == len(matches)
    with archive_at(URL, **environment):
        archive_match(matches[0])
    with archive_at(URL, **wrong), pytest.raises(StoreRefused, match=f"{matches[0].stream_id} is in the archive"):
        read_block(block_of(matches[0]))


def test_a_bucket_that_is_away_is_named_and_nothing_is_let_go(
    matches: list[Match], environment: dict[str, str], client: Client
) -> None:
    away = environment | {"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}
    with archive_at(URL, **away), pytest.raises(CommandError, match="the store does not answer"):
        call_command("archive", "--older-than", "0d")
    assert PageRow.objects.count() == len(matches)
    with archive_at(URL, **environment):
        archive_match(matches[0])
    with archive_at(URL, **away):
        answer = client.get(f"/api/v1/matches/{matches[0].pk}/log/")
        assert (answer.status_code, answer.json()["code"]) == (503, "store_unreachable")
    with archive_at("s3://nosuch", **environment), pytest.raises((StoreUnreachable, StoreRefused)):
        read_block(block_of(matches[0]))


def test_a_block_that_was_deleted_in_the_bucket_is_named(
    matches: list[Match], environment: dict[str, str], bucket: Bucket
) -> None:
    with archive_at(URL, **environment):
        archive_match(matches[0])
        bucket.clear()
        with pytest.raises(MissingBlock, match=f"{matches[0].stream_id} is in the archive.*was something deleted"):
            read_block(block_of(matches[0]))
