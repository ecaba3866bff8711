"""Where blocks and dictionaries are kept, by names that say what is in them: a folder, or a bucket that speaks S3."""

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
"""How long a bucket may take to answer."""


class Storage(Protocol):
    """Keeps bytes by name; what was put once is never put otherwise."""

    def put(self, name: str, body: bytes) -> None:
        """Keep the bytes, durably; raises BlockUnread."""
        ...

    def get(self, name: str) -> bytes:
        """Return them; raises BlockUnread."""
        ...


class FolderStorage:
    """A folder of this machine, or one that all machines have mounted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, name: str, body: bytes) -> None:
        """Write the bytes through to the disk; a file of this name is there whole or not at all."""
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
        """Return a file's bytes; raises MissingBlock, StoreUnreachable where the folder is gone, or StoreRefused."""
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
    """A bucket that speaks S3: ``s3://bucket/prefix``; its key and address are AWS_* in the environment."""

    def __init__(self, url: str) -> None:
        self._bucket = S3Store.from_url(
            url,
            client_options={"allow_http": True, "timeout": ANSWER, "connect_timeout": ANSWER},
            retry_config={"max_retries": 2, "retry_timeout": ANSWER},
        )

    def put(self, name: str, body: bytes) -> None:
        """Keep the bytes; the store has them when it answers."""
        with _named(name):
            obstore.put(self._bucket, name, body)

    def get(self, name: str) -> bytes:
        """Return an object's bytes; raises MissingBlock, StoreUnreachable or StoreRefused."""
        with _named(name):
            return bytes(obstore.get(self._bucket, name).bytes())


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Give what a bucket answers one of our names; obstore tells what its library says, in its first line."""
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
    log.warning("archive_refused", said=said)  # with the address of the store, which is not everybody's
    return StoreRefused(gettext("the store refuses our key; what it said is in the log"))


def _unreachable(said: str) -> StoreUnreachable:
    log.warning("archive_unreachable", said=said)
    return StoreUnreachable(gettext("the store does not answer; what happened is in the log"))


def _write_through(folder: Path) -> None:
    """Make the names in a folder durable, too."""
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
    """Return the storage that the settings name."""
    return storage_at(settings.ARCHIVE_URL)
