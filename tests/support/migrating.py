"""An earlier database schema for tests of migrations, restored to the current one afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor


@contextmanager
def migrate_back(*targets: tuple[str, str | None]) -> Iterator[Any]:
    """Migrate apps back, yield their models of that time, and migrate all apps forward at the end."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    try:
        executor.migrate(list(targets))
        yield executor.loader.project_state([target for target in targets if target[1]]).apps
    finally:
        MigrationExecutor(connection).migrate(newest)
