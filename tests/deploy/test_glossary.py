"""One word for one idea: what others can name in the code is in the glossary, and what it refuses names nothing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from tests.support.sources import files, listed

GLOSSARY = Path("docs/glossary.md").read_text()
PEOPLES = {word.lower() for term in re.findall(r"\*\*([^*]+)\*\*", GLOSSARY) for word in re.split(r"[ -]", term)}
FIELDS = {
    word.lower()
    for line in re.search(r"## The field's own words\n\n.*?:(.*?)\.\n\n##", GLOSSARY, re.DOTALL).groups()  # type: ignore[union-attr]  # it is there
    for word in re.split(r"[\s,-]+", line)
}
REFUSED = {
    word.strip().split(" ")[0]: use
    for nots, use in re.findall(r"^\| ([\w, ]+) \| ([^|]+) \|$", GLOSSARY.split("## Not these")[1], re.MULTILINE)
    for word in nots.split(",")
    if nots != "not"
}
BY_FRAMEWORKS = ("Config", "Command", "Serializer", "ViewSet", "View", "Form", "Feed", "QuerySet")
"""How Django's and REST framework's own kinds of class end."""
APPS = ("bots", "replays", "tournaments", "notices")
A_GAMES = ("ftk_core", "games")
"""A game's own words are in its RULES.md."""


@cache
def trees() -> dict[Path, ast.Module]:
    """Return our modules, read."""
    return {module: ast.parse(module.read_text()) for module in listed() if module.parts[0] != "tests"}


def words(name: str) -> set[str]:
    """Return the words of a name in camel case or with underscores, in small letters."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def is_known(word: str) -> bool:
    return bool({word, word.removesuffix("s"), f"{word}s"} & (PEOPLES | FIELDS))


def exceptions() -> set[str]:
    """Return all classes that can be raised; these say in words of their own what went wrong."""
    bases = {
        node.name: [ast.unparse(base) for base in node.bases]
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found: set[str] = set()
    while grown := {
        name
        for name, above in bases.items()
        if name not in found and any(b in found or b.endswith(("Error", "Exception")) for b in above)
    }:
        found |= grown
    return found


def used_elsewhere() -> dict[str, Path]:
    """Return the classes that other modules than their own name."""
    made = {
        node.name: module for module, tree in trees().items() for node in tree.body if isinstance(node, ast.ClassDef)
    }
    users = defaultdict[str, set[Path]](set)
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    users[alias.name].add(module)
            elif isinstance(node, ast.Attribute):
                users[node.attr].add(module)
    return {name: module for name, module in made.items() if users[name] - {module} and module.parts[:2] != A_GAMES}


def names(tree: ast.AST) -> set[str]:
    """Return what a module names: classes, functions, parameters, variables, fields."""
    found = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
    return found


def test_a_class_that_others_use_is_called_by_words_of_the_glossary() -> None:
    errors = exceptions()
    strange = [
        f"{module}: {name}"
        for name, module in used_elsewhere().items()
        if name not in errors and not name.endswith(BY_FRAMEWORKS) and not any(map(is_known, words(name)))
    ]
    assert strange == []


def test_a_module_of_an_app_is_not_called_by_a_refused_word() -> None:
    named = [(module, part) for module in trees() for part in (*module.parts[:-1], module.stem)]
    assert [
        f"{module}: say {REFUSED[word]}"
        for module, part in named
        for word in words(part) & REFUSED.keys()
        if part != "tournaments"
    ] == []


def test_nothing_in_python_is_called_by_a_refused_word() -> None:
    refused = {
        f"{module}: {name}: say {REFUSED[word]}"
        for module, tree in trees().items()
        if module.parts[:2] != A_GAMES
        for name in names(tree)
        for word in words(name) & REFUSED.keys()
    }
    assert refused == set()


def test_nothing_in_the_browser_is_called_by_a_refused_word() -> None:
    pattern = re.compile(r"\b(?:const|let|function|class|interface|type)\s+(\w+)|(\w+)\??:\s|{{?%?\s*([\w.]+)")
    refused = set()
    for path in files("frontend/ui/src/*.ts", "frontend/ui/src/*.svelte", "frontend/templates/*.html"):
        for found in pattern.finditer(path.read_text()):
            for word in words("_".join(group for group in found.groups() if group)) & REFUSED.keys():
                refused.add(f"{path}: {found[0]}: say {REFUSED[word]}")
    assert refused == set()


def test_no_word_is_explained_twice() -> None:
    first = re.findall(r"^\| \*\*([^*]+)\*\*", GLOSSARY, re.MULTILINE)
    assert sorted({word for word in first if first.count(word) > 1}) == []


def asked_of_an_app(module: Path) -> bool:
    """Tell whether a module is where others ask or tell an app: its queries, its services, its reports."""
    doors = module.stem.endswith(("queries", "services")) or module.parent.name == "reports"
    return module.parts[0] in APPS and doors


def test_what_is_asked_of_an_app_is_called_by_a_verb() -> None:
    verbs = "add are audit count enter exists export find gather is list order owns read rebuild record replace search"
    verbs += " select settle sign start take try verify open pair act tend begin redraft release"
    named = [
        (module, node.name)
        for module, tree in trees().items()
        if asked_of_an_app(module)
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]
    assert [f"{module}: {name}" for module, name in named if not {*name.split("_")} & {*verbs.split()}] == []
