"""``manage.py backup FILE``: write the database, the key files and the logs of old matches into one file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import CommandParser
from django.db import connection

from deploy import backups
from deploy.config.database import conninfo_of
from deploy.match_archive_backups import BackupError
from deploy.supervisor.postgres_binaries import EmbeddedPostgresError
from foundation.management_commands import ArenaCommand, InvalidCommandInputError


def backup_contents() -> backups.BackupContents:
    """Return the database, key files and folders of this site for a backup or a restore."""
    keys = {backups.SECRET_KEY: settings.VAR / "secret-key", backups.SIGNING_KEY: Path(settings.SIGNING_KEY)}
    cluster = None if os.environ.get("DATABASE_URL") else settings.POSTGRES_FOLDER
    archive = None if "://" in settings.ARCHIVE_URL else Path(settings.ARCHIVE_URL)
    return backups.BackupContents(conninfo_of(connection.settings_dict), keys, cluster, archive)


class Command(ArenaCommand):
    """Command that backs up this site, whether the site is running or not."""

    help = __doc__
    requires_system_checks = ()
    needs_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the argument with the target file."""
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the backup file; raises InvalidCommandInputError with the reason if that fails."""
        ours, target = backup_contents(), options["file"]
        try:
            with backups.running_database(ours):
                backups.back_up(ours, target)
        except (BackupError, EmbeddedPostgresError, psycopg.OperationalError, OSError) as error:
            raise InvalidCommandInputError(error) from error
        self.stdout.write(f"{target}: {target.stat().st_size} bytes; it holds keys and passwords, so keep it safe")
