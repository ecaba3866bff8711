"""Fixtures of the laws."""

from __future__ import annotations

import pytest

from tests.support.native_library import build_and_load, can_build

collect_ignore_glob = [] if can_build() else ["test_native_*.py"]


@pytest.fixture(scope="session")
def native_library() -> None:
    """Build and load the native rules; fail if that is impossible here."""
    build_and_load()
