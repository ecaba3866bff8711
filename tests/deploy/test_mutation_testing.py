"""Selection of the tests that try a planted fault (`make mutants`)."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tools.mutation_testing.line_coverage import find_executed_lines, select_tests

MODULE = textwrap.dedent(
    """\
    LIMIT = 3

    def allow(
        count: int,
        limit: int = LIMIT,
    ) -> bool:
        if (
            count < limit
        ):
            return (count,
                    limit) != (0, 0)
        return False

    class Queue:
        size = 1
        def push(self): self.size += 1
    """
)


@pytest.mark.parametrize(
    ("line", "executed"),
    [
        (8, {7, 8, 9}),  # the condition of an `if` over three lines, without the lines below it
        (11, {10, 11}),
        (12, {12}),
        (16, {16}),
        (1, {7, 8, 9, 10, 11, 12, 16}),  # executed at import, so every test of the module's functions counts
        (5, {7, 8, 9, 10, 11, 12, 16}),
        (15, {7, 8, 9, 10, 11, 12, 16}),
    ],
)
def test_a_fault_is_tried_with_the_tests_that_execute_its_statement(line: int, executed: set[int]) -> None:
    assert find_executed_lines(MODULE, line) == executed


def test_the_tests_of_the_folder_come_first_and_those_that_share_a_fixture_last() -> None:
    contexts = [
        "tests/bots/test_a.py::one|run",
        "tests/people/test_b.py::first|setup",
        "tests/people/test_b.py::first|run",
    ]
    collected = [
        "tests/bots/test_a.py::one",
        "tests/bots/test_a.py::two",
        *(f"tests/people/test_b.py::{n}" for n in ("first", "second")),
    ]
    selected = select_tests(contexts, collected, Path("tests/people"), "seed")
    assert selected == ["tests/people/test_b.py::first", "tests/bots/test_a.py::one", "tests/people/test_b.py::second"]
