"""How long a test is: short in `make test`, long where `make chaos` sets FTK_TEST_LONG."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")
LONG = "FTK_TEST_LONG" in os.environ


def either(short: T, long: T) -> T:
    """Return the length that is asked for: of the same law, with fewer or more examples."""
    return long if LONG else short
