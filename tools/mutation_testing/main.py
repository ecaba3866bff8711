"""Program behind `make mutants`: plants small faults in the code and runs the tests.

The arguments name Django apps (default: all). FTK_MUTANTS (10) is the number of faults per app, FTK_MUTANTS_SEED (1)
the random seed. Nothing else may use this folder meanwhile. The first run at a commit measures which lines each test
executes; a fault is then tried with the tests that execute its line.
"""
# cosmic-ray plants the faults and changes modules in place; `make mutants` installs it into var/mutants.

from __future__ import annotations

import os
import random
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.support.lengths import QUICK
from tools.mutation_testing.line_coverage import LineCoverage, measure

sys.path.append("var/mutants")

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.plugins import get_operator, operator_names
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome, WorkResult

APPS = ("ftk_core", "foundation", "people", "bots", "replays", "tournaments", "notices", "frontend", "deploy")
LEFT_OUT = {"migrations", "node_modules", "formats", "viewer", "new"}
"""Folders with generated or declarative modules."""
UNHELPFUL = ("NumberReplacer", "RemoveDecorator", "VariableInserter", "VariableReplacer")
"""Mutation operators that are not used, because most of their changes cause no fault, for example a higher limit."""
RECORD_OPTIONS = ("frozen=", "kw_only=", "slots=")
"""Options of dataclasses and structs. A line with one of them is left out, because changing it causes no fault."""
TEST_SECONDS = 900
QUICK_MODULE = "tests/deploy/test_changelog.py"
SLOW = "slow and not nightly"
ARGUMENTS_FILE = Path("var/mutants/selected-tests.txt")
FAILED_TEST = re.compile(r"(FAILED|ERROR) (?=\S+\.(py|md)\b)")
"""Beginning of a line of pytest's summary, before the id of a test or of an example in a module or page."""
MIN_NOTICED = 0.85
"""Share of the faults that the tests must notice."""
IGNORED_TESTS = [f"--ignore=tests/{path}" for path in os.environ.get("FTK_MUTANTS_IGNORE", "").split()]
"""Options of pytest that leave out the tests in ``FTK_MUTANTS_IGNORE``: those that need a quiet machine."""


def list_modules(app: str) -> list[Path]:
    """Return the modules of an app in which faults are planted."""
    modules = [path for path in sorted(Path(app).rglob("*.py")) if not LEFT_OUT & set(path.parts)]
    return [path for path in modules if path.name != "__init__.py"]


def find_tests(module: Path) -> Path:
    """Return the folder with a module's tests: the deepest folder below ``tests`` that mirrors the module's path."""
    return next(folder for folder in (Path("tests") / part for part in module.parents) if folder.is_dir())


def find_importing_tests(module: Path) -> list[Path]:
    """Return the test modules that import a module or mention its dotted name or its command's name."""
    name, tests = ".".join(module.with_suffix("").parts), sorted(Path("tests").rglob("test_*.py"))
    names = (name, f'"{module.stem}"') if module.parent.name == "commands" else (name,)
    used = [path for path in tests if "bench" not in path.parts and f"--ignore={path}" not in IGNORED_TESTS]
    imported = rf"from {re.escape('.'.join(module.parent.parts))} import [^)]*?\b{module.stem}\b"
    mentioned = re.compile("|".join([*map(re.escape, names), imported]))
    return [path for path in used if mentioned.search(path.read_text())]


def list_selections(fault: MutationSpec, coverage: LineCoverage) -> Iterator[list[str]]:
    """Yield arguments of pytest that select tests, one selection after the other while the fault is not noticed.

    First the tests that execute the faulty line. Then the tests that mention the module, which may execute it in
    another process. If there are none of both, the quick tests in the module's folder.
    """
    folder, mentioning = find_tests(fault.module_path), [*map(str, find_importing_tests(fault.module_path))]
    covering = coverage.list_tests(fault.module_path, fault.start_pos[0], folder)
    for tests in (covering, mentioning):
        for speed in (QUICK, SLOW):
            if tests:
                yield ["-m", speed, *tests]
    if not covering and not mentioning:
        yield ["-m", QUICK, str(folder)]


def try_fault(fault: MutationSpec, coverage: LineCoverage) -> WorkResult:
    """Plant a fault, run tests until one fails, and return the result."""
    result = WorkResult(worker_outcome=WorkerOutcome.NORMAL, test_outcome=TestOutcome.SURVIVED)
    for selection in list_selections(fault, coverage):
        ARGUMENTS_FILE.write_text("\n".join(selection))  # a command line would be too long
        options = " ".join(IGNORED_TESTS)
        command = f"{sys.executable} -m pytest -q -x -p no:cacheprovider -p no:xdist {options} @{ARGUMENTS_FILE}"
        unless_none_ran = shlex.quote(f"{command} || [ $? = {pytest.ExitCode.NO_TESTS_COLLECTED.value} ]")
        result = mutate_and_test([fault], f"sh -c {unless_none_ran}", TEST_SECONDS)
        if result.test_outcome != TestOutcome.SURVIVED:
            break
    return result


