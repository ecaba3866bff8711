"""Files of this repository, for tests that read them."""

from __future__ import annotations

import ast
import gc
import subprocess
from functools import cache
from pathlib import Path

FOLDERS = (
    *("bots", "deploy", "foundation", "frontend", "ftk_core", "notices", "people", "replays", "tests", "tools"),
    "tournaments",
)
HOSTILE = ("tests", "hostile", "bots")
"""Hostile bots, which need not follow the style or even be Python."""


def list_files(*patterns: str) -> list[Path]:
    """Return the files in these folders that git tracks or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [Path(line) for line in said.splitlines()]


def list_python_modules() -> list[Path]:
    """Return the paths of our modules."""
    paths = list_files("*.py")
    return sorted(
        p
        for p in paths
        if p.exists() and p.parts[0] in FOLDERS and "migrations" not in p.parts and p.parts[:3] != HOSTILE
    )


@cache
def parse_module(module: Path) -> ast.Module:
    """Return the syntax tree of a module, parsed once for all tests of a process.

    The garbage collector pauses meanwhile: a tree has only new objects, and looking through them takes twice as long
    as parsing.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(module.read_text())
    finally:
        if was_enabled:
            gc.enable()


@cache
def list_nodes(module: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a module's syntax tree, in the order of `ast.walk`."""
    return tuple(ast.walk(parse_module(module)))
