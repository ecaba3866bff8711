"""The warning about a database connection that a test left open."""

from __future__ import annotations

import os

import psycopg
import pytest


def test_the_warning_about_an_open_database_connection_names_the_test_that_opened_it() -> None:
    with (
        psycopg.connect(os.environ["DATABASE_URL"]) as opened,
        pytest.warns(ResourceWarning, match=r"(?s)opened by tests/deploy/test_connection_warnings\.py.*in test_the_w"),
    ):
        opened.__del__()
