"""Storage of blocks and dictionaries by content hash: a folder, or an S3 bucket."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import obstore
import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext
from obstore import exceptions
from obstore.store import S3Store

from replays.blocks.unread import MissingBlock, StoreRefused, StoreUnreachable

log = structlog.get_logger(__name__)
ANSWER = timedelta(seconds=10)
"""Timeout of a bucket's answer."""


class Storage(Protocol):
    """Storage of bytes by name; stored content never changes."""

    def put(self, name: str, body: bytes) -> None:
        """Store the bytes durably; raises BlockUnread."""
        ...

    def get(self, name: str) -> bytes:
        """Return the bytes; raises BlockUnread."""
        ...


class FolderStorage:
    """A folder of this machine, or a mount that all machines share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, name: str, body: bytes) -> None:
        """Write the bytes with fsync; a file of this name exists completely or not at all."""
        file = self.folder / name
        draft = file.with_name(f".{file.name}.{os.getpid()}.part")
        with self._named():
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with draft.open("wb") as opened:
                opened.write(body)
                opened.flush()
                os.fsync(opened.fileno())
            draft.replace(file)
            for folder in (file.parent, self.folder):
                _write_through(folder)

    def get(self, name: str) -> bytes:
        """Return a file's bytes; raises MissingBlock, StoreUnreachable without the folder, or StoreRefused."""
        with self._named():
            try:
                return (self.folder / name).read_bytes()
            except FileNotFoundError:
                if not self.folder.is_dir():
                    raise
                raise _missing(name) from None

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except PermissionError as error:
            raise _refused(error.strerror or type(error).__name__) from error
        except OSError as error:
            raise _unreachable(error.strerror or type(error).__name__) from error


class BucketStorage:
    """An S3 bucket: ``s3://bucket/prefix``; its key and endpoint are AWS_* in the environment."""

    def __init__(self, url: str) -> None:
        self._bucket = S3Store.from_url(
            url,
            client_options={"allow_http": True, "timeout": ANSWER, "connect_timeout": ANSWER},
            retry_config={"max_retries": 2, "retry_timeout": ANSWER},
        )

    def put(self, name: str, body: bytes) -> None:
        """Store the bytes; they are durable once the store answers."""
        with _named(name):
            obstore.put(self._bucket, name, body)

    def get(self, name: str) -> bytes:
        """Return an object's bytes; raises MissingBlock, StoreUnreachable or StoreRefused."""
        with _named(name):
            return bytes(obstore.get(self._bucket, name).bytes())


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Convert obstore's exceptions into ours; the first line of its messages is the useful one."""
    try:
        yield
    except (FileNotFoundError, exceptions.NotFoundError) as error:
        if "NoSuchBucket" in str(error):
            raise _unreachable("NoSuchBucket") from error
        raise _missing(name) from error
    except (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError) as error:
        raise _refused(str(error).partition("\n")[0]) from error
    except (exceptions.BaseError, OSError) as error:
        raise _unreachable(str(error).partition("\n")[0]) from error


def _missing(name: str) -> MissingBlock:
    return MissingBlock(gettext("nothing is kept as %(name)s; was something deleted there?") % {"name": name})


def _refused(said: str) -> StoreRefused:
    log.warning("archive_refused", said=said)  # contains the address of the store, which is not public
    return StoreRefused(gettext("the store refuses our key; what it said is in the log"))


def _unreachable(said: str) -> StoreUnreachable:
    log.warning("archive_unreachable", said=said)
    return StoreUnreachable(gettext("the store does not answer; what happened is in the log"))


def _write_through(folder: Path) -> None:
    """Make the directory entries of a folder durable."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


@lru_cache(maxsize=4)
def storage_at(url: str) -> Storage:
    """Return the storage at a folder or at ``s3://bucket/prefix``; raises ImproperlyConfigured for another address."""
    if url.startswith("s3://"):
        try:
            return BucketStorage(url)
        except (exceptions.BaseError, ValueError) as error:
            raise ImproperlyConfigured(f"FTK_ARCHIVE_URL, {url}: {str(error).partition(chr(10))[0]}") from error
    if "://" in url:
        raise ImproperlyConfigured(f"FTK_ARCHIVE_URL is a folder or s3://bucket/prefix, not {url}")
    return FolderStorage(Path(url))


def storage() -> Storage:
    """Return the storage of the settings."""
    return storage_at(settings.ARCHIVE_URL)
