"""Lines that each test executes, measured with coverage.py, to select the tests that can notice a fault."""

from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

LIBRARIES = Path("var/coverage")
"""Folder with coverage.py and pytest-cov, which `make mutants` installs."""
MAX_TESTS = 500
"""Largest number of tests run per fault."""
WORKERS = 3


class LineCoverage:
    """Tests by the lines that they execute in their own process."""

    def __init__(self, data: Path) -> None:
        """Read the file that `measure` wrote."""
        sys.path.append(str(LIBRARIES))
        from coverage import CoverageData

        self._data = CoverageData(str(data))
        self._data.read()
        self._collected = set(data.with_suffix(".txt").read_text().splitlines())

    def list_tests(self, module: Path, line: int, folder: Path) -> list[str]:
        """Return the tests that execute a line; see `select_tests`.

        A line outside functions runs at import. Its tests are those that execute any function of the module.
        """
        contexts_by_line = self._data.contexts_by_lineno(str(module))
        lines = find_executed_lines(module.read_text(), line)
        contexts = {context for number in lines for context in contexts_by_line.get(number, ())}
        return select_tests(contexts, self._collected, folder, f"{module}:{line}")


def select_tests(contexts: Collection[str], collected: Collection[str], folder: Path, seed: str) -> list[str]:
    """Return at most `MAX_TESTS` ids of tests: those of `contexts` in random order, those below `folder` first.

    `contexts` are those of pytest-cov that executed a line, such as ``tests/test_a.py::test_b|run``. A fixture of
    several tests runs in the first of them, so the other tests of its file follow.
    """
    tests = sorted({context.rpartition("|")[0] for context in contexts}.intersection(collected))
    random.Random(seed).shuffle(tests)
    tests.sort(key=lambda test: not test.startswith(f"{folder}/"))
    files = {context.partition("::")[0] for context in contexts if context.endswith("|setup")}
    others = {test for test in collected if test.partition("::")[0] in files}.difference(tests)
    return (tests + sorted(others))[:MAX_TESTS]


def measure(data: Path, packages: Sequence[str], options: Sequence[str]) -> None:
    """Run the tests and write the lines that each executes. Failures of tests are ignored.

    A text file of the same name lists the ids of all tests. Raises RuntimeError if pytest does not run to its end.
    """
    data.parent.mkdir(parents=True, exist_ok=True)
    settings = data.with_suffix(".ini")
    settings.write_text("[run]\nrelative_files = true\n")
    run_pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    listed = subprocess.run([*run_pytest, "--collect-only", *options], stdout=subprocess.PIPE, text=True, check=False)
    if listed.returncode != pytest.ExitCode.OK:
        raise RuntimeError(f"pytest cannot collect the tests:\n{listed.stdout[-2000:]}")
    data.with_suffix(".txt").write_text("\n".join(line for line in listed.stdout.splitlines() if "::" in line))
    command = [*run_pytest, "-n", str(WORKERS), "--dist", "worksteal"]
    command += ["--cov-context=test", "--cov-report=", f"--cov-config={settings}"]
    command += [f"--cov={package}" for package in packages]
    paths = os.pathsep.join([str(LIBRARIES.resolve()), os.environ.get("PYTHONPATH", "")])
    draft = data.with_suffix(".draft").resolve()  # an interrupted run leaves no file that looks complete
    environment = {**os.environ, "PYTHONPATH": paths, "COVERAGE_FILE": str(draft)}
    exit_code = subprocess.run([*command, *options], env=environment, check=False).returncode
    if exit_code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED} or not draft.exists():
        raise RuntimeError(f"The tests wrote no coverage (exit code {exit_code}); see the output above.")
    draft.replace(data)


def find_executed_lines(text: str, line: int) -> set[int]:
    """Return the lines of the statement with a line, or of all functions if it is outside functions."""
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    bodies = [range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1) for node in functions]
    if not any(line in body for body in bodies):
        return {number for body in bodies for number in body}
    statements = [_lines_of_statement(node) for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    return set(min((lines for lines in statements if line in lines), key=len, default=range(line, line + 1)))


def _lines_of_statement(node: ast.stmt) -> range:
    """Return the lines of a statement without those of the statements in it."""
    body = getattr(node, "body", None)
    end = body[0].lineno if body else (node.end_lineno or node.lineno) + 1
    return range(node.lineno, max(end, node.lineno + 1))
