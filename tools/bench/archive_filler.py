"""Script that fills an arena with finished matches: ``FTK_VAR=var/large python -m tools.bench.archive_filler 1000000``.

Afterwards ``FTK_VAR=var/large manage.py up`` shows the pages of an arena with that many matches. Nothing is written to
a database that contains played matches.
"""

from __future__ import annotations

import os
import sys

import django
from django.core.management import call_command

from deploy.supervisor.temporary_database import reachable_database


def main(matches: str) -> None:
    """Generate matches in the arena's database until it has this many; exit if it contains played matches."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    from tools.bench.match_database_filler import DatabaseNotEmptyError, grow_archive

    with reachable_database():
        call_command("migrate", verbosity=0)
        try:
            grow_archive(int(matches))
        except DatabaseNotEmptyError as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
