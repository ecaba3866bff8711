"""Identifier of the installed `ftk_core` code."""
# Tool and server compare it to find out if they run the same code.

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from ftk_core import __version__


@cache
def compute_build_id() -> str:
    """Return the version of `ftk_core` and a digest of its Python sources, joined by "+"."""
    folder, digest = Path(__file__).parents[1], sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:16]}"
