"""Length of tests: short in `make test`, long where `make chaos` or `make long` sets FTK_TEST_LONG."""

from __future__ import annotations

import os
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
LONG = "FTK_TEST_LONG" in os.environ


def short_or_long(short: T, long: T) -> T:
    """Return the short or the long number of examples."""
    return long if LONG else short


def nightly(*values: Any) -> list[Any]:
    """Return parameters of a slow test for which it runs in `make slow`, but not in CI."""
    groups = (value if isinstance(value, tuple) else (value,) for value in values)
    return [pytest.param(*group, marks=pytest.mark.nightly) for group in groups]
