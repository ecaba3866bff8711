"""A temporary PostgreSQL for the whole test session, and settings that use it.

The main process starts the server before it reads the settings. The workers of pytest-xdist find its address in the
environment, and each creates its own database in it.
"""

from __future__ import annotations

import asyncio
import compileall
import os
import re
import signal
import tempfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import django
import psycopg
import pytest
from _pytest.doctest import DoctestModule
from django.conf import settings
from hypothesis import settings as hypothesis_settings

from bots.sandbox.inside.user_namespace import drop_root
from deploy.supervisor.postgres_binaries import read_programs
from tests.support.database_connections import add_opening_test_to_warnings, close_connections_of_other_threads
from tests.support.lengths import QUICK, has_only_slow_tests, has_slow_tests, leave_out_other_thirds
from tests.support.machine import working_backends
from tests.support.skipped_tests import list_skipped
from tests.support.temporary_postgres import temporary_server

ROOT = Path(__file__).parents[1]
# the user nobody, which root becomes below, cannot write bytecode, so that every child would compile again
if "FTK_TEST_SESSION" not in os.environ:
    for folder in (*(package.parent for package in ROOT.glob("*/__init__.py")), ROOT / "tests/support"):
        compileall.compile_dir(folder, quiet=2, rx=re.compile("node_modules"))
# pytest as a background job ignores SIGINT, and its children would inherit that
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # `nohup` does the same with SIGHUP
if os.getuid() == 0:  # neither bots nor tests may run as root
    drop_root()

hypothesis_settings.register_profile("default", deadline=None)
hypothesis_settings.register_profile("thorough", deadline=None, max_examples=1_000)
hypothesis_settings.register_profile("night", deadline=None, max_examples=50_000)
_session = ExitStack()
collect_ignore_glob = ["support/*", "hostile/bots/*", "hostile/hogs/*"]
"""Folders without examples. Collecting examples there would import their modules."""


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """Start the server once, and configure Django to use it."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings"
    if "FTK_TEST_SESSION" not in os.environ:
        _begin_session()
    django.setup()
    add_opening_test_to_warnings()
    close_connections_of_other_threads()
    _hash_quickly()
    settings.HAS_MAIL_SERVER = True  # Django collects the mails of tests
    if "BOT_CAGE" not in os.environ:  # use the first backend that passes on this machine
        settings.BOT_CAGE = os.environ["BOT_CAGE"] = working_backends()[0]


def _hash_quickly() -> None:
    """Hash passwords as the arena does, but with one iteration instead of a million."""
    from django.contrib.auth.hashers import PBKDF2PasswordHasher

    PBKDF2PasswordHasher.iterations = 1


def _begin_session() -> None:
    var = Path(_session.enter_context(tempfile.TemporaryDirectory(prefix="ftk-test-")))
    environment = {"FTK_TEST_SESSION": "1", "FTK_VAR": str(var), "CELERY_BROKER_URL": "memory://"}
    chosen = read_programs(Path(os.environ["FTK_TEST_POSTGRES"])) if "FTK_TEST_POSTGRES" in os.environ else None
    server = temporary_server(durable="FTK_TEST_DURABLE" in os.environ, programs=chosen)
    environment["DATABASE_URL"] = _session.enter_context(server).url
    environment["FTK_BRAND_SECONDS"] = "0"  # 0 runs no query for the brand, so that numbers of queries are constant
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    _session.callback(_restore, before)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without a test of the requested kind, because importing all files takes each worker seconds."""
    if collection_path.is_dir():
        return None
    if config.option.markexpr.startswith("slow"):
        return None if has_slow_tests(collection_path) else True
    return True if config.option.markexpr == QUICK and has_only_slow_tests(collection_path) else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect no examples from test modules, because that would import each of them a second time."""
    return [found for found in (yield) if not isinstance(found, DoctestModule)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect two thirds of the tests if FTK_TEST_THIRD is set."""
    leave_out_other_thirds(config, items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the skipped tests with their reasons."""
    for line in list_skipped():
        terminalreporter.write_line(line)


def pytest_unconfigure() -> None:
    """Stop the server that this process started."""
    _session.close()


def _restore(before: dict[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """Hide playwright's event loop, which stays set in the thread and would prevent tests from running another loop."""
    driving = asyncio._get_running_loop()
    if driving is None or "chromium" in getattr(item, "fixturenames", ()):
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(driving)


@pytest.fixture(scope="session")
def django_db_setup(request: pytest.FixtureRequest) -> Iterator[None]:
    """Migrate once for all workers; at the end, close leftover connections, which would block dropping databases."""
    from django.db import connection

    from tests.support.migrated_template import share_migrations

    with share_migrations():
        request.getfixturevalue("django_db_setup")  # the fixture of pytest-django
    yield
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
            [connection.settings_dict["NAME"]],
        )


@pytest.fixture(scope="session", autouse=True)
def tables_are_emptied_between_tests() -> Iterator[None]:
    """Replace Django's flush after transactional tests with our faster deletion of rows."""
    from django.test import TransactionTestCase

    from tests.support.database_cleanup import delete_all_rows

    original = TransactionTestCase._fixture_teardown
    TransactionTestCase._fixture_teardown = lambda _: delete_all_rows()
    yield
    TransactionTestCase._fixture_teardown = original


@pytest.fixture(scope="session", autouse=True)
def static_files_are_looked_for_once() -> Iterator[None]:
    """Find static files once per process, because each client would read hundreds of files again."""
    from servestatic.middleware import ServeStaticMiddleware

    original, found = ServeStaticMiddleware.add_files_from_finders, dict[str, Any]()

    def find(self: ServeStaticMiddleware) -> None:
        if not found:
            original(self)
            found.update(files=dict(self.files), directories=list(self.directories))
        self.files.update(found["files"])
        self.directories[:] = found["directories"]

    ServeStaticMiddleware.add_files_from_finders = find
    yield
    ServeStaticMiddleware.add_files_from_finders = original
