"""What stands on which side of the cage's boundary, as its folders say it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.test import override_settings

from bots.cage.runtime import FILES

CALLS = Path("bots/cage/filter/calls.py")


def functions() -> list[tuple[Path, ast.FunctionDef]]:
    """Return the functions of all that starts processes."""
    modules = [module for folder in ("bots", "deploy") for module in Path(folder).rglob("*.py")]
    trees = [(module, ast.parse(module.read_text())) for module in modules]
    return [(module, node) for module, tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def test_one_function_enters_namespaces() -> None:
    entering = [
        (module.name, function.name)
        for module, function in functions()
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and node.attr == "unshare"
    ]
    assert entering == [("nobody.py", "enter_namespaces")]


def test_the_numbers_of_system_calls_stand_in_one_table() -> None:
    modules = [module for module in Path("bots").rglob("*.py") if '"aarch64"' in module.read_text()]
    assert modules == [CALLS]


@pytest.mark.parametrize("name", ["boot", "nobody", "root", "server"])
def test_what_runs_with_a_bot_needs_no_package_of_anybodys(name: str) -> None:
    alone = f"import sys; sys.path[:] = [p for p in sys.path if 'packages' not in p] + ['{FILES}']; import {name}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", alone], cwd="/", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("grid", "refused"), [(0, False), (1, True), (2, False), (16, False), (17, True), (-4, True)])
def test_a_grid_of_answers_that_is_none_is_refused_with_its_limits(grid: int, *, refused: bool) -> None:
    with override_settings(BOT_ANSWER_GRID=grid):
        errors = [str(error.msg) for error in run_checks(tags=["cage"])]
    wanted = f"BOT_ANSWER_GRID must be 0 (off) or between 2 and 16 (got {grid})"
    assert errors == ([wanted] if refused else [])
