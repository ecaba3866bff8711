"""Restores that fail: the database stays empty, so that the restore can be repeated once the cause is removed."""

from __future__ import annotations

import errno
import shutil
import tarfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from deploy.backups import COUNT_TABLES_SQL, DUMP, SIGNING_KEY, BackupContents, back_up, restore
from deploy.config.database import conninfo_of
from deploy.match_archive_backups import BackupError
from replays.models.archive_blocks import ArchivedMatchLog
from tests.support.empty_databases import create_empty_database

pytestmark = pytest.mark.django_db(transaction=True)
BLOCK = b"an archived log"
NAME = f"blocks/{sha256(BLOCK).hexdigest()[:2]}/{sha256(BLOCK).hexdigest()}"


@pytest.fixture
def empty_database() -> Iterator[str]:
    """Connection string of an empty database."""
    with create_empty_database() as conninfo:
        yield conninfo


def count_tables(conninfo: str) -> int:
    with psycopg.connect(conninfo) as server:
        (count,) = server.execute(COUNT_TABLES_SQL).fetchone() or (0,)
    return int(count)


@pytest.mark.slow
def test_a_restore_can_be_repeated_after_the_match_archive_could_not_be_written(
    tmp_path: Path, empty_database: str
) -> None:
    ArchivedMatchLog.objects.create(stream_id="match/one", name=Path(NAME).name, size=0, length=0, head=b"", root=b"")
    (tmp_path / "old" / NAME).parent.mkdir(parents=True)
    (tmp_path / "old" / NAME).write_bytes(BLOCK)
    (tmp_path / "old-key").write_bytes(b"the key")
    here = conninfo_of(connection.settings_dict)
    backup = tmp_path / "backup.tar"
    back_up(BackupContents(here, {SIGNING_KEY: tmp_path / "old-key"}, None, tmp_path / "old"), backup)
    new = tmp_path / "new"
    ours = BackupContents(empty_database, {SIGNING_KEY: new / "signing-key"}, None, new / "archive")
    (new / "archive").mkdir(parents=True)
    (new / "archive" / "blocks").write_text("a file where a folder must be")
    with pytest.raises(BackupError, match="the archive could not be restored; the database is still empty: "):
        restore(backup, ours, new)
    assert count_tables(empty_database) == 0
    (new / "archive" / "blocks").unlink()
    (new / "signing-key").write_bytes(b"the key")
    key_file = (new / "signing-key").stat()
    restore(backup, ours, new)
    after = (new / "signing-key").stat()  # the restore reads it, so the time of the last access may differ
    unchanged = (after.st_ino, after.st_ctime_ns) == (key_file.st_ino, key_file.st_ctime_ns)
    assert unchanged, "it may be where only root can write"
    assert count_tables(empty_database) > 0
    assert (new / "signing-key").read_bytes() == b"the key"
    assert (new / "archive" / NAME).read_bytes() == BLOCK


def test_a_restore_without_space_names_the_data_folder_in_which_it_unpacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_disk(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    backup, new = tmp_path / "backup.tar", tmp_path / "new"
    with tarfile.open(backup, "w") as tar:
        tar.addfile(tarfile.TarInfo(DUMP))
    monkeypatch.setattr(shutil, "copyfileobj", fill_disk)
    with pytest.raises(BackupError) as refused:
        restore(backup, BackupContents("", {}), new)
    assert str(refused.value) == (
        f"{DUMP} of {backup} cannot be unpacked in {new}, which needs space for the whole backup: "
        "[Errno 28] No space left on device"
    )
    assert list(new.iterdir()) == []
