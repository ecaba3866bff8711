"""Code rules that no linter checks: the size of modules, folders and functions, and unused functions."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ftk_core.games import list_games
from tests.support.sources import list_files, list_nodes, list_python_modules, parse_module

Function = ast.FunctionDef | ast.AsyncFunctionDef
NAMES_TO_AVOID = {"utils", "helpers", "manager", "data", "info", "misc", "common"}
MODULE_LINES, FUNCTION_LINES, FOLDER_MODULES = 250, 40, 20
BY_POSITION = 4
"""Maximum fields of a record created by position. More need keywords, as no checker finds two swapped integers."""
POSITIONAL = {"tools.bench.workload_speed_comparison.BenchmarkResult": "each is one line of a printed table"}
"""Larger records that are created by position all the same, as ``module.Class``, each with its reason."""


def length(module: Path) -> int:
    return len(module.read_text().splitlines())


@cache
def functions(module: Path) -> list[Function]:
    return [node for node in list_nodes(module) if isinstance(node, Function)]


def lines(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def fields(record: ast.ClassDef) -> int:
    """Return the number of fields that a class defines itself."""
    annotated = [node for node in record.body if isinstance(node, ast.AnnAssign)]
    return sum("ClassVar" not in ast.unparse(node.annotation) for node in annotated)


def record_options(record: ast.ClassDef) -> list[ast.keyword] | None:
    """Return the keywords of the declaration of a struct or dataclass; None for any other class."""
    for decorator in record.decorator_list:
        if ast.unparse(decorator).split("(")[0].endswith("dataclass"):
            return decorator.keywords if isinstance(decorator, ast.Call) else []
    return (
        record.keywords
        if any(keyword.arg == "frozen" for keyword in record.keywords)
        or any(ast.unparse(base).endswith("Struct") for base in record.bases)
        else None
    )


def made_by_position(module: Path) -> list[str]:
    """Return the larger records of a module that may be created by position, as ``module.Class``."""
    name = ".".join(module.with_suffix("").parts)
    classes = [node for node in list_nodes(module) if isinstance(node, ast.ClassDef)]
    return [
        f"{name}.{record.name}"
        for record in classes
        if fields(record) > BY_POSITION
        and (options := record_options(record)) is not None
        and not any(option.arg == "kw_only" and ast.unparse(option.value) == "True" for option in options)
    ]


def is_put_by_hand(node: ast.AST) -> bool:
    """Return True if an expression copies a tuple with one value changed: ``(*x[:i], value, *x[i + 1:])``."""
    if not (isinstance(node, ast.Tuple) and len(node.elts) == 3):
        return False
    ends = [end.value for end in (node.elts[0], node.elts[2]) if isinstance(end, ast.Starred)]
    halves = [end for end in ends if isinstance(end, ast.Subscript) and isinstance(end.slice, ast.Slice)]
    return len(halves) == 2 and ast.unparse(halves[0].value) == ast.unparse(halves[1].value)


@pytest.fixture(scope="module")
def modules() -> list[Path]:
    return list_python_modules()


def test_no_python_module_exceeds_its_line_limit(modules: list[Path]) -> None:
    assert [f"{m}: {length(m)} lines" for m in modules if length(m) > MODULE_LINES] == []


def test_no_folder_of_the_source_has_more_than_20_modules(modules: list[Path]) -> None:
    folders = Counter(module.parent for module in modules if module.parts[0] != "tests" and module.stem != "__init__")
    assert {str(folder): count for folder, count in folders.items() if count > FOLDER_MODULES} == {}


def test_no_function_exceeds_its_line_limit(modules: list[Path]) -> None:
    assert [f"{m}:{f.lineno} {f.name}" for m in modules for f in functions(m) if lines(f) > FUNCTION_LINES] == []


def test_half_of_the_functions_have_at_most_8_lines_and_nine_in_ten_at_most_20(modules: list[Path]) -> None:
    lengths = sorted(lines(f) for m in modules if m.parts[0] != "tests" for f in functions(m))
    assert lengths[len(lengths) // 2] <= 8
    assert lengths[len(lengths) * 9 // 10] <= 20


def test_no_frontend_module_exceeds_its_line_limit() -> None:
    ours = list_files("frontend/ui/src/*.ts", "frontend/ui/src/*.svelte", "frontend/ui/tests/*.ts")
    assert [f"{path}: {length(path)} lines" for path in ours if length(path) > MODULE_LINES] == []


def test_every_path_in_the_contributing_guide_exists() -> None:
    table = Path("CONTRIBUTING.md").read_text().split("## Where is it?")[1].split("\n## ")[0]
    places = re.findall(r"`([\w./<>-]+/[\w./<>-]*)`", table)
    assert len(re.findall(r"^\| [a-z]", table, re.MULTILINE)) >= 12
    for place in places:
        for game in list_games() if "<game>" in place else [""]:
            path = Path(place.replace("<game>", game))
            assert path.exists() or game == "pig", place


def test_classes_with_five_or_more_fields_are_constructed_with_keyword_arguments(modules: list[Path]) -> None:
    found = [name for module in modules if module.parts[0] != "tests" for name in made_by_position(module)]
    assert sorted(found) == sorted(POSITIONAL), "make it kw_only=True, or say why not in POSITIONAL"


def test_only_one_function_of_the_core_copies_a_tuple_with_one_item_replaced(modules: list[Path]) -> None:
    cores = [module for module in modules if module.parts[0] == "ftk_core"]
    found = [module for module in cores for node in list_nodes(module) if is_put_by_hand(node)]
    assert found == [Path("ftk_core/game.py")], "use ftk_core.game.replace_at"


def test_no_module_has_a_meaningless_name_such_as_utils(modules: list[Path]) -> None:
    assert [str(m) for m in modules if m.stem in NAMES_TO_AVOID] == []


def is_of_a_game(path: Path) -> bool:
    """Return True if a file is in a game's folder, in Python or in the browser."""
    return path.parts[:2] == ("ftk_core", "games") or path.parts[:4] == ("frontend", "ui", "src", "games")


