"""What the environment may say, and how it is told when it says nonsense."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from psycopg.conninfo import conninfo_to_dict
from rest_framework.views import APIView

from deploy import outside
from deploy.address import SOCKET_ROOT, url_of
from deploy.database import PREPARED, conninfo_of, django_database
from deploy.messaging.broker import OWN_DATABASE, VISIBILITY_SECONDS, channel_layer, queues, transport_options
from deploy.secret import kept_secret


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "must look like postgresql://"),
        ("localhost", "must look like postgresql://"),
        ("sqlite:///db.sqlite3", "must look like postgresql://"),
        ("postgresql://user@host", "names no database"),
        ("postgresql://user@host/name?nonsense=1", "cannot be read"),
        ("postgresql://user@host:port/name", "port that is no number"),
    ],
)
def test_a_bad_database_url_is_refused_with_an_example(url: str, said: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=said):
        django_database(url)


def test_a_refused_url_is_shown_without_its_password() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        django_database("mysql://me:hunter2@host/name")
    assert "hunter2" not in str(caught.value)
    assert "host/name" in str(caught.value)


def test_a_url_is_read_as_libpq_reads_it() -> None:
    database = django_database("postgresql://me:p%40ss@host:6543/name?sslmode=require")
    assert (database["USER"], database["PASSWORD"], database["HOST"]) == ("me", "p@ss", "host")
    assert (database["PORT"], database["NAME"]) == ("6543", "name")
    assert database["OPTIONS"] == {"sslmode": "require"} | PREPARED


def test_the_embedded_address_survives_the_way_to_the_broker_and_the_pokes(tmp_path: Path) -> None:
    words = conninfo_to_dict(conninfo_of(django_database(url_of(tmp_path), pool=4)))
    assert words["dbname"] == "ftk"
    assert str(words["host"]).startswith(f"{SOCKET_ROOT}/ftk-")
    assert {"pool", *PREPARED}.isdisjoint(words)


def test_the_address_of_a_data_folder_is_short_and_its_own(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 200)
    assert len(url_of(deep)) < 100
    assert url_of(deep) != url_of(tmp_path)


def test_a_broker_in_a_database_is_reached_as_that_is() -> None:
    assert "conn_string" not in transport_options("pgmq://user:secret@host/db", "dbname=ours")
    assert transport_options(OWN_DATABASE, "dbname=ours")["conn_string"] == "dbname=ours"


@pytest.mark.parametrize("url", ["amqp://host", "amqps://host", "redis://host", "rediss://host"])
def test_nobody_waits_long_for_a_broker_that_does_not_answer(url: str) -> None:
    options = transport_options(url, "dbname=ours")
    assert options["max_retries"] == 1
    assert options["connect_retries_timeout"] <= 2
    assert "conn_string" not in options


def test_no_message_comes_again_while_its_match_is_played() -> None:
    assert transport_options("redis://host", "")["visibility_timeout"] == VISIBILITY_SECONDS
    for queue in queues("amqp://host"):
        assert queue.queue_arguments == {"x-queue-type": "quorum", "x-consumer-timeout": VISIBILITY_SECONDS * 1000}
    assert {queue.queue_arguments for queue in queues("redis://host")} == {None}


def test_a_channel_layer_is_ours_or_redis_or_refused() -> None:
    assert channel_layer("", "dbname=ours")["BACKEND"] == "deploy.messaging.pokes.PokeLayer"
    assert channel_layer("redis://host", "")["BACKEND"] == "deploy.messaging.redis_pokes.RedisPokeLayer"
    with pytest.raises(ImproperlyConfigured, match="CHANNEL_LAYER_URL"):
        channel_layer("memory://", "")


def test_the_secret_is_made_once_and_is_nobody_elses(tmp_path: Path) -> None:
    file = tmp_path / "var" / "secret-key"
    first = kept_secret(file)
    assert kept_secret(file) == first
    assert len(first) >= 64
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_command_under_a_bad_url_says_what_is_wrong(tmp_path: Path) -> None:
    env = {**os.environ, "DATABASE_URL": "nonsense", "FTK_VAR": str(tmp_path)}
    done = subprocess.run([sys.executable, "manage.py", "check"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "DATABASE_URL must look like postgresql://" in done.stderr


@pytest.mark.django_db
def test_the_migrations_say_what_the_models_say() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_links_in_mail_begin_with_what_a_browser_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FTK_SITE", "https://arena.example/")
    assert outside.site() == "https://arena.example"
    monkeypatch.setenv("FTK_SITE", "arena.example")
    with pytest.raises(
        ImproperlyConfigured, match=r"FTK_SITE must be like https://arena\.example, not 'arena\.example'"
    ):
        outside.site()


@pytest.mark.parametrize("kind", ["AUTHENTICATION", "PERMISSION", "THROTTLE", "PARSER"])
def test_rest_doors_have_the_guards_of_the_settings(kind: str) -> None:
    """What the settings import must not need rest_framework: it would take its own, by which everybody may do all."""
    used = getattr(APIView, f"{kind.lower()}_classes")
    assert [f"{one.__module__}.{one.__name__}" for one in used] == settings.REST_FRAMEWORK[f"DEFAULT_{kind}_CLASSES"]


def test_no_process_waits_for_what_few_reckon_with() -> None:
    told = "import sys, django; django.setup(); import deploy.urls, deploy.celery; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout.split()
    assert "tournaments.court_ratings" in loaded
    assert {
        name
        for name in ("scipy.optimize", "scipy.linalg", "scipy.sparse", "openskill", "google.protobuf")
        if name in loaded
    } == set()
