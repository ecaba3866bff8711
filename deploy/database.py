"""Read a DATABASE_URL, whose reader is libpq's own, so that everything PostgreSQL understands may stand in it.

And say how its statements are bound and planned.
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
"""How long a connection of a pool stays open although nobody uses it."""
MOST_BOUND = 65_535
"""So many parameters PostgreSQL's protocol has room for in one statement."""


class BoundCursor(psycopg.Cursor[Any]):
    """A cursor whose parameters are bound at the server, so that statements can be prepared, unless they are too many.

    Django's own has no such way out: a list of 65,536 rows or keys would be an error.
    """

    def execute(self, query: QueryNoTemplate, params: Params | None = None, **options: Any) -> BoundCursor:  # type: ignore[override]  # no t-strings
        """Execute a statement; one of more than MOST_BOUND parameters goes with its values written into it."""
        if params is None or len(params) <= MOST_BOUND:
            return super().execute(query, params, **options)
        written = psycopg.ClientCursor(self.connection).mogrify(query, params)
        return super().execute(written.encode(), prepare=False)


PREPARED = {"server_side_binding": True, "cursor_factory": BoundCursor, "prepare_threshold": 5}
"""A statement that a connection was asked for so often is planned no more: that was half of what it cost the server."""


def django_database(url: str, pool: int = 0) -> dict[str, Any]:
    """Return Django's settings for a PostgreSQL URL; raises ImproperlyConfigured, naming what is wrong.

    A pool above 0 keeps as many connections: for a server of many threads, where Django's own persistent
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
    """Have the settings of a database keep so many connections that all threads share; 0 is one for each thread."""
    database["OPTIONS"].pop("pool", None)
    if pool:
        database["OPTIONS"]["pool"] = {"min_size": 0, "max_size": pool, "max_idle": MAX_IDLE_SECONDS, "timeout": 10}
    database["CONN_HEALTH_CHECKS"] = bool(pool)  # or the first requests after a restart of the server would fail


def conninfo_of(database: dict[str, Any]) -> str:
    """Return libpq's form of a database's settings, for connections that are not Django's."""
    options = {name: value for name, value in database["OPTIONS"].items() if name not in {"pool", *PREPARED}}
    return make_conninfo("", **{old: database[new] for old, new in PARTS.items() if database.get(new)}, **options)


def _without_password(url: str) -> str:
    before, at, after = url.rpartition("@")
    return f"…{at}{after}" if before else url
