"""Rules for tests: their folders and imports, no sleeping, and reasons for suppressed lints."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ftk_core.games import list_games
from tests.support.lengths import is_in_third
from tests.support.sources import HOSTILE, list_files, list_nodes, list_python_modules

SUPPORT = Path("tests/support")
WAITING = SUPPORT / "waiting.py"
KINDS = {"bench", "browser", "golden", "hostile", "laws", "support"}
"""Test folders without a matching source folder; CONTRIBUTING describes each."""
PLACED = {
    "tests/golden/write.py": "lies beside what it writes, a folder that changes for nothing else",
    "tests/hostile/hogs/hog.py": "a bot too",
}
"""Modules that are neither tests nor support modules, with the reason."""
EXAMPLE = "pig"
"""The smallest game, which any test may use."""
SLEEPS = {"sleep", "wait_for_timeout"}
"""Calls that wait for a time instead of a condition."""
UNCOMPILED = Path("tests/hostile/bots/dialogue/does_not_compile.py")
WAIVER = re.compile(r"#\s*(?:noqa|type: ignore)\b")
CODED = re.compile(r"#\s*(?:noqa: [A-Z]+\d+(?:, [A-Z]+\d+)*|type: ignore\[[\w, -]+\])")
WORDS = re.compile(r"[a-zA-Z]{2,}\W+\w+")


@pytest.fixture(scope="module")
def tests() -> list[Path]:
    """Return our test modules, without the bots that attack the sandbox."""
    return [path for path in list_python_modules() if path.parts[0] == "tests"]


@cache
def imported(module: Path) -> tuple[str, ...]:
    """Return the dotted names that a module imports, also in programs that it contains as strings."""
    return tuple(read_imports(module))


def read_imports(module: Path) -> Iterator[str]:
    for node in list_nodes(module):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(source), names=names):
                yield from (f"{source}.{name.name}" for name in names)
            case ast.Constant(value=str(text)):
                yield from re.findall(r"^\s*(?:from|import) (tests\.[\w.]+)", text, re.MULTILINE)


def calls(module: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the last name of every call in a module."""
    for node in list_nodes(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.lineno, node.func.id if isinstance(node.func, ast.Name) else node.func.attr


def waivers(module: Path) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the comment, and the comment above it, for every suppressed lint of a module."""
    if not WAIVER.search(module.read_bytes().decode(errors="replace")):
        return
    with tokenize.open(module) as source:
        comments = {
            token.start[0]: (token.string, not token.line[: token.start[1]].strip())
            for token in tokenize.generate_tokens(source.readline)
            if token.type == tokenize.COMMENT
        }
    for line, (text, _) in comments.items():
        if WAIVER.search(text):
            above, stands_alone = comments.get(line - 1, ("", False))
            yield line, text, above if stands_alone else ""


def is_reasoned(text: str, above: str) -> bool:
    """Return True if a suppression names a code, and gives a reason in its comment or in the comment above."""
    return bool(CODED.search(text)) and any(WORDS.search(CODED.sub("", words)) for words in (text, above))


def test_no_test_module_imports_another(tests: list[Path]) -> None:
    found = [(str(module), name) for module in tests for name in imported(module) if name.startswith("tests.")]
    assert found, "support is imported"
    assert [row for row in found if any(part.startswith("test_") for part in row[1].split("."))] == []


def test_helper_modules_of_tests_are_only_in_the_folder_tests_support(tests: list[Path]) -> None:
    others = [path for path in tests if not path.name.startswith("test_") and path.name != "conftest.py"]
    assert sorted(str(path) for path in others if not path.is_relative_to(SUPPORT)) == sorted(PLACED)
    assert [str(path) for path in tests if path.is_relative_to(SUPPORT) and path.name.startswith("test_")] == []


def test_every_module_in_tests_support_is_used_by_a_test(tests: list[Path]) -> None:
    asked = {name for module in tests for name in imported(module)}
    texts = {path: path.read_text() for path in [*tests, Path("Makefile")]}

    def is_asked_for(path: Path) -> bool:
        name = ".".join(path.with_suffix("").parts)
        named = any(name in text or f'"{path.name}"' in text for other, text in texts.items() if other != path)
        return named or name in asked or path.match("tests/support/games/*/laws.py")

    assert [str(path) for path in tests if path.is_relative_to(SUPPORT) and not is_asked_for(path)] == [], "delete it"


def test_only_the_tests_of_a_game_import_the_code_of_that_game(tests: list[Path]) -> None:
    for name in set(list_games()) - {EXAMPLE}:
        own = [folder / "games" / name for folder in (SUPPORT, Path("tests/ftk_core"))]
        others = [path for path in tests if path.parent not in own]
        wanted = (f"ftk_core.games.{name}.", f"tests.support.games.{name}.")
        assert [str(path) for path in others if any(one.startswith(wanted) for one in imported(path))] == []


def test_the_tests_tree_mirrors_the_source_tree(tests: list[Path]) -> None:
    folders = {path.parent.relative_to("tests") for path in tests} - {Path()}
    assert {folder.parts[0] for folder in folders} >= KINDS
    mirrored = [folder for folder in folders if folder.parts[0] not in KINDS]
    assert [str(folder) for folder in mirrored if not folder.is_dir()] == [], "the source has no such folder"


def test_each_test_folder_without_a_matching_source_folder_is_explained_in_the_contributing_guide() -> None:
    said = Path("CONTRIBUTING.md").read_text()
    assert [kind for kind in sorted(KINDS) if f"- `tests/{kind}/`" not in said] == []


def list_make_commands(goal: str) -> str:
    """Return the commands that make would run for a target."""
    return subprocess.run(["make", "-n", goal], capture_output=True, text=True, check=True).stdout


def test_every_test_left_out_of_make_test_is_run_by_another_make_target() -> None:
    left_out = set(re.findall(r"--ignore=(\S+)", list_make_commands("test")))
    assert "tests/bench" in left_out
    longer = list_make_commands("bench") + list_make_commands("chaos-steps")
    assert [path for path in left_out if not Path(path).exists() or path not in longer] == []


def test_make_slow_runs_every_test_that_make_test_skips_and_each_ci_job_runs_a_third_of_those_not_nightly() -> None:
    quick, slow = (re.search(r"-m pytest (.*)", list_make_commands(goal)) for goal in ("test", "slow"))
    as_another_user = re.search(r"tests.support.unprivileged (.*)", list_make_commands("test"))
    assert quick
    assert slow
    assert as_another_user
    sandbox = [word for word in as_another_user[1].split() if word.startswith("tests/")]
    words = [word for word in quick[1].split() if word.removeprefix("--ignore=") not in sandbox]
    assert " ".join(words).replace('"not slow and not nightly"', '"slow or nightly"') == slow[1].strip()
    commands = [line for line in Path(".ci/run").read_text().splitlines() if "make " in line and line[0] not in "# "]
    third = 'FTK_TEST_THIRD=$((0x$(echo "$hash" | cut -c 1-7) % 3))'
    assert commands[1:3] == ["make test", f'{third} make slow SLOW="slow and not nightly"']


def test_all_parametrized_tests_of_a_file_run_in_the_same_third_of_the_ci_tests(tests: list[Path]) -> None:
    thirds = [[third for third in "012" if is_in_third(f"{path}::test_a[pig]", third)] for path in tests]
    assert {len(third) for third in thirds} == {1}
    assert all(0.25 < thirds.count([third]) / len(thirds) < 0.42 for third in "012")
    assert all(is_in_third(f"{path}::test_a[chess]", third[0]) for path, third in zip(tests, thirds, strict=True))
    with pytest.raises(pytest.UsageError, match=r"FTK_TEST_THIRD must be 0, 1 or 2 \(got '3'\)"):
        is_in_third("tests/a.py::test_a", "3")


def test_make_chaos_or_make_long_runs_the_long_variant_of_every_test_module_that_has_one(tests: list[Path]) -> None:
    steps = list_make_commands("chaos-steps") + list_make_commands("long-steps")
    lines = [line for line in steps.splitlines() if "FTK_TEST_LONG=1" in line]
    have = [path for path in tests if "tests.support.lengths.short_or_long" in imported(path)]
    assert have
    assert [str(path) for path in have if not any(str(path) in line.split() for line in lines)] == []


def test_no_test_calls_sleep(tests: list[Path]) -> None:
    found = [
        f"{module}:{line}" for module in tests if module != WAITING for line, name in calls(module) if name in SLEEPS
    ]
    assert found == [], "wait for something: tests.support.waiting"


def test_every_suppressed_lint_has_a_code_and_a_reason() -> None:
    ours = [path for path in list_files("*.py") if path.exists() and path != UNCOMPILED]
    assert any(path.parts[:3] == HOSTILE for path in ours)
    rows = [(path, *row) for path in ours for row in waivers(path)]
    assert len(rows) > 20
    assert [f"{path}:{line}: {text}" for path, line, text, above in rows if not is_reasoned(text, above)] == []


@pytest.mark.parametrize(
    ("text", "above", "fine"),
    [
        ("# type: ignore[misc]  # knox ships no types", "", True),
        ("# noqa: S108 - its own", "", True),
        ("# type: ignore[misc]", "# knox ships no types", True),
        ("# type: ignore[misc]", "", False),
        ("# type: ignore  # knox ships no types", "", False),
        ("# noqa", "# because we want it so", False),
        ("# noqa: F401", "", False),
    ],
)
def test_the_reason_for_suppressing_a_lint_must_be_a_phrase(text: str, above: str, fine: bool) -> None:
    assert is_reasoned(text, above) == fine


@pytest.mark.nightly
def test_tests_that_send_signals_pass_even_if_pytest_was_started_with_these_signals_ignored() -> None:
    ignoring = ["env", "--ignore-signal=INT", "--ignore-signal=HUP", sys.executable, "-m", "pytest", "-q"]
    chosen = ["tests/ftk_core/kit/test_endings.py", "-k", "words0-1 and (2 or 1)"]
    done = subprocess.run([*ignoring, *chosen], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
