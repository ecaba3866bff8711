"""The boundary of the sandbox in the source: which modules start processes and which run inside."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.test import override_settings

from bots.sandbox.language_runtimes import INSIDE_FOLDER
from tests.support.sources import parse_module

CALLS = Path("bots/sandbox/filter/system_call_numbers.py")


def module_functions() -> list[tuple[Path, ast.FunctionDef]]:
    """Return the functions of all modules that could enter a namespace."""
    modules = [module for folder in ("bots", "deploy") for module in Path(folder).rglob("*.py")]
    trees = [(module, parse_module(module)) for module in modules if "unshare" in module.read_text()]
    return [(module, node) for module, tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def test_only_one_function_of_the_sandbox_creates_namespaces() -> None:
    entering = [
        (module.name, function.name)
        for module, function in module_functions()
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and node.attr == "unshare"
    ]
    assert entering == [("user_namespace.py", "enter_namespaces")]


def test_only_one_module_lists_system_call_numbers() -> None:
    modules = [module for module in Path("bots").rglob("*.py") if '"aarch64"' in module.read_text()]
    assert modules == [CALLS]


@pytest.mark.parametrize("name", ["boot", "user_namespace", "root_file_system", "fork_server"])
def test_modules_that_run_inside_the_sandbox_import_only_the_standard_library(name: str) -> None:
    isolated_import = (
        f"import sys; sys.path[:] = [p for p in sys.path if 'packages' not in p] + ['{INSIDE_FOLDER}']; import {name}"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", isolated_import], cwd="/", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("grid", "refused"), [(0, False), (1, True), (2, False), (16, False), (17, True), (-4, True)])
def test_the_django_system_check_reports_an_invalid_value_of_the_setting_bot_answer_grid(
    grid: int, *, refused: bool
) -> None:
    with override_settings(BOT_ANSWER_GRID=grid):
        errors = [str(error.msg) for error in run_checks(tags=["cage"])]
    expected = f"BOT_ANSWER_GRID must be 0 (off) or between 2 and 16 (got {grid})"
    assert errors == ([expected] if refused else [])
