"""Random samples of docstrings and names, to check that they are clear.

``python -m tools.readability_sample SEED`` prints 60 docstrings, 60 names, 40 test names and all titles of decisions.
A reader should understand 57 docstrings, 57 names, 36 test names and 95 % of the titles at the first reading.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

SOURCES = (
    "bots",
    "deploy",
    "foundation",
    "frontend",
    "ftk_core",
    "notices",
    "people",
    "replays",
    "tools",
    "tournaments",
)
LEFT_OUT = {"migrations", "new", "node_modules", "static"}
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def modules(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    """Yield (path, syntax tree) of each Python module below the `folders`."""
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.py")):
            if not LEFT_OUT & set(path.parts) and "hostile/bots" not in str(path):
                yield path, ast.parse(path.read_text())


def docstrings() -> list[str]:
    """Return all docstrings of the source code, each with its file and name."""
    found = []
    for path, tree in modules(*SOURCES):
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | Definition) and (text := ast.get_docstring(node)):
                name = "module" if isinstance(node, ast.Module) else node.name
                found.append(f"{path}: {name}\n    " + text.replace("\n", "\n    "))
    return found


def names() -> list[str]:
    """Return the paths of all modules and the names of all public classes of the source code."""
    found = []
    for path, tree in modules(*SOURCES):
        found += [str(path)] if path.stem != "__init__" else []
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
        found += [f"{path}: class {node.name}" for node in classes]
    return found


def test_names() -> list[str]:
    """Return the names of all test functions, each with the path of its file."""
    return [
        f"{path}: {node.name}"
        for path, tree in modules("tests")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]


def titles() -> list[str]:
    """Return the titles of all decision records in docs/decisions."""
    return [path.read_text().splitlines()[0] for path in sorted(Path("docs/decisions").glob("0*.md"))]


def main() -> None:
    """Print the samples drawn with the seed in the command line argument."""
    random = Random(sys.argv[1])
    for title, items, count in (
        ("Docstrings", docstrings(), 60),
        ("Names of modules and classes", names(), 60),
        ("Names of tests", test_names(), 40),
    ):
        print(f"## {title}: {count} of {len(items)}\n")
        for number, item in enumerate(random.sample(items, count), 1):
            print(f"{number}. {item}")
        print()
    print("## Titles of decisions\n\n" + "\n".join(titles()))


if __name__ == "__main__":
    main()
