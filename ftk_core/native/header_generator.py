"""Generator of C++ tables of each game's cards, dice and limits from Python, so that no number is written twice.

``python -m ftk_core.native.header_generator`` writes the header of each game that has a module ``native_tables``.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ftk_core.games import list_built_in_games
from ftk_core.native.library import SOURCES


def make_headers() -> dict[Path, str]:
    """Return the text of each generated header by its path."""
    modules = {name: f"ftk_core.games.{name}.native_tables" for name in list_built_in_games()}
    return {
        SOURCES / "games" / name / "box.hpp": import_module(module).make_header()
        for name, module in modules.items()
        if find_spec(module)
    }


def main() -> None:
    """Write the headers."""
    for path, text in make_headers().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
