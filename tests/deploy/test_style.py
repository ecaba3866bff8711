"""The rules of style that a program can check: names of sizes and exceptions, and how docstrings begin."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.sources import list_nodes

ROOTS = ("bots", "deploy", "foundation", "frontend", "ftk_core", "notices", "people", "replays", "tournaments")
CLAUSE = re.compile(r"(What|Who|Whose|Whom|Whether)\b")
SIZE = re.compile(r"_?(MOST|LEAST|LONGEST|SHORTEST|KEPT|SURE|FEWEST|HIGHEST|LOWEST)$")
NOUN = re.compile(r"(Error|Exceeded|Missing|Refusal|Conflict|Fault|Timeout|Lost|NotFound|Unavailable)$")
OLD = {"sizes": 0, "exceptions": 1}
"""Number of names that predate the rule. A change that renames some of them lowers it."""


def modules() -> Iterator[tuple[Path, tuple[ast.AST, ...]]]:
    """Yield the modules of the source with the nodes of their syntax trees."""
    for root in ROOTS:
        for file in sorted(Path(root).rglob("*.py")):
            if "migrations" not in file.parts:
                yield file, list_nodes(file)


def docstrings(nodes: tuple[ast.AST, ...]) -> Iterator[str]:
    """Yield the docstrings of a module: also those of its constants and attributes."""
    for node in nodes:
        for statement in getattr(node, "body", []) if not isinstance(node, ast.Lambda | ast.IfExp) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                yield str(statement.value.value)


def test_no_docstring_begins_with_a_relative_clause() -> None:
    assert [
        f"{file}: {text[:60]}" for file, nodes in modules() for text in docstrings(nodes) if CLAUSE.match(text)
    ] == []


@pytest.mark.parametrize("kind", OLD)
def test_names_of_size_constants_have_a_unit_and_names_of_exceptions_are_nouns(kind: str) -> None:
    found = []
    for file, nodes in modules():
        for node in nodes:
            if kind == "sizes" and isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found += [
                    f"{file}: {name.id}" for name in targets if isinstance(name, ast.Name) and SIZE.match(name.id)
                ]
            if kind == "exceptions" and isinstance(node, ast.ClassDef):
                bases = {getattr(base, "id", getattr(base, "attr", "")) for base in node.bases}
                raised = any(re.search(r"(Error|Exception)$", base) for base in bases)
                found += [f"{file}: {node.name}"] if raised and not NOUN.search(node.name) else []
    assert len(found) == OLD[kind], "\n".join(found)


@pytest.mark.parametrize("page", sorted(Path("docs/decisions").glob("*.md")), ids=lambda page: page.name[:4])
def test_each_architecture_decision_record_begins_with_the_number_of_its_file_and_has_three_sections_in_order(
    page: Path,
) -> None:
    text = page.read_text()
    assert re.match(rf"# {page.name[:4]}\. [A-Z]", text)
    found = [text.find(f"**{part}.**") for part in ("Context", "Decision", "Consequences")]
    assert found == sorted(found)
    assert found[0] > 0
