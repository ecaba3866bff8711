"""The database that tests restore from a file, instead of running all migrations, equals the migrated one."""

from __future__ import annotations

import os
import re
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from psycopg.sql import SQL, Identifier

from tests.support import migrated_template
from tests.support.migrated_template import dump, find_stored_result, restore, store

NAME = "stored_migrations"
pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def without_casts(statements: bytes) -> list[str]:
    """Return the lines of SQL without parentheses and casts to text: PostgreSQL rewrites them when it reads a dump."""
    return [re.sub(r"[()]|::text(\[\])?", "", line) for line in statements.decode().splitlines()]


def test_a_restored_database_has_the_same_content_as_a_migrated_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrated_template, "TEMPLATE", NAME)
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        version = server.info.server_version // 10_000
        stored = find_stored_result(server)
        assert stored
        file = tmp_path / stored.name
        assert not restore(server, file), "nothing is stored yet"
        server.execute(SQL("CREATE DATABASE {}").format(Identifier(NAME)))
        try:
            with monkeypatch.context() as patched:
                patched.setitem(connection.settings_dict, "NAME", NAME)
                connection.close()
                call_command("migrate", verbosity=0)
                connection.close()
            migrated = dump(NAME, version)
            store(file, version)
            server.execute(SQL("DROP DATABASE {}").format(Identifier(NAME)))
            assert restore(server, file)
            assert without_casts(dump(NAME, version)) == without_casts(migrated)
        finally:
            server.execute(SQL("DROP DATABASE IF EXISTS {}").format(Identifier(NAME)))
