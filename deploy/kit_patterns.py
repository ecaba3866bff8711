"""Messages of the kit, extracted from its code as patterns with fields, for translation.

The kit's code holds English messages; `ftk_core.kit.tongue` translates them by these patterns when they are shown.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

HEADS = {"Table", "add_column", "Column", "_grid", "Finding"}
"""Calls that show even a single word."""
TELLERS = {
    "trial.py",
    "pace.py",
    "check.py",
    "holding.py",
    "elf.py",
    "verify_league.py",
    "verify_stream.py",
    "protocol.py",
    "keys.py",
    "pipe.py",
}
"""Modules that return messages for others to show: all of their texts are gathered."""
SHOWN = HEADS | {"fail", "print", "status", "add_row", "tell", "before", "_show"}
"""Calls that show their arguments; messages of exceptions are shown by the code that catches them."""
FIELD = re.compile(r"\{\w+\}")
LEAST = 4
"""Minimum number of letters: a shorter pattern would match foreign texts; mark such a text with `_`."""
QUIET = {"style", "justify", "overflow", "end", "sep", "title_justify", "state", "code"}
"""Arguments that are not messages."""


def letters(pattern: str) -> int:
    """Return how many letters a pattern has beside its fields.

    >>> letters("{path}: no seat {seat}")
    6
    """
    return sum(map(str.isalpha, FIELD.sub("", pattern)))


def pattern_of(text: ast.JoinedStr) -> str:
    """Return an f-string as a pattern: each field by the last name in it, numbered where it stands there again.

    >>> pattern_of(ast.parse("f'{a.path}: {b!r} of {c.path}'").body[0].value)
    '{path}: {b} of {path2}'
    """
    said, seen = "", dict[str, int]()
    for part in text.values:
        if isinstance(part, ast.Constant):
            said += str(part.value)
        elif isinstance(part, ast.FormattedValue):
            names = re.findall(r"[A-Za-z]\w*", re.sub(r"'[^']*'|\[[^]]*\]", "", ast.unparse(part.value)))
            name = names[-1].lower() if names else "it"
            seen[name] = seen.get(name, 0) + 1
            said += f"{{{name}{seen[name] if seen[name] > 1 else ''}}}"
    return said


def patterns(files: list[Path]) -> Iterator[tuple[str, str]]:
    """Yield (file name, text) for each text that a file shows or raises."""
    trees = {file: ast.parse(file.read_text("utf-8")) for file in files}
    constants = [row for tree in trees.values() for row in _named(tree.body)]
    for file, tree in trees.items():
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        tells = file.name in TELLERS
        for scope, shown in [(tree, _all_in(tree))] if tells else [(one, _shown_in(one)) for one in functions]:
            known = [*_named(ast.walk(scope)), *constants]
            for text, least in shown:
                yield from ((file.name, said.strip()) for said in _texts(text, known, least) if said.strip())


def _named(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """Yield (name, value) of assignments and of loops over literals."""
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _pairs(target, node.value)
        elif isinstance(node, ast.AugAssign | ast.AnnAssign) and node.value:
            yield from _pairs(node.target, node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            yield from _pairs(node.target, node.iter)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, given in zip(target.elts, value.elts, strict=False):
            yield from _pairs(one, given)


def _shown_in(scope: ast.AST) -> Iterator[tuple[ast.expr, int]]:
    """Yield the shown expressions, with the minimum number of words that makes a text."""
    for node in ast.walk(scope):
        call = node.exc if isinstance(node, ast.Raise) else node
        if isinstance(call, ast.Call):
            called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if isinstance(node, ast.Raise) or called in SHOWN:
                least = 1 if called in HEADS else 2
                yield from ((given, least) for given in call.args)
                yield from ((given.value, least) for given in call.keywords if given.arg not in QUIET)


def _all_in(module: ast.Module) -> Iterator[tuple[ast.expr, int]]:
    """Yield every text of a module except docstrings and arguments of `_`."""
    nodes = list(ast.walk(module))
    within = {part for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    within |= {node.value for node in nodes if isinstance(node, ast.Expr)}
    within |= {
        text for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "_" for text in node.args
    }
    yield from ((node, 2) for node in nodes if isinstance(node, ast.Constant | ast.JoinedStr) and node not in within)


def _texts(node: ast.AST, known: list[tuple[str, ast.expr]], least: int) -> Iterator[str]:
    """Yield the texts that an expression may evaluate to or contain."""
    if isinstance(node, ast.Name):
        for value in [value for name, value in known if name == node.id]:
            yield from _texts(value, [row for row in known if row[0] != node.id], least)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str) and len(node.value.split()) >= least and letters(node.value):
            yield node.value
    elif isinstance(node, ast.JoinedStr) and letters(said := pattern_of(node)) >= LEAST:
        yield said
    for one, fewest in _within(node, least):
        yield from _texts(one, known, fewest)


def _within(node: ast.AST, least: int) -> Iterator[tuple[ast.AST, int]]:
    """Yield the subexpressions that may be texts, with the minimum number of words that makes a text."""
    if isinstance(node, ast.JoinedStr):
        yield from ((field.value, 2) for field in node.values if isinstance(field, ast.FormattedValue))
    elif isinstance(node, ast.IfExp):
        yield from ((node.body, least), (node.orelse, least))
    elif not (isinstance(node, ast.Call) and ast.unparse(node.func) == "_"):
        deeper = 2 if isinstance(node, ast.Call | ast.Subscript) else least
        yield from ((one, deeper) for one in ast.iter_child_nodes(node))
