"""The glossary: at most 90 domain words that are in use; no name or log event uses a word that it refuses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.sources import list_files, list_nodes, list_python_modules, parse_module

PAGE = Path("docs/glossary.md")
GLOSSARY = PAGE.read_text()
DOMAIN, AVOIDED = GLOSSARY.split("## Names we do not use")
TERMS = re.findall(r"^\| \*\*([^*]+)\*\* \| [^|]+ \|$", DOMAIN, re.MULTILINE)
REFUSED = {
    word.strip().split(" ")[0]: use
    for nots, use in re.findall(r"^\| ([\w, ]+) \| ([^|]+) \|$", AVOIDED, re.MULTILINE)
    for word in nots.split(",")
    if nots != "not"
}
MAX_TERMS = 90


def terms(text: str) -> set[str]:
    """Return the terms of a text that separates them by commas."""
    return {" ".join(term.split()) for term in text.split(",")}


STANDARD = terms(
    """
    account, api, archive, backend, backup, broker, cache, cursor, database, delivery, endpoint, erasure, event,
    forecast, heartbeat, index, invitation, language, locale, notification, organiser, outbox, payload, permission,
    preference, presence, process, projection, publisher, query, queue, quota, rate limit, registry, request,
    retention, retry, sandbox, scheduling, server, session, snapshot, staff, subscriber, supervisor, token, tombstone,
    trace, upload, user, web, webhook, worker
    """
)
"""Standard terms of the field, which need no explanation here."""
REPLACED = terms(
    """
    ring, bell, doorbell, poke, tongue, cage, tier, hall, porter, letter, attendance, happening, wish, errand,
    courier, door, shelf, house bot, room, turns, gone name, heir, outlook, paper, playbill, attraction, rhythm, vigil,
    scribe, deed, keeping, onlooker, waker
    """
)
"""Words of our own that standard terms have replaced."""
ORDINARY = {"door", "happening", "keeping", "letter", "paper", "rhythm", "ring", "room", "turns", "wish"}
"""Words that documents may use in their ordinary sense."""
PROSE = [
    page
    for page in list_files("*.md")
    if page.parts[0] != "ftk_core" and page.name != "scale.md" and page != PAGE and page.exists()
]
"""Documents written by hand, without the rules of games and the page of measurements."""
APPS = ("bots", "replays", "tournaments", "notices")
LOG_METHODS = {"debug", "info", "warning", "error", "exception", "critical"}
A_GAMES = ("ftk_core", "games")
"""Folder of the games, whose own words are in their RULES.md."""


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the syntax trees of our modules."""
    return {module: parse_module(module) for module in list_python_modules() if module.parts[0] != "tests"}


def words(name: str) -> set[str]:
    """Return the words of a name in camel case or with underscores, in lower case."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def names(module: Path) -> set[str]:
    """Return the identifiers of a module: classes, functions, parameters, variables, fields."""
    found = set[str]()
    for node in list_nodes(module):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
    return found


@cache
def corpus() -> str:
    """Return our code and documentation in lower case, with names split into words."""
    pages = (path for path in list_files("*.md", "*.ts", "*.svelte", "*.html") if path != PAGE and path.exists())
    text = "\n".join(path.read_text() for path in (*trees(), *pages))
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_\s]+", " ", text).lower()


def test_the_glossary_has_at_most_90_terms() -> None:
    rows = re.findall(r"^\| \*\*", DOMAIN, re.MULTILINE)
    assert len(rows) == len(TERMS)
    assert 0 < len(TERMS) <= MAX_TERMS


@pytest.mark.parametrize("term", TERMS)
def test_each_glossary_term_is_used_outside_the_glossary(term: str) -> None:
    assert re.search(rf"\b{re.escape(term)}s?\b", corpus())


def test_the_glossary_contains_neither_a_standard_term_nor_a_word_that_was_replaced() -> None:
    assert {term for term in TERMS if {term, term.removesuffix("s")} & (STANDARD | REPLACED)} == set()


def test_no_module_name_contains_a_word_that_the_glossary_replaced() -> None:
    named = [(module, part) for module in trees() for part in (*module.parts[:-1], module.stem)]
    assert [
        f"{module}: say {REFUSED[word]}"
        for module, part in named
        for word in words(part) & REFUSED.keys()
        if part != "tournaments"
    ] == []


def test_no_python_identifier_contains_a_word_that_the_glossary_says_to_avoid() -> None:
    refused = {
        f"{module}: {name}: say {REFUSED[word]}"
        for module in trees()
        if module.parts[:2] != A_GAMES
        for name in names(module)
        for word in words(name) & REFUSED.keys()
    }
    assert refused == set()


def test_no_frontend_identifier_contains_a_word_that_the_glossary_replaced() -> None:
    pattern = re.compile(r"\b(?:const|let|function|class|interface|type)\s+(\w+)|(\w+)\??:\s|{{?%?\s*([\w.]+)")
    refused = set()
    for path in list_files("frontend/ui/src/*.ts", "frontend/ui/src/*.svelte", "frontend/templates/*.html"):
        for found in pattern.finditer(path.read_text()):
            for word in words("_".join(group for group in found.groups() if group)) & REFUSED.keys():
                refused.add(f"{path}: {found[0]}: say {REFUSED[word]}")
    assert refused == set()


def log_events(module: Path) -> Iterator[str]:
    """Yield the names of the events that a module logs: the first arguments of ``log.warning(...)`` and the like."""
    for node in list_nodes(module):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="log" | "logger"), attr=method),
                args=[ast.Constant(value=str(event)), *_],
            ) if method in LOG_METHODS:
                yield event


def test_no_log_event_contains_a_word_that_the_glossary_replaced() -> None:
    events = [(module, event) for module in trees() for event in log_events(module)]
    assert len(events) > 40
    refused = re.compile(rf"\b({'|'.join(sorted(REPLACED | REFUSED.keys()))})s?\b")
    assert [f"{module}: {event}" for module, event in events if refused.search(event.replace("_", " "))] == []


@pytest.mark.parametrize("page", PROSE, ids=str)
def test_no_document_contains_a_word_that_the_glossary_replaced(page: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`]+`|\]\([^)]+\)", "", page.read_text(), flags=re.DOTALL).lower()
    assert [word for word in sorted(REPLACED - ORDINARY) if re.search(rf"\b{word}s?\b", prose)] == []


def test_no_glossary_term_is_explained_twice() -> None:
    assert sorted({term for term in TERMS if TERMS.count(term) > 1}) == []


def asked_of_an_app(module: Path) -> bool:
    """Return True if a module is a public interface of an app: queries, services or reports."""
    doors = module.stem.endswith(("queries", "services")) or module.parent.name == "reports"
    return module.parts[0] in APPS and doors


def test_public_functions_of_apps_begin_with_a_verb_unless_they_ask_whether_something_exists() -> None:
    verbs = """
        accept act add allow are audit begin challenge count create enter export find gather get is list
        open order owns pair probe put read rebuild record redraft release remove replace run search select send set
        settle sign start sweep take tend try verify
        can compute do has moderate must reinstate summarise
    """
    named = [
        (module, node.name)
        for module, tree in trees().items()
        if asked_of_an_app(module)
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]
    assert len(named) > 100
    allowed = re.compile(rf"({'|'.join(verbs.split())})(_|$)|\w+_exists$")
    assert [f"{module}: {name}" for module, name in named if not allowed.match(name)] == []
