"""Messages of `ftk`: all go through gettext; details of faults are stored and stay in English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SHOWING = {"fail", "print", "status", "tell", "before", "flaw", "note", "_say", "update", "add_task"}
"""Functions of the kit that show their arguments to people."""


def untranslated_in(source: str) -> Iterator[str]:
    """Yield the sentences that are shown or raised without gettext."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Raise | ast.Call)]
    for node in sorted(nodes, key=lambda node: node.lineno):
        call = node.exc if isinstance(node, ast.Raise) else node
        if isinstance(call, ast.Call) and (
            isinstance(node, ast.Raise) or ast.unparse(call.func).rpartition(".")[2] in SHOWING
        ):
            for argument in call.args:
                parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
                text = "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
                if " " in text and len(re.findall(r"[a-z]{2,}", text)) > 2:
                    yield f"{call.lineno}: {text}"


ENGLISH_PARTS = {"new", "mcp_agents", "laws", "process_player.py", "engine.py", "sandbox_emulation_bootstrap.py"}
"""Folders and modules whose texts stay English: templates, agent tools, laws, and terms of Python."""


def test_every_message_that_the_ftk_command_prints_goes_through_gettext() -> None:
    files = [file for file in sorted(Path("ftk_core/kit").rglob("*.py")) if not ENGLISH_PARTS & set(file.parts)]
    assert [f"{file.name}:{line}" for file in files for line in untranslated_in(file.read_text("utf-8"))] == []


def test_no_gettext_call_is_inside_an_f_string_where_message_extraction_misses_it() -> None:
    hidden = [
        f"{file}:{call.lineno}"
        for file in sorted(Path("ftk_core").rglob("*.py"))
        for text in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and ast.unparse(call.func) in {"_", "gettext", "N_"}
        if any(isinstance(argument, ast.Constant) for argument in call.args)
    ]
    assert hidden == []


def test_no_text_tells_readers_to_install_ftk_arena_from_a_package_index_by_name() -> None:
    documents = [*Path().glob("*.md"), *Path("docs").rglob("*.md"), *Path("deploy").rglob("*.md")]
    sources = [*Path("ftk_core").rglob("*.py"), *Path("ftk_core/kit/new").rglob("*.txt")]
    wrong = re.compile(r"install +[\"']?ftk-arena(?!\[\w+\] @ )")
    files = [*documents, *sources, *Path("frontend/templates").rglob("*.html")]
    assert len(files) > 300
    assert [str(file) for file in files if wrong.search(file.read_text("utf-8"))] == []
    assert wrong.search("pip install 'ftk-arena[remote]'")


def test_the_gettext_check_detects_a_message_that_does_not_go_through_gettext() -> None:
    given = """
out.print(f"{count} flaws were found in it")
raise ValueError("this file cannot be read")
fail(_("{name} is lost").format(name=name))
out.print("ok")
"""
    assert [line.split(":")[0] for line in untranslated_in(given)] == ["2", "3"]
