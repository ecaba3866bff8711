"""Length of tests: short in `make test`, long where `make chaos` or `make long` sets FTK_TEST_LONG.

CI runs one third of the slow tests for each commit, which FTK_TEST_THIRD (0, 1 or 2) selects.
"""

from __future__ import annotations

import os
import re
import zlib
from pathlib import Path
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
QUICK = "not slow and not nightly"
"""Expression for the tests of `make test`."""
LONG = "FTK_TEST_LONG" in os.environ
THIRD = os.environ.get("FTK_TEST_THIRD", "")


def short_or_long(short: T, long: T) -> T:
    """Return the short or the long number of examples."""
    return long if LONG else short


def nightly(*values: Any) -> list[Any]:
    """Return parameters of a slow test for which it runs in `make slow`, but not in CI."""
    groups = (value if isinstance(value, tuple) else (value,) for value in values)
    return [pytest.param(*group, marks=pytest.mark.nightly) for group in groups]


def is_in_third(node: str, third: str) -> bool:
    """Return True if the test function with this node id is in a third: "0", "1", "2", or "" for all tests.

    All parameters of a test function are in the same third.
    """
    if third not in {"", "0", "1", "2"}:
        raise pytest.UsageError(f"FTK_TEST_THIRD must be 0, 1 or 2 (got {third!r}).")
    number = (zlib.crc32(node.partition("[")[0].encode()) >> 3) % 3  # with this shift the thirds take similar times
    return third in {"", str(number)}


def has_slow_tests(file: Path) -> bool:
    """Return True if a file is Python code that names a mark of slow tests."""
    return file.suffix == ".py" and bool(re.search("slow|nightly", file.read_text()))


def has_only_slow_tests(file: Path) -> bool:
    """Return True if a test file is marked as slow as a whole."""
    is_test_file = file.suffix == ".py" and file.name.startswith("test_")
    return is_test_file and bool(re.search(r"^pytestmark = .*pytest\.mark\.slow", file.read_text(), re.MULTILINE))


def leave_out_other_thirds(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that are not in the third given by FTK_TEST_THIRD."""
    parts: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        parts[is_in_third(item.nodeid, THIRD)].append(item)
    items[:] = parts[True]
    config.hook.pytest_deselected(items=parts[False])
