"""A schema as it once was, for the tests of migrations; afterwards it is whole again, whatever else depended on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor


@contextmanager
def migrated_back(*targets: tuple[str, str | None]) -> Iterator[Any]:
    """Migrate apps back, yield the models as they were then, and migrate all apps forward at the end."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    try:
        executor.migrate(list(targets))
        yield executor.loader.project_state([target for target in targets if target[1]]).apps
    finally:
        MigrationExecutor(connection).migrate(newest)