def test_only_the_folders_of_a_game_and_the_demo_leagues_mention_that_game() -> None:
    bill, games = Path("tournaments/demo_leagues.py"), "|".join(list_games())
    quoted = re.compile(rf"""["'/]({games})["'/]""")
    named = re.compile(rf"\b({games}|{'|'.join(game.title for game in list_games().values())})\b")
    sources = list_files("*.py", "*.ts", "*.mjs", "*.svelte", "*.css", "*.html")
    ours = [p for p in sources if not {"tests", "tools"} & {*p.parts} and not is_of_a_game(p) and p.exists()]
    assert bill in ours
    assert Path("frontend/ui/src/styles/tokens.css") in ours
    wanted = {p: named if p.parts[0] == "frontend" else quoted for p in ours if p != bill}
    assert [str(p) for p, names in wanted.items() if names.search(p.read_text())] == []


@pytest.mark.parametrize("name", sorted(list_games()))
def test_no_code_in_the_folders_of_a_game_mentions_another_game(name: str) -> None:
    inside = list_files(f"ftk_core/games/{name}/*.py", f"frontend/ui/src/games/{name}/*")
    others = re.compile(rf"""\b({"|".join(set(list_games()) - {name})})\b""")
    assert [str(p) for p in inside if p.exists() and others.search(p.read_text())] == []


def test_every_function_of_queries_py_and_services_py_is_used(modules: list[Path]) -> None:
    doors = [module for module in modules if module.name in ("queries.py", "services.py")]
    assert len(doors) >= 5
    texts = {module: module.read_text() for module in modules if module.parts[0] != "tests"}
    words = Counter(word for text in texts.values() for word in re.findall(r"\w+", text))
    offered = [(door, node.name) for door in doors for node in parse_module(door).body if isinstance(node, Function)]
    assert [f"{door}: {name}" for door, name in offered if words[name] == 1] == [], "nobody asks for it: delete it"


def lists_in(value: object) -> list[list[object]]:
    """Return every list in a TOML document."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return ([value] if isinstance(value, list) else []) + [found for one in inner for found in lists_in(one)]


def test_the_repository_contains_no_symbolic_links() -> None:
    """A link to packages installed on one machine is broken on others."""
    assert [path for path in list_files() if path.is_symlink()] == []


def test_no_list_in_pyproject_has_duplicates() -> None:
    lists = lists_in(tomllib.loads(Path("pyproject.toml").read_text()))
    assert [entry for row in lists for entry in row if not isinstance(entry, dict) and row.count(entry) > 1] == []


def test_dependency_lock_files_contain_a_hash_for_every_package_and_no_host_of_a_package_index() -> None:
    locks = sorted(Path("deploy/locks").glob("*.txt"))
    assert [lock.stem for lock in locks] == ["build", "dev", "server"]
    for lock in locks:
        text = lock.read_text()
        assert "://" not in text
        assert "--index" not in text
        packages = re.findall(r"^[\w.-]+.*==.*(?:\n .*)*", text, re.MULTILINE)
        assert len(packages) == len([line for line in text.splitlines() if not line.startswith((" ", "#"))])
        assert [package for package in packages if not re.search(r"--hash=sha256:[0-9a-f]{64}", package)] == []
    npm = Path("frontend/ui/package-lock.json")
    assert not npm.exists() or '"resolved"' not in npm.read_text()


@pytest.mark.parametrize("extra", ["server", "build", "dev"])
def test_the_lock_file_contains_every_dependency_of_the_project(extra: str) -> None:
    """A package that was only installed by hand would be missing on a fresh machine."""
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    wanted = [Requirement(line).name for line in (*project["dependencies"], *project["optional-dependencies"][extra])]
    lock = Path(f"deploy/locks/{extra}.txt").read_text()
    locked = {canonicalize_name(re.split(r"[\[=]", line)[0]) for line in lock.splitlines() if "==" in line}
    assert {canonicalize_name(name) for name in wanted} <= locked


def test_the_locked_server_dependencies_contain_no_build_tools() -> None:
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]["optional-dependencies"]
    tools = {Requirement(line).name for line in project["build"]}
    locked = Path("deploy/locks/server.txt").read_text()
    assert [name for name in sorted(tools) if f"\n{name}==" in locked] == []
    unwanted = re.search(r"pip uninstall .* --yes (.*)\n", Path("Makefile").read_text())
    assert unwanted
    assert set(unwanted[1].split()) == tools
