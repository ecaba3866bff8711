"""Django's database settings from a DATABASE_URL, parsed by libpq, so that all of its parameters are supported.

Also the settings of server-side binding and prepared statements.
"""

from __future__ import annotations

from typing import Any

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.abc import Params, QueryNoTemplate
from psycopg.conninfo import conninfo_to_dict, make_conninfo

PARTS = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
EXAMPLE = "postgresql://user:password@host:5432/name"

MAX_IDLE_SECONDS = 20.0
"""Seconds until an unused connection of a pool is closed."""
MOST_BOUND = 65_535
"""Maximum number of parameters of one statement in PostgreSQL's protocol."""


class BoundCursor(psycopg.Cursor[Any]):
    """Cursor that binds parameters at the server, so that statements can be prepared, unless they are too many.

    Django's own has no such fallback: a list of 65,536 rows or keys would be an error.
    """

    def execute(self, query: QueryNoTemplate, params: Params | None = None, **options: Any) -> BoundCursor:  # type: ignore[override]  # no t-strings
        """Execute a statement; with more than MOST_BOUND parameters, interpolate the values at the client."""
        if params is None or len(params) <= MOST_BOUND:
            return super().execute(query, params, **options)
        written = psycopg.ClientCursor(self.connection).mogrify(query, params)
        return super().execute(written.encode(), prepare=False)


PREPARED = {"server_side_binding": True, "cursor_factory": BoundCursor, "prepare_threshold": 5}
"""A statement is prepared after this many executions on a connection: planning was half of its cost at the server."""


def django_database(url: str, pool: int = 0) -> dict[str, Any]:
    """Return Django's settings for a PostgreSQL URL; raises ImproperlyConfigured with the reason.

    A pool above 0 keeps up to that many connections: for a server of many threads, where Django's own persistent
    connections would leak.
    """
    scheme, separator, _ = url.partition("://")
    if not separator or scheme not in {"postgresql", "postgres"}:
        raise ImproperlyConfigured(f"DATABASE_URL must look like {EXAMPLE}, not {_without_password(url)!r}")
    try:
        words = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except psycopg.ProgrammingError as error:
        reason = str(error).strip()
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read ({reason}); it must look like {EXAMPLE}") from None
    if not words.get("dbname"):
        raise ImproperlyConfigured(f"DATABASE_URL names no database: {_without_password(url)!r}; see {EXAMPLE}")
    if not words.get("port", "5432").isdigit():
        raise ImproperlyConfigured(f"DATABASE_URL has a port that is no number: {words['port']!r}; see {EXAMPLE}")
    settings: dict[str, Any] = {"ENGINE": "django.db.backends.postgresql", "CONN_MAX_AGE": 0}
    settings.update({PARTS[name]: value for name, value in words.items() if name in PARTS})
    options: dict[str, Any] = {name: value for name, value in words.items() if name not in PARTS}
    options |= PREPARED
    database = {**settings, "OPTIONS": options}
    set_pool(database, pool)
    return database


def set_pool(database: dict[str, Any], pool: int) -> None:
    """Set the number of pooled connections that all threads share; 0 means one connection for each thread."""
    database["OPTIONS"].pop("pool", None)
    if pool:
        database["OPTIONS"]["pool"] = {"min_size": 0, "max_size": pool, "max_idle": MAX_IDLE_SECONDS, "timeout": 10}
    database["CONN_HEALTH_CHECKS"] = bool(pool)  # otherwise the first requests after a restart of the server would fail


def conninfo_of(database: dict[str, Any]) -> str:
    """Return libpq's connection string for a database's settings, for connections outside Django."""
    options = {name: value for name, value in database["OPTIONS"].items() if name not in {"pool", *PREPARED}}
    return make_conninfo("", **{old: database[new] for old, new in PARTS.items() if database.get(new)}, **options)


def _without_password(url: str) -> str:
    before, at, after = url.rpartition("@")
    return f"…{at}{after}" if before else url
