"""Files of plug-ins that draw a game's pieces in the match viewer: JavaScript modules and images."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from ftk_core.games import game_folder, list_built_in_games, list_games

PIECES_FOLDER, ENTRY_MODULE = "pieces", "pieces.js"
CONTENT_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""Content types of the files that are served, by suffix; other files in the folder are not served."""


@cache
def list_piece_files(game: str) -> dict[str, Path]:
    """Return the files that draw the pieces of a plug-in's game, by path within the game's folder ``pieces``.

    Return an empty dict for a built-in or unknown game.
    """
    if game not in list_games() or game in list_built_in_games():
        return {}
    folder = game_folder(game) / PIECES_FOLDER
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in CONTENT_TYPES)
    return {path.relative_to(folder).as_posix(): path for path in files}


@cache
def list_piece_modules() -> dict[str, str]:
    """Return a dict (game -> digest of the files that draw its pieces).

    It contains the games whose plug-in has a JavaScript module that draws the pieces.
    """
    # The digest is part of the URL, so that browsers do not show outdated drawings.
    files_by_game = {game: list_piece_files(game) for game in list_games()}
    return {game: _digest(files) for game, files in files_by_game.items() if ENTRY_MODULE in files}


def _digest(files: dict[str, Path]) -> str:
    digest = sha256()
    for name, path in files.items():
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
