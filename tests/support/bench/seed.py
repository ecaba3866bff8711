"""Write an archive that nobody played: ``FTK_VAR=var/large python -m tests.support.bench.seed 1000000``.

Then ``FTK_VAR=var/large manage.py up`` shows what the pages of so many matches are like. Where matches are stored that
people may have played nothing is written.
"""

from __future__ import annotations

import os
import sys

import django
from django.core.management import call_command

from deploy.supervisor.at_hand import at_hand


def main(matches: str) -> None:
    """Write so many matches into the database that the environment names."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    from tests.support.bench.archive import ArchiveInUse, grow_archive

    with at_hand():
        call_command("migrate", verbosity=0)
        try:
            grow_archive(int(matches))
        except ArchiveInUse as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
