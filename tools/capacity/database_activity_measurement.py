"""Counters of a site's database (commits, bytes, messages, statements), and the maximum speed of its server."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from deploy.supervisor import postgres_binaries

COUNTERS = """
SELECT (SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = current_database()),
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8,
       (SELECT sum(pg_total_relation_size(relid))::float8 FROM pg_stat_user_tables),
       (SELECT coalesce(sum(total_messages), 0)::float8 FROM pgmq.metrics_all())
"""
NAMES = ("commits", "wal", "stored", "bells")
STATEMENT = re.compile(rb"LOG:  (?:statement|execute [^:]*): (\w+)(.{0,40})")
POKE = b"pg_notify"
FLOOR = "floor"
"""Name of a temporary database in which the maximum speed is measured."""
APPEND = """
\\set id random(1, 100000)
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = :id;
INSERT INTO page (body) VALUES (repeat('x', {bytes})::bytea);
COMMIT;
"""
"""pgbench script of the least work to append a page to a log: update one row and insert one row, durably."""
CLIENTS, SECONDS = 8, 5


def read_counters(url: str) -> dict[str, float]:
    """Return the current counters of a database, by name."""
    with psycopg.connect(url) as connection:
        row = connection.execute(COUNTERS.encode()).fetchone()
    assert row is not None
    return dict(zip(NAMES, row, strict=True))


@contextmanager
def count_statements(url: str, log: Path) -> Iterator[Counter[str]]:
    """Count the SQL statements during the `with` block, by first word.

    The yielded counter is filled at the end of the block. The key ``all`` counts all statements. Calls of pg_notify
    have the key ``pokes`` instead of their first word.
    """
    # The statements are read from PostgreSQL's log. Logging takes time, so measure nothing else in the block.
    heard = Counter[str]()
    _log_statements(url, "all")
    start = log.stat().st_size
    try:
        yield heard
    finally:
        _log_statements(url, "none")
    with log.open("rb") as file:
        file.seek(start)
        for word, rest in STATEMENT.findall(file.read()):
            heard["pokes" if POKE in rest else word.decode().upper()] += 1
            heard["all"] += 1


def _log_statements(url: str, which: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM SET log_statement = '{which}'".encode())
        connection.execute(b"SELECT pg_reload_conf()")


def measure_database_rates(url: str, page_bytes: int) -> tuple[float, float]:
    """Measure how many reads by primary key, and how many appends, a PostgreSQL server completes per second.

    Return (reads, appends). An append is a committed transaction that stores a log page of `page_bytes`. The server
    must have no other load.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {FLOOR}".encode())
        connection.execute(f"CREATE DATABASE {FLOOR}".encode())
    elsewhere = make_conninfo(url, dbname=FLOOR)
    pgbench = str(postgres_binaries.find_binaries() / "pgbench")
    subprocess.run([pgbench, "-i", "-q", "-s", "1", elsewhere], check=True, capture_output=True)
    with psycopg.connect(elsewhere, autocommit=True) as connection:
        connection.execute(b"CREATE TABLE page (id bigserial PRIMARY KEY, body bytea)")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(APPEND.format(bytes=page_bytes))
        script.flush()
        reads = _rate([pgbench, "-S"], elsewhere)
        appends = _rate([pgbench, "-n", "-f", script.name], elsewhere)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {FLOOR} WITH (FORCE)".encode())
    return reads, appends


def _rate(command: list[str], url: str) -> float:
    words = [*command, "-M", "prepared", "-c", str(CLIENTS), "-j", "1", "-T", str(SECONDS), url]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    found = re.search(r"tps = ([\d.]+)", said)
    assert found, said
    return float(found[1])
