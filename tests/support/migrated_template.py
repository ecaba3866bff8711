"""Template of the test databases: the migrations run once, and every worker of pytest-xdist copies their result."""
# The result is also written to a file beside the installed packages, as SQL, because the migrations take as long as
# collecting the tests. Other migrations, packages or versions of PostgreSQL give another file.

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import psycopg
from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from deploy.supervisor.postgres_binaries import find_programs

ROOT = Path(__file__).parents[2]
TEMPLATE = "migrated_template"
LOCK_KEY = 0x667466
"""Key of the advisory lock that a worker holds while it creates its database."""
PREFIX = "migrated-"


@contextmanager
def share_migrations() -> Iterator[None]:
    """Let the first worker migrate the database that it creates in the `with` block; the others copy the result.

    If an earlier session has stored the result, no worker migrates.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        yield
        return
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(%s)", [LOCK_KEY])
        stored = find_stored_result(server)
        is_ready = _exists(server, TEMPLATE) or (stored is not None and restore(server, stored))
        if is_ready:
            connection.settings_dict["TEST"].update(TEMPLATE=TEMPLATE, MIGRATE=False)
        yield
        if not is_ready:
            connection.close()  # a database with open connections cannot be copied
            names = Identifier(TEMPLATE), Identifier(connection.settings_dict["NAME"])
            server.execute(SQL("CREATE DATABASE {} TEMPLATE {}").format(*names))
            if stored is not None:
                store(stored, server.info.server_version // 10_000)


def _exists(server: psycopg.Connection, name: str) -> bool:
    return server.execute("SELECT FROM pg_database WHERE datname = %s", [name]).rowcount == 1


def find_stored_result(server: psycopg.Connection) -> Path | None:
    """Return the file for the result of the present migrations; None if this server's version cannot be stored."""
    version = server.info.server_version // 10_000
    if not find_dump_program(version).exists():
        return None
    files = [ROOT / "deploy/locks/dev.txt", *sorted(ROOT.glob("*/migrations/*.py"))]
    digest = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
    return Path(sys.prefix, f"{PREFIX}{version}-{digest}.sql")


def restore(server: psycopg.Connection, stored: Path) -> bool:
    """Create the template from a file; return False if there is none."""
    if not stored.exists():
        return False
    server.execute(SQL("CREATE DATABASE {}").format(Identifier(TEMPLATE)))
    with psycopg.connect(os.environ["DATABASE_URL"], dbname=TEMPLATE, autocommit=True) as template:
        template.execute(stored.read_bytes())
    return True


def store(stored: Path, version: int) -> None:
    """Write the template to a file, and delete those of other migrations; nothing if the folder cannot be written."""
    if not os.access(stored.parent, os.W_OK):
        return
    said = dump(TEMPLATE, version)
    draft = stored.with_suffix(f".{os.getpid()}")
    draft.write_bytes(said)
    draft.replace(stored)
    for other in stored.parent.glob(f"{PREFIX}*.sql"):
        if other != stored:
            other.unlink(missing_ok=True)


def find_dump_program(version: int) -> Path:
    """Return the path at which `pg_dump` of this major version of PostgreSQL would be."""
    chosen = os.environ.get("FTK_TEST_POSTGRES")
    return (Path(chosen) if chosen else find_programs(version).folder) / "pg_dump"


def dump(name: str, version: int) -> bytes:
    """Return a database as SQL statements, without the commands that only `psql` knows."""
    url = make_conninfo(os.environ["DATABASE_URL"], dbname=name)
    command = [str(find_dump_program(version)), "--inserts", "--no-owner", url]
    said = subprocess.run(command, capture_output=True, check=True).stdout
    return b"".join(line for line in said.splitlines(keepends=True) if not line.startswith(b"\\"))
