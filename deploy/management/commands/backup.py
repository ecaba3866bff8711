"""``manage.py backup FILE``: write the database and the keys into one file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import CommandParser
from django.db import connection

from deploy import backups
from deploy.database import conninfo_of
from deploy.supervisor.embedded import EmbeddedError
from foundation.shell import ArenaCommand, Refusal


def belongings() -> backups.BackupContents:
    """Return the contents of a backup according to the settings."""
    keys = {backups.SECRET_KEY: settings.VAR / "secret-key", backups.SIGNING_KEY: Path(settings.SIGNING_KEY)}
    cluster = None if os.environ.get("DATABASE_URL") else settings.POSTGRES_FOLDER
    archive = None if "://" in settings.ARCHIVE_URL else Path(settings.ARCHIVE_URL)
    return backups.BackupContents(conninfo_of(connection.settings_dict), keys, cluster, archive)


class Command(ArenaCommand):
    """Backup of an arena, running or not."""

    help = __doc__
    requires_system_checks = ()
    needs_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the target file."""
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the file; raises Refusal with the reason."""
        ours, target = belongings(), options["file"]
        try:
            with backups.running(ours):
                backups.back_up(ours, target)
        except (backups.BackupError, EmbeddedError, psycopg.OperationalError, OSError) as error:
            raise Refusal(error) from error
        self.stdout.write(f"{target}: {target.stat().st_size} bytes; it holds keys and passwords, so keep it safe")
