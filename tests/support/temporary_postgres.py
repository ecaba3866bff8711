"""Database server that exists only during the tests."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.supervisor.embedded_postgres import EmbeddedPostgres, start_server
from deploy.supervisor.postgres_binaries import PostgresInstallation

TEST_SETTINGS = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "autovacuum": "off"}
"""PostgreSQL settings for a fast server whose data may be lost."""


@contextmanager
def temporary_server(
    *, durable: bool = False, programs: PostgresInstallation | None = None
) -> Iterator[EmbeddedPostgres]:
    """Run a new database server during the `with` block, then delete its data.

    If `durable` is False, the server is faster, but a crash of the machine can destroy its data.
    """
    with tempfile.TemporaryDirectory(prefix="ftk-pg-", ignore_cleanup_errors=True) as folder:
        server = start_server(Path(folder), None if durable else TEST_SETTINGS, programs)
        try:
            yield server
        finally:
            server.stop()
