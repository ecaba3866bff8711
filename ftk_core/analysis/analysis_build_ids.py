"""Build ids of match analyses (reviews and what-if results), which identify the code that computes an analysis."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

import ftk_core
from ftk_core.games import build_of, game_folder, list_built_in_games
from ftk_core.native.shared_rules_library import digest_sources


@cache
def analysis_build_of(game: str) -> str:
    """Return the build id of a game's match analyses, such as ``1.0.0+0123456789abcdef``."""
    # The numbers depend on more code than a match does: weights in subpackages of the game, the analysis, and the
    # rules in C++. Matches keep the narrower `build_of`, because only the same build resumes a match. A digest of all
    # code (`ftk_core.kit.build_id`) would restart reviews after a change of another game or of a command.
    match_build = build_of(game)
    digest = sha256(f"{match_build}\0{digest_sources()}\0".encode())
    for name, path in sorted(_list_modules(game)):
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{match_build.rpartition('+')[0]}+{digest.hexdigest()[:16]}"


def _list_modules(game: str) -> Iterator[tuple[str, Path]]:
    """Yield (name, path on disk) for each Python module that reviews of a game use.

    The name is the path relative to `ftk_core`. For a module of the game, the name is ``games/`` and the path relative
    to the game's package.
    """
    core = Path(ftk_core.__file__).parent
    for pattern in ("*.py", "analysis/*.py", "native/*.py"):
        for path in core.glob(pattern):
            yield path.relative_to(core).as_posix(), path
    if game in list_built_in_games():  # the build id of a plug-in's game covers all its files
        for path in game_folder(game).rglob("*.py"):
            yield f"games/{path.relative_to(game_folder(game)).as_posix()}", path
