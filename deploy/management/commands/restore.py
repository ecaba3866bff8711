"""``manage.py restore FILE``: fill an empty arena with what ``manage.py backup`` wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import CommandParser

from deploy import backups
from deploy.management.commands.backup import belongings
from deploy.supervisor.embedded import EmbeddedError
from foundation.shell import ArenaCommand, Refusal


class Command(ArenaCommand):
    """Restore into an empty database only, so that nothing can be lost."""

    help = __doc__
    requires_system_checks = ()
    needs_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the backup file."""
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Restore the backup; raises Refusal with the reason."""
        ours = belongings()
        try:
            with backups.running(ours):
                backups.restore(options["file"], ours)
        except (backups.BackupError, EmbeddedError, psycopg.OperationalError, OSError) as error:
            raise Refusal(error) from error
        self.stdout.write("restored; `manage.py up` goes on from there, `manage.py audit --again` checks every match")
