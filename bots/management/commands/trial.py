"""``manage.py trial GAME FILE``: what an upload goes through, from the archive to the match, in the cage, unstored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bots.cage.runtime import CageUnavailable
from bots.services import try_upload
from ftk_core.games import UnknownGame
from ftk_core.kit.archive import BadUpload


class Command(BaseCommand):
    """Prints the report that an author would read; fails where the upload would be refused."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the game and the file."""
        parser.add_argument("game")
        parser.add_argument("file", type=Path, help="one .py file or a .zip, as it would be uploaded")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Try the bot; raises CommandError when it is refused, or when it cannot be contained here."""
        path: Path = options["file"]
        try:
            verdict = try_upload(options["game"], path.name, path.read_bytes())
        except (BadUpload, CageUnavailable, UnknownGame, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(verdict.log)
        if not verdict.passed:
            raise CommandError(f"{path} is refused: {verdict.reason}")
        self.stdout.write(f"{path} would be taken")
