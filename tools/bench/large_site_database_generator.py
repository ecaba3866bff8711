"""Script that fills a database with generated matches, to view the pages of a large site.

``FTK_VAR=var/large python -m tools.bench.large_site_database_generator 1000000`` generates a million matches.
``FTK_VAR=var/large manage.py up`` serves them.
"""

from __future__ import annotations

import os
import sys

import django
from django.core.management import call_command

from deploy.supervisor.temporary_database import reachable_database


def main(matches: str) -> None:
    """Generate matches until the database holds `matches` matches."""
    # A database with really played matches is left unchanged.
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
