"""An S3 bucket, served over HTTP by moto, which checks access keys like a real bucket."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch

import httpx
from django.test import override_settings

from replays.archive import archived_log_reading, block_storage

ANYTHING = '{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}}'


@dataclass(frozen=True)
class Bucket:
    """One bucket and its credentials."""

    endpoint: str
    key: str
    secret: str

    def clear(self) -> None:
        """Delete all objects."""
        import boto3  # it takes a second, which most tests of archives need not spend

        bucket = boto3.resource(
            "s3", endpoint_url=self.endpoint, aws_access_key_id=self.key, aws_secret_access_key=self.secret
        ).Bucket("court")
        bucket.objects.all().delete()


@contextmanager
def serve_bucket() -> Iterator[Bucket]:
    """Serve a bucket that accepts only one access key, and yield it with that key."""
    import boto3  # see `clear`
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    endpoint = "http://{}:{}".format(*server.get_host_and_port())
    try:
        with patch.dict(os.environ, AWS_ACCESS_KEY_ID="nobody", AWS_SECRET_ACCESS_KEY="x", AWS_REGION="us-east-1"):
            boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1").create_bucket(Bucket="court")
            people = boto3.client("iam", endpoint_url=endpoint, region_name="us-east-1")
            people.create_user(UserName="archivist")
            people.put_user_policy(UserName="archivist", PolicyName="all", PolicyDocument=ANYTHING)
            made = people.create_access_key(UserName="archivist")["AccessKey"]
        httpx.post(f"{endpoint}/moto-api/reset-auth", content="0").raise_for_status()  # from now on keys are checked
        yield Bucket(endpoint, made["AccessKeyId"], made["SecretAccessKey"])
    finally:
        httpx.post(f"{endpoint}/moto-api/reset-auth", content="inf")
        server.stop()


@contextmanager
def use_archive(url: str, **named: str) -> Iterator[None]:
    """Configure the archive like a process with these environment variables."""
    archived_log_reading.read_dictionary.cache_clear()
    block_storage.storage_at.cache_clear()
    with patch.dict(os.environ, named), override_settings(ARCHIVE_URL=url):
        yield
    archived_log_reading.read_dictionary.cache_clear()
    block_storage.storage_at.cache_clear()
