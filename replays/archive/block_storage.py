"""Storage of archived blocks and compression dictionaries by content hash: a folder, or an S3 bucket."""

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

from bots.sandbox.bot_folder_layout import flush_to_disk
from replays.archive.archive_errors import ArchiveBlockMissing, ArchiveStoreRefusedError, ArchiveStoreUnavailable

log = structlog.get_logger(__name__)
ANSWER_SECONDS = timedelta(seconds=10)
"""Timeout for each request to an S3 bucket."""


class BlockStorage(Protocol):
    """Interface of a key-value storage for bytes. The content that is stored under a name never changes."""

    def put(self, name: str, body: bytes) -> None:
        """Store bytes durably under a name; raises ArchiveUnavailable."""
        ...

    def get(self, name: str) -> bytes:
        """Return the bytes stored under a name; raises ArchiveUnavailable."""
        ...

    def delete(self, name: str) -> None:
        """Delete what is stored under a name, if anything; raises ArchiveUnavailable."""
        ...


class FolderBlockStorage:
    """Storage in a folder of this machine, or in a mounted folder that all machines share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, name: str, body: bytes) -> None:
        """Write a file with fsync and an atomic rename, so that it exists completely or not at all."""
        file = self.folder / name
        draft = file.with_name(f".{file.name}.{os.getpid()}.part")
        with self._converted_os_errors():
            self._make_folders(Path(name).parent)
            with draft.open("wb") as opened:
                opened.write(body)
                opened.flush()
                os.fsync(opened.fileno())
            draft.replace(file)
            for folder in (file.parent, self.folder):
                flush_to_disk(folder)

    def _make_folders(self, inner: Path) -> None:
        """Create folders inside the archive, with the permissions of the archive's own folder."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder, mode = self.folder, self.folder.stat().st_mode & 0o777
        for part in inner.parts:
            folder /= part
            folder.mkdir(exist_ok=True, mode=mode)

    def get(self, name: str) -> bytes:
        """Return a file's bytes.

        Raises ArchiveBlockMissing if the folder has no such file, ArchiveStoreRefusedError if this process may not read
        it, or ArchiveStoreUnavailable if the folder does not exist or the disk fails.
        """
        with self._converted_os_errors():
            try:
                return (self.folder / name).read_bytes()
            except FileNotFoundError:
                if not self.folder.is_dir():
                    raise
                raise _block_missing(name) from None

    def delete(self, name: str) -> None:
        """Delete a file, if it exists. Raises ArchiveStoreRefusedError or ArchiveStoreUnavailable."""
        with self._converted_os_errors():
            (self.folder / name).unlink(missing_ok=True)

    @contextmanager
    def _converted_os_errors(self) -> Iterator[None]:
        try:
            yield
        except PermissionError as error:
            raise _store_refused(error.strerror or type(error).__name__) from error
        except OSError as error:
            raise _store_unreachable(error.strerror or type(error).__name__) from error


class BucketBlockStorage:
    """Storage in an S3 bucket, ``s3://bucket/prefix``; the environment variables AWS_* give access key and endpoint."""

    def __init__(self, url: str) -> None:
        self._bucket = S3Store.from_url(
            url,
            client_options={"allow_http": True, "timeout": ANSWER_SECONDS, "connect_timeout": ANSWER_SECONDS},
            retry_config={"max_retries": 2, "retry_timeout": ANSWER_SECONDS},
        )

    def put(self, name: str, body: bytes) -> None:
        """Store an object; it is durable once the bucket has answered."""
        with _convert_errors(name):
            obstore.put(self._bucket, name, body)

    def get(self, name: str) -> bytes:
        """Return an object's bytes; raises ArchiveBlockMissing, ArchiveStoreUnavailable or ArchiveStoreRefusedError."""
        with _convert_errors(name):
            return bytes(obstore.get(self._bucket, name).bytes())

    def delete(self, name: str) -> None:
        """Delete an object, if it exists; raises ArchiveStoreUnavailable or ArchiveStoreRefusedError."""
        with _convert_errors(name):
            obstore.delete(self._bucket, name)


@contextmanager
def _convert_errors(name: str) -> Iterator[None]:
    """Convert obstore's exceptions into those of `archive_errors`."""
    # Only the first line of an obstore message is kept.
    try:
        yield
    except (FileNotFoundError, exceptions.NotFoundError) as error:
        if "NoSuchBucket" in str(error):
            raise _store_unreachable("NoSuchBucket") from error
        raise _block_missing(name) from error
    except (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError) as error:
        raise _store_refused(str(error).partition("\n")[0]) from error
    except (exceptions.BaseError, OSError) as error:
        raise _store_unreachable(str(error).partition("\n")[0]) from error


def _block_missing(name: str) -> ArchiveBlockMissing:
    return ArchiveBlockMissing(gettext("the archive has no object %(name)s; it may have been deleted") % {"name": name})


def _store_refused(said: str) -> ArchiveStoreRefusedError:
    log.warning("archive_refused", said=said)  # contains the storage's address, which is not public
    return ArchiveStoreRefusedError(gettext("the store refuses our key; what it said is in the log"))


def _store_unreachable(said: str) -> ArchiveStoreUnavailable:
    log.warning("archive_unreachable", said=said)
    return ArchiveStoreUnavailable(gettext("the store does not answer; what happened is in the log"))


@lru_cache(maxsize=4)
def storage_at(url: str) -> BlockStorage:
    """Return the storage at `url` (a folder or ``s3://bucket/prefix``); raises ImproperlyConfigured for other URLs."""
    if url.startswith("s3://"):
        try:
            return BucketBlockStorage(url)
        except (exceptions.BaseError, ValueError) as error:
            raise ImproperlyConfigured(f"FTK_ARCHIVE_URL, {url}: {str(error).partition(chr(10))[0]}") from error
    if "://" in url:
        raise ImproperlyConfigured(f"FTK_ARCHIVE_URL is a folder or s3://bucket/prefix, not {url}")
    return FolderBlockStorage(Path(url))


def storage() -> BlockStorage:
    """Return the storage at the address in the setting ARCHIVE_URL."""
    return storage_at(settings.ARCHIVE_URL)
