"""Settings from the environment, and the messages for invalid ones."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from psycopg.conninfo import conninfo_to_dict
from rest_framework.views import APIView

from deploy.config import accounts, webhooks
from deploy.config.database import PREPARE_OPTIONS, conninfo_of, django_database
from deploy.config.database_address import SOCKET_ROOT, url_of
from deploy.config.django_secret_key_file import stored_secret
from deploy.environment import env
from deploy.messaging.broker import OWN_DATABASE, VISIBILITY_SECONDS, channel_layer, queues, transport_options
from deploy.supervisor.process_roles import ArenaStartOptions, build_child_environment


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
def test_an_invalid_database_url_is_refused_with_an_example(url: str, said: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=said):
        django_database(url)


def test_an_invalid_rate_limit_stops_the_start_with_the_name_of_its_setting(settings: Any) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "sign-in": "20/minute"}
    with pytest.raises(ImproperlyConfigured, match="FTK_THROTTLE_SIGN_IN: a rate is like 120/min"):
        apps.get_app_config("ratelimits").ready()


@pytest.mark.slow
def test_a_service_without_a_mail_server_writes_no_mail_to_its_log(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "FTK_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    program = """
import django
django.setup()
from django.core.mail import send_mail
print(send_mail("Code", "ABCD-1234", None, ["ada@arena.example"]))
"""
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert "mail_not_sent" in done.stdout + done.stderr
    assert "ABCD-1234" not in done.stdout + done.stderr


def test_a_refused_database_url_is_shown_without_its_password() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        django_database("mysql://me:hunter2@host/name")
    assert "hunter2" not in str(caught.value)
    assert "host/name" in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ftk:hunter2%off@db/ftk",
        "host=db user=ftk password=hunter2 dbname=ftk",
        "postgresql://ftk:hunter2/ss@db/ftk",
        "postgresql://db/?password=hunter2",
        "postgresql://ftk@db/?password=hunter2",
        "mysql://ftk@db/ftk?password=hunter2",
    ],
)
def test_no_error_message_about_a_database_url_contains_its_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        django_database(url)
    assert "hunter2" not in str(caught.value)


def test_the_error_message_about_a_channel_layer_url_contains_only_its_scheme() -> None:
    with pytest.raises(ImproperlyConfigured, match=r"begin with redis://, not amqp:$"):
        channel_layer("amqp://ftk:hunter2@10.0.0.1:5672/ftk", "")


def test_environment_variables_are_read_literally(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {"FTK_A": "$word", "FTK_B": "one, two", "FTK_C": "many", "FTK_D": ""}.items():
        monkeypatch.setenv(name, text)
    assert (env.str("FTK_A", default="lost"), env.list("FTK_B")) == ("$word", ["one", "two"])
    for name, said in (("FTK_C", "'many'"), ("FTK_D", "''")):
        with pytest.raises(ImproperlyConfigured, match=f"{name} must be a number, not {said}"):
            env.int(name, default=1)


def test_a_database_url_is_parsed_as_libpq_parses_it() -> None:
    database = django_database("postgresql://me:p%40ss@host:6543/name?sslmode=require")
    assert (database["USER"], database["PASSWORD"], database["HOST"]) == ("me", "p@ss", "host")
    assert (database["PORT"], database["NAME"]) == ("6543", "name")
    assert database["OPTIONS"] == {"sslmode": "require"} | PREPARE_OPTIONS


def test_the_message_broker_and_notifications_connect_to_the_embedded_database(tmp_path: Path) -> None:
    words = conninfo_to_dict(conninfo_of(django_database(url_of(tmp_path), pool=4)))
    assert words["dbname"] == "ftk"
    assert str(words["host"]).startswith(f"{SOCKET_ROOT}/ftk-")
    assert {"pool", *PREPARE_OPTIONS}.isdisjoint(words)


def test_the_socket_path_of_a_data_folder_is_short_and_unique(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 200)
    assert len(url_of(deep)) < 100
    assert url_of(deep) != url_of(tmp_path)


def test_a_message_broker_in_the_main_database_uses_the_connection_settings_of_that_database() -> None:
    assert "conn_string" not in transport_options("pgmq://user:secret@host/db", "dbname=ours")
    assert transport_options(OWN_DATABASE, "dbname=ours")["conn_string"] == "dbname=ours"


@pytest.mark.parametrize("url", ["amqp://host", "amqps://host", "redis://host", "rediss://host"])
def test_an_unreachable_broker_times_out_quickly(url: str) -> None:
    options = transport_options(url, "dbname=ours")
    assert options["max_retries"] == 1
    assert options["connect_retries_timeout"] <= 2
    assert "conn_string" not in options


def test_each_message_broker_redelivers_unacknowledged_tasks_only_after_the_configured_timeout() -> None:
    assert transport_options("redis://host", "")["visibility_timeout"] == VISIBILITY_SECONDS
    for queue in queues("amqp://host"):
        assert queue.queue_arguments == {"x-queue-type": "quorum", "x-consumer-timeout": VISIBILITY_SECONDS * 1000}
    assert {queue.queue_arguments for queue in queues("redis://host")} == {None}


def test_only_postgres_and_redis_channel_layers_are_accepted() -> None:
    assert channel_layer("", "dbname=ours")["BACKEND"] == "deploy.messaging.postgres_channel_layer.PostgresChannelLayer"
    assert channel_layer("redis://host", "")["BACKEND"] == "deploy.messaging.redis_channel_layer.RedisChannelLayer"
    with pytest.raises(ImproperlyConfigured, match="CHANNEL_LAYER_URL"):
        channel_layer("memory://", "")


def test_the_secret_key_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "var" / "secret-key"
    first = stored_secret(file)
    assert stored_secret(file) == first
    assert len(first) >= 64
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.slow
def test_a_command_with_an_invalid_database_url_says_what_is_wrong(tmp_path: Path) -> None:
    env = {**os.environ, "DATABASE_URL": "nonsense", "FTK_VAR": str(tmp_path)}
    done = subprocess.run([sys.executable, "manage.py", "check"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "DATABASE_URL must look like postgresql://" in done.stderr


@pytest.mark.django_db
@pytest.mark.slow
def test_the_django_deployment_check_finds_no_issue_in_a_server_behind_https() -> None:
    env = {**os.environ, "FTK_HTTPS": "1"}
    env.pop("DJANGO_ALLOW_ASYNC_UNSAFE", None)  # browser tests set it, but a server must not
    command = [sys.executable, "manage.py", "check", "--deploy"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines() == []
    assert done.returncode == 0
    assert done.stdout.strip() == "System check identified no issues (0 silenced)."


@pytest.mark.django_db
def test_no_django_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_links_in_mails_begin_with_the_configured_site_url_which_must_be_a_valid_url(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FTK_SITE", "https://arena.example/")
    assert webhooks.read_site() == "https://arena.example"
    monkeypatch.setenv("FTK_SITE", "arena.example")
    with pytest.raises(
        ImproperlyConfigured, match=r"FTK_SITE must be like https://arena\.example, not 'arena\.example'"
    ):
        webhooks.read_site()


SITE_OF_CHILD = """
import django
django.setup()
from django.conf import settings
from deploy.imports_before_fork import prepare_role
os.environ.update(child)
prepare_role()
print(settings.SITE)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("site", "links"), [({}, "http://127.0.0.1:8140"), ({"FTK_SITE": "https://arena.example"}, "https://arena.example")]
)
def test_links_in_mails_use_the_port_of_the_local_server_unless_a_site_url_is_configured(
    site: dict[str, str], links: str, tmp_path: Path
) -> None:
    child = build_child_environment(ArenaStartOptions(var=tmp_path, database_url=None, port=8140), site)
    given = {**os.environ, "FTK_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    source = f"import os\nchild = {child!r}\n{SITE_OF_CHILD}"
    command = [sys.executable, "-c", source]
    done = subprocess.run(command, env=given, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == links


@pytest.mark.parametrize("kind", ["AUTHENTICATION", "PERMISSION", "THROTTLE", "PARSER"])
def test_api_views_use_the_drf_default_classes_that_the_django_settings_name(kind: str) -> None:
    """If the settings module imported rest_framework, the defaults of DRF would apply, which permit everything."""
    used = getattr(APIView, f"{kind.lower()}_classes")
    assert [f"{one.__module__}.{one.__name__}" for one in used] == settings.REST_FRAMEWORK[f"DEFAULT_{kind}_CLASSES"]


@pytest.mark.slow
def test_rarely_used_libraries_are_not_imported_at_start() -> None:
    told = "import sys, django; django.setup(); import deploy.urls, deploy.celery; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout.split()
    assert "tournaments.ladders.ladder_court_ratings" in loaded
    assert {
        name
        for name in ("scipy.optimize", "scipy.linalg", "scipy.sparse", "openskill", "google.protobuf")
        if name in loaded
    } == set()


def test_forms_may_lead_to_further_origins_of_an_openid_connect_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    origins = "https://pages.example, https://federated.example"
    provider = {"ID": "x", "SECRET": "x", "NAME": "x", "URL": "https://issuer.example/pool", "ORIGINS": origins}
    for name, value in provider.items():
        monkeypatch.setenv(f"FTK_OIDC_{name}", value)
    assert accounts.read_origins(accounts.read_providers()) == ["https://issuer.example", *origins.split(", ")]
