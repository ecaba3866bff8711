"""Django's database settings, made from the environment variable DATABASE_URL."""
# libpq parses the URL, so that all parameters of libpq are supported.

from __future__ import annotations

from typing import Any

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.abc import Params, QueryNoTemplate
from psycopg.conninfo import conninfo_to_dict, make_conninfo

URL_PARTS = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
EXAMPLE_URL = "postgresql://user:password@host:5432/name"

MAX_IDLE_SECONDS = 20.0
"""Seconds until an unused connection of a pool is closed."""
MAX_BOUND_PARAMETERS = 65_535
"""Maximum number of parameters of one statement in PostgreSQL's protocol."""


class ServerSideBindingCursor(psycopg.Cursor[Any]):
    """Database cursor with server-side parameters, so that the server can prepare statements."""

    # Unlike Django's own, it also runs a statement with more parameters than the protocol allows, such as a large bulk
    # insert.

    def execute(self, query: QueryNoTemplate, params: Params | None = None, **options: Any) -> ServerSideBindingCursor:  # type: ignore[override]  # template strings are not supported
        """Execute a statement with bound parameters.

        If it has more parameters than the protocol allows, write their values into the SQL text instead.
        """
        if params is None or len(params) <= MAX_BOUND_PARAMETERS:
            return super().execute(query, params, **options)
        written = psycopg.ClientCursor(self.connection).mogrify(query, params)
        return super().execute(written.encode(), prepare=False)


PREPARE_OPTIONS = {"server_side_binding": True, "cursor_factory": ServerSideBindingCursor, "prepare_threshold": 5}
"""Database OPTIONS of Django's settings. Statements are prepared after five executions, because planning was half of
their cost."""


def django_database(url: str, pool: int = 0) -> dict[str, Any]:
    """Return Django's settings for a PostgreSQL URL. Raises ImproperlyConfigured with the reason.

    Threads share a pool of at most `pool` connections; 0 means no pool.
    """
    # A server with many threads needs a pool: Django's persistent connections would leak there.
    scheme, separator, _ = url.partition("://")
    if not separator or scheme not in {"postgresql", "postgres"}:
        raise ImproperlyConfigured(f"DATABASE_URL must look like {EXAMPLE_URL}, not {_without_password(url)!r}")
    try:
        words = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except psycopg.ProgrammingError as error:
        reason = str(error).partition(":")[0].strip()  # libpq quotes the part that it refuses, perhaps the password
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read ({reason}); it must look like {EXAMPLE_URL}") from None
    if not words.get("dbname"):
        raise ImproperlyConfigured(f"DATABASE_URL names no database: {_without_password(url)!r}; see {EXAMPLE_URL}")
    if not words.get("port", "5432").isdigit():
        raise ImproperlyConfigured(
            f"DATABASE_URL has a port that is no number (in a password write / as %2F); see {EXAMPLE_URL}"
        )
    settings: dict[str, Any] = {"ENGINE": "django.db.backends.postgresql", "CONN_MAX_AGE": 0}
    settings.update({URL_PARTS[name]: value for name, value in words.items() if name in URL_PARTS})
    options: dict[str, Any] = {name: value for name, value in words.items() if name not in URL_PARTS}
    options |= PREPARE_OPTIONS
    database = {**settings, "OPTIONS": options}
    set_pool(database, pool)
    return database


def set_pool(database: dict[str, Any], pool: int) -> None:
    """Set the size of the database's connection pool. 0 means one connection per thread."""
    database["OPTIONS"].pop("pool", None)
    if pool:
        database["OPTIONS"]["pool"] = {"min_size": 0, "max_size": pool, "max_idle": MAX_IDLE_SECONDS, "timeout": 10}
    database["CONN_HEALTH_CHECKS"] = bool(pool)  # otherwise the first requests after a database restart would fail


def conninfo_of(database: dict[str, Any]) -> str:
    """Return the libpq connection string for Django's settings of a database, for connections outside Django."""
    options = {name: value for name, value in database["OPTIONS"].items() if name not in {"pool", *PREPARE_OPTIONS}}
    return make_conninfo("", **{old: database[new] for old, new in URL_PARTS.items() if database.get(new)}, **options)


def _without_password(url: str) -> str:
    if "://" not in url or "?" in url:  # a parameter may be the password, as in libpq's other form, `password=…`
        return "…"
    before, at, after = url.rpartition("@")
    return f"…{at}{after}" if before else url
