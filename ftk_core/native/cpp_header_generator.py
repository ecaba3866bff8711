"""Generator of C++ headers with the constants of each game's Python rules.

Run it with ``python -m ftk_core.native.cpp_header_generator``.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ftk_core.games import list_built_in_games
from ftk_core.native.shared_rules_library import SOURCES


def make_headers() -> dict[Path, str]:
    """Return the text of each C++ header, by its path."""
    modules = {name: f"ftk_core.games.{name}.cpp_header" for name in list_built_in_games()}
    return {
        SOURCES / "games" / name / "box.hpp": import_module(module).make_header()
        for name, module in modules.items()
        if find_spec(module)
    }


def main() -> None:
    """Write the generated headers to their files."""
    for path, text in make_headers().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