def read_coverage() -> LineCoverage:
    """Return the coverage of the tests at this commit; measure it if no earlier run did.

    Raises SystemExit if a file differs from the commit, because its lines could have other numbers.
    """
    if changed := _git("status", "--porcelain", "--untracked-files=no"):
        sys.exit(f"Commit or stash your changes first, because faults are planted into the committed code:\n{changed}")
    data = Path(f"var/coverage-{_git('rev-parse', 'HEAD')}.sqlite")
    if not data.exists():
        for old in Path("var").glob("coverage-*"):
            old.unlink()
        measure(data, APPS, ["-m", "not nightly", "--ignore=tests/bench", *IGNORED_TESTS])
    return LineCoverage(data)


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout.strip()


def find_failed_test(output: str) -> str:
    """Return the first line of pytest's output that names a failed test; otherwise the last line."""
    lines = output.splitlines() or [""]
    return next((line for line in lines if FAILED_TEST.match(line)), lines[-1])


def passes_without_fault(failure: str) -> bool:
    """Return True if the test that `find_failed_test` named passes on the code as it is."""
    # A fault that prevents the start of pytest names no test: then any test shows whether pytest starts without it.
    named = FAILED_TEST.match(failure)
    test = failure[named.end() :].partition(" - ")[0] if named else QUICK_MODULE
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", test]
    return subprocess.run(command, capture_output=True, check=False).returncode == pytest.ExitCode.OK


def list_faults(module: Path) -> Iterator[MutationSpec]:
    """Yield all faults that can be planted in a module."""
    text = module.read_text()
    tree, lines = get_ast(text), text.splitlines()
    for name in operator_names():
        if name.endswith(UNHELPFUL) or "_BitOr_" in name:  # `|` mostly joins types, which nothing evaluates
            continue
        operator = get_operator(name)()
        positions = [place for node in ast_nodes(tree) for place in operator.mutation_positions(node)]
        for occurrence, (start, end) in enumerate(positions):
            if any(option in lines[start[0] - 1] for option in RECORD_OPTIONS):
                continue
            yield MutationSpec(
                module_path=module, operator_name=name, occurrence=occurrence, start_pos=start, end_pos=end
            )


def sample_faults(app: str, count: int, draw: random.Random) -> list[MutationSpec]:
    """Draw `count` random faults of an app; a module's probability is proportional to its number of lines."""
    modules = list_modules(app)
    lines = [len(module.read_text().splitlines()) for module in modules]
    faults: list[MutationSpec] = []
    while len(faults) < count:
        if possible := list(list_faults(draw.choices(modules, lines)[0])):
            faults.append(draw.choice(possible))
    return faults


def main(words: Sequence[str]) -> int:
    """Plant faults in each app, and print which of them the tests noticed.

    Return 1 if a test fails without a fault, or if fewer than `MIN_NOTICED` of the faults are noticed.
    """
    all_outcomes, coverage = Counter[TestOutcome | None](), read_coverage()
    count, seed = int(os.environ.get("FTK_MUTANTS", "10")), os.environ.get("FTK_MUTANTS_SEED", "1")
    table = ["| app | faults | noticed |", "|---|---|---|"]
    for app in words or APPS:
        outcomes = Counter[TestOutcome | None]()
        for fault in sample_faults(app, count, random.Random(f"{seed} {app}")):
            result = try_fault(fault, coverage)
            outcome, failure = result.test_outcome, find_failed_test(result.output or "")
            if outcome == TestOutcome.SURVIVED:
                sys.stdout.write(f"survived:\n{result.diff}\n")
            elif outcome != TestOutcome.KILLED or failure == "timeout" or not passes_without_fault(failure):
                outcome = None  # the tool failed, or the test fails without the fault, too
                sys.stdout.write(f"{fault.module_path}: not judged ({result.test_outcome}): {failure}\n")
            else:
                sys.stdout.write(f"{fault.module_path}: noticed by {failure or 'the start of pytest'}\n")
            sys.stdout.flush()
            outcomes[outcome] += 1
        noticed, survived = outcomes[TestOutcome.KILLED], outcomes[TestOutcome.SURVIVED]
        table.append(f"| `{app}` | {noticed + survived} | {noticed} |")
        all_outcomes.update(outcomes)
    sys.stdout.write("\n".join(table) + "\n")
    planted = all_outcomes.total() - all_outcomes[None]
    return int(all_outcomes[None] > 0 or all_outcomes[TestOutcome.KILLED] < MIN_NOTICED * planted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
