"""Whoever is refused is told why by gettext: no bare sentence of the server reaches a page, a program or a form."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("bots", "foundation", "frontend", "notices", "people", "replays", "tournaments")
SPOKEN = {"gettext", "gettext_lazy", "gettext_noop", "ngettext", "pgettext", "_"}
TELLING = {"refused", "problem", "ValidationError", "add_error"}
"""Beside what is raised and `messages.*`, the calls whose sentences somebody reads."""
ENGLISH = {
    **dict.fromkeys(("ValueError", "LookupError", "OSError", "PermissionError"), "faults of callers"),
    **dict.fromkeys(("CageUnavailable", "BuildFailed", "UnknownMachine"), "kept by workers, for who runs the arena"),
    **dict.fromkeys(("LeaseLost", "GivenUp", "Conflict", "BrokenChain", "Stuck", "NoAnswer"), "written to logs"),
    "HostMemoryError": "written to logs",
    **dict.fromkeys(("CommandError", "Refusal", "ArgumentTypeError", "NotStarted"), "said at a shell"),
    **dict.fromkeys(("NotArchived", "TooFew"), "said at a shell, or logged"),
    **dict.fromkeys(("ImproperlyConfigured", "WrongKey"), "said where an arena does not start"),
    **dict.fromkeys(("Pending", "Unknown", "BadCode"), "of RFC 8628, whose error_description is ASCII"),
    "_refused": "a deed as the desk records it; why it was refused is a pattern of the catalogue",
    "Undelivered": "kept with a delivery, by a worker",
    "Draining": "said by a worker to its log",
    "BadCursor": "of a program that made a cursor up",
}
"""What is raised in English, by why."""


def bare_in(source: str) -> Iterator[int]:
    """Yield the lines on which a sentence is told that gettext did not see."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            if name_of(node.exc) not in ENGLISH:
                yield from sentences_in(node.exc)
        elif isinstance(node, ast.Call):
            by_messages = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "messages"
            if by_messages or name_of(node) in TELLING:
                yield from sentences_in(node)
            if name_of(node) in SPOKEN:
                yield from (text.lineno for text in node.args if isinstance(text, ast.JoinedStr))


def name_of(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def sentences_in(node: ast.AST) -> Iterator[int]:
    """Yield the lines of texts with words in them, but of none that a call is given, be it gettext or another."""
    for inner in ast.iter_child_nodes(node):
        if is_sentence(inner):
            yield inner.lineno  # type: ignore[attr-defined]  # a text stands on a line
        elif isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mod):
            yield from sentences_in(ast.Tuple([inner.left], ast.Load()))
        elif not isinstance(inner, ast.Call | ast.JoinedStr):
            yield from sentences_in(inner)


def is_sentence(node: ast.AST) -> bool:
    """Tell whether this is a text of ours: words and a blank, or letters around what is put in."""
    if isinstance(node, ast.JoinedStr):
        parts = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        return any(letter.isalpha() for letter in parts)
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip()


@pytest.mark.slow
def test_no_refusal_is_said_in_english_alone() -> None:
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    ours = [file for file in files if not {"migrations", "management"} & set(file.parts)]
    assert len(ours) > 200
    bare = [
        f"{file.relative_to(ROOT)}:{line}" for file in sorted(ours) for line in sorted(set(bare_in(file.read_text())))
    ]
    assert bare == [], "gettext(pattern) % words"


@pytest.mark.parametrize(
    "source",
    [
        'raise NotNow(f"{bot} plays {game}")',
        'raise NotNow("somebody has decided on it already")',
        'raise NewKind("code", f"no {bot}")',
        'raise ValidationError({"after": "no such cursor"})',
        'messages.error(request, "this was not kept")',
        'messages.success(request, f"{bot} was taken in.")',
        'refused(409, "over", "the match is over")',
        'form.add_error("url", f"{url} is no address")',
        'gettext(f"there is no bot {slug}")',
        'raise NotNow("%(bot)s is banned" % {"bot": bot})',
    ],
)
def test_a_new_one_is_found(source: str) -> None:
    assert set(bare_in(source)) == {1}


@pytest.mark.parametrize(
    "source",
    [
        'raise NotNow(gettext("%(bot)s plays %(game)s") % {"bot": f"a {bot}"})',
        "raise NotNow(str(error))",
        'raise ValueError(f"{self} is immutable")',
        'messages.error(request, f"{error}.")',
        'refused(409, "over", gettext("the match is over"))',
    ],
)
def test_what_gettext_saw_what_was_said_before_and_what_nobody_reads_may_be(source: str) -> None:
    assert list(bare_in(source)) == []
