"""System check of the database server, which `manage.py migrate` and `manage.py check --database default` run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

OLDEST_POSTGRES = 15
"""Oldest major version of PostgreSQL with which the arena is tested."""


@register(Tags.database)
def check_postgres_version(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Return an error for each database whose PostgreSQL server is too old."""
    versions = [int(connections[alias].pg_version) // 10_000 for alias in databases or ()]  # type: ignore[attr-defined]  # PostgreSQL's own
    return [
        Error(
            f"PostgreSQL must be version {OLDEST_POSTGRES} or newer (the server has {version}).",
            hint="Upgrade the server that DATABASE_URL names, or unset DATABASE_URL: the arena then runs its own.",
            id="deploy.E001",
        )
        for version in versions
        if version < OLDEST_POSTGRES
    ]
