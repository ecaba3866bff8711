"""Where a test lies and what it may do: it stands alone, waits instead of sleeping, and what is no test is support."""

from __future__ import annotations

import ast
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from ftk_core.games import shelf
from tests.support.sources import HOSTILE, files, listed

SUPPORT = Path("tests/support")
WAITING = SUPPORT / "waiting.py"
KINDS = {"bench", "browser", "golden", "hostile", "laws", "support"}
"""Folders of tests that no folder of the source stands for; CONTRIBUTING says of each what it is."""
PLACED = {
    "tests/golden/write.py": "lies beside what it writes, a folder that changes for nothing else",
    "tests/hostile/hogs/hog.py": "a bot too",
}
"""What is neither a test nor support."""
EXAMPLE = "pig"
"""The smallest game, which everybody may play as an example."""
SLEEPS = {"sleep", "wait_for_timeout"}
"""Calls that wait for a time and not for something."""
UNCOMPILED = Path("tests/hostile/bots/dialogue/does_not_compile.py")
WAIVER = re.compile(r"#\s*(?:noqa|type: ignore|pyright: ignore)\b")
CODED = re.compile(r"#\s*(?:noqa: [A-Z]+\d+(?:, [A-Z]+\d+)*|(?:type|pyright): ignore\[[\w, -]+\])")
WORDS = re.compile(r"[a-zA-Z]{2,}\W+\w+")


@pytest.fixture(scope="module")
def tests() -> list[Path]:
    """Our modules below `tests`, without what attacks the cage."""
    return [path for path in listed() if path.parts[0] == "tests"]


def imported(module: Path) -> Iterator[str]:
    """Yield the dotted names that a module imports, wherever it does so, also in a program that it holds as a text."""
    for node in ast.walk(ast.parse(module.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(source), names=names):
                yield from (f"{source}.{name.name}" for name in names)
            case ast.Constant(value=str(text)):
                yield from re.findall(r"^\s*(?:from|import) (tests\.[\w.]+)", text, re.MULTILINE)


def calls(module: Path) -> Iterator[tuple[int, str]]:
    """Yield line and last name of every call in a module."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.lineno, node.func.id if isinstance(node.func, ast.Name) else node.func.attr


def waivers(module: Path) -> Iterator[tuple[int, str, str]]:
    """Yield line, comment and the comment above it for everything in a module that a checker is told to pass over."""
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
    """Tell whether a waiver names a code, and its reason in words there or in the comment above."""
    return bool(CODED.search(text)) and any(WORDS.search(CODED.sub("", words)) for words in (text, above))


def test_no_test_imports_from_another(tests: list[Path]) -> None:
    found = [(str(module), name) for module in tests for name in imported(module) if name.startswith("tests.")]
    assert found, "support is imported"
    assert [row for row in found if any(part.startswith("test_") for part in row[1].split("."))] == []


def test_what_is_no_test_is_support(tests: list[Path]) -> None:
    others = [path for path in tests if not path.name.startswith("test_") and path.name != "conftest.py"]
    assert sorted(str(path) for path in others if not path.is_relative_to(SUPPORT)) == sorted(PLACED)
    assert [str(path) for path in tests if path.is_relative_to(SUPPORT) and path.name.startswith("test_")] == []


def test_all_support_is_asked_for(tests: list[Path]) -> None:
    asked = {name for module in tests for name in imported(module)}
    texts = {path: path.read_text() for path in [*tests, Path("Makefile")]}

    def is_asked_for(path: Path) -> bool:
        name = ".".join(path.with_suffix("").parts)
        named = any(name in text or f'"{path.name}"' in text for other, text in texts.items() if other != path)
        return named or name in asked or path.match("tests/support/games/*/laws.py")

    assert [str(path) for path in tests if path.is_relative_to(SUPPORT) and not is_asked_for(path)] == [], "delete it"


def test_only_the_tests_of_a_game_import_from_it(tests: list[Path]) -> None:
    for name in set(shelf()) - {EXAMPLE}:
        own = [folder / "games" / name for folder in (SUPPORT, Path("tests/ftk_core"))]
        others = [path for path in tests if path.parent not in own]
        wanted = (f"ftk_core.games.{name}.", f"tests.support.games.{name}.")
        assert [str(path) for path in others if any(one.startswith(wanted) for one in imported(path))] == []


def test_the_tree_of_tests_is_that_of_the_source(tests: list[Path]) -> None:
    folders = {path.parent.relative_to("tests") for path in tests} - {Path()}
    assert {folder.parts[0] for folder in folders} >= KINDS
    mirrored = [folder for folder in folders if folder.parts[0] not in KINDS]
    assert [str(folder) for folder in mirrored if not folder.is_dir()] == [], "the source has no such folder"


def test_each_kind_of_tests_that_cuts_across_is_explained() -> None:
    said = Path("CONTRIBUTING.md").read_text()
    assert [kind for kind in sorted(KINDS) if f"- `tests/{kind}/`" not in said] == []


def told_by_make(goal: str) -> str:
    """Return the lines that make would run."""
    return subprocess.run(["make", "-n", goal], capture_output=True, text=True, check=True).stdout


def test_what_make_test_leaves_out_another_goal_runs() -> None:
    left_out = set(re.findall(r"--ignore=(\S+)", told_by_make("test")))
    assert "tests/bench" in left_out
    longer = told_by_make("bench") + told_by_make("chaos-steps")
    assert [path for path in left_out if not Path(path).exists() or path not in longer] == []


def test_what_is_slow_for_make_test_is_run_by_make_slow_and_ci_runs_both() -> None:
    quick, slow = (re.search(r"-m pytest (.*)", told_by_make(goal)) for goal in ("test", "slow"))
    assert quick
    assert slow
    assert quick[1].replace('-m "not slow"', "-m slow") == slow[1]
    assert [line for line in Path(".ci/run").read_text().splitlines() if line.startswith("make ")][:2] == [
        "make test",
        "make slow",
    ]


def test_every_longer_form_is_one_of_make_chaos(tests: list[Path]) -> None:
    lines = [line for line in told_by_make("chaos-steps").splitlines() if "FTK_TEST_LONG=1" in line]
    have = [path for path in tests if any(name.startswith("tests.support.lengths") for name in imported(path))]
    assert have
    assert [str(path) for path in have if not any(str(path) in line.split() for line in lines)] == []


def test_no_test_sleeps(tests: list[Path]) -> None:
    found = [
        f"{module}:{line}" for module in tests if module != WAITING for line, name in calls(module) if name in SLEEPS
    ]
    assert found == [], "wait for something: tests.support.waiting"


def test_what_a_checker_passes_over_has_a_code_and_a_reason() -> None:
    ours = [path for path in files("*.py") if path.exists() and path != UNCOMPILED]
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
def test_a_reason_is_words(text: str, above: str, fine: bool) -> None:
    assert is_reasoned(text, above) == fine
