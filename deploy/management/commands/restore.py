"""``manage.py restore FILE``: restore a backup file of ``manage.py backup`` into a site with an empty database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import CommandParser

from deploy import backups
from deploy.management.commands.backup import backup_contents
from deploy.match_archive_backups import BackupError
from deploy.supervisor.postgres_binaries import EmbeddedPostgresError
from foundation.management_commands import ArenaCommand, InvalidCommandInputError


class Command(ArenaCommand):
    """Command that restores a backup; the database must be empty, so that no data can be overwritten."""

    help = __doc__
    requires_system_checks = ()
    needs_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the argument with the backup file."""
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Restore the backup; raises InvalidCommandInputError with the reason if that fails."""
        ours = backup_contents()
        try:
            with backups.running_database(ours, may_create=True):
                backups.restore(options["file"], ours, settings.VAR)
        except (BackupError, EmbeddedPostgresError, psycopg.OperationalError, OSError) as error:
            raise InvalidCommandInputError(error) from error
        self.stdout.write("restored; `manage.py up` goes on from there, `manage.py audit --again` checks every match")
