"""Importable files, environment variables and interpreter options of a bot's sandbox."""
# The sandbox also contains Python's standard library, and the libraries in the folder that `BOT_WHEELS` names.

from __future__ import annotations

import os
import shutil
from pathlib import Path

import ftk_core
from ftk_core.kit.uploads.upload_packing import let_all_users_read
from ftk_core.native.shared_rules_library import ENGINE_FILE, library_path, load_library
from ftk_core.plugins.plugin_files import list_bot_files

IMPORTABLE_FILES = (
    "ftk_core/__init__.py",
    "ftk_core/kit/__init__.py",
    "ftk_core/kit/bot.py",
    "ftk_core/kit/engine.py",
    "ftk_core/native/__init__.py",
    "ftk_core/native/shared_rules_library.py",
    "ftk_core/native/native_match.py",
)
"""The only files of this project that a bot can import, besides those of plug-ins (`list_bot_files`)."""
ENVIRONMENT = {"LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""Environment variables of every bot; the hash seed is fixed, so that a match can be repeated."""
INTERPRETER_FLAGS = ("-s", "-P", "-S", "-B")
"""Options of Python for bots. Unlike `-I` they let Python read its environment variables, which `ENVIRONMENT` sets."""
WHEELS_VARIABLE = "BOT_WHEELS"
"""Environment variable with the path of the folder of libraries that Python bots may import."""
BOT_FOLDER, HELPER_FOLDER, WHEELS_FOLDER = "/bot", "/helper", "/wheels"
"""Paths inside the sandbox of the bot's files, the importable files of this project, and the libraries."""

LIBRARY_FOLDERS = {os.path.dirname(os.__file__): f"/py/lib/{os.path.basename(os.path.dirname(os.__file__))}"}
"""Dict with one item: folder of Python's standard library on this machine -> path of that folder in the sandbox."""


def list_importable_files() -> dict[str, Path]:
    """Return the files that bots can import, by path relative to a folder on ``sys.path``."""
    root = Path(ftk_core.__file__).parent.parent
    files = list_bot_files() | {name: root / name for name in IMPORTABLE_FILES}
    if load_library() is not None:
        files[ENGINE_FILE] = library_path()
    return files


def write_importable_files(folder: Path) -> None:
    """Copy the files that bots can import into a folder, and let all users read them."""
    for name, source in list_importable_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / name)
    let_all_users_read(folder)
