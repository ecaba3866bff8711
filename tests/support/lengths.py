"""Length of tests: short in `make test`, long where `make chaos` or `make long` sets FTK_TEST_LONG."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")
LONG = "FTK_TEST_LONG" in os.environ


def short_or_long(short: T, long: T) -> T:
    """Return the short or the long number of examples."""
    return long if LONG else short
