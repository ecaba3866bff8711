"""A bot in C on its author's own machine: compiled once, and kept for the next match."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

OPTIONS = ("-std=gnu11", "-O2", "-pipe")
"""As on a server (`bots.cage.build`)."""


class NotCompiled(ValueError):
    """Raised for a source file of which no program could be made; the message says why, in the compiler's words."""


def compiled(source: Path) -> Path:
    """Return the program made of a C file and of what lies beside it; raises NotCompiled.

    It is kept in the author's own cache, by the digest of all C files of the folder.
    """
    digest = hashlib.sha256(" ".join(OPTIONS).encode())
    for file in sorted(file for file in source.parent.iterdir() if file.suffix in (".c", ".h")):
        digest.update(f"{file.name} {file.stat().st_size} ".encode() + file.read_bytes())
    digest.update(source.name.encode())
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ftk" / digest.hexdigest()[:32]
    if not kept.exists():
        _compile(source, kept)
    return kept


def _compile(source: Path, kept: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        raise NotCompiled(f"{source}: there is no C compiler here; install one that is called cc")
    try:
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=kept.parent) as draft:
            words = [compiler, *OPTIONS, "-o", f"{draft}/program", source.name, "-lm"]
            done = subprocess.run(words, cwd=source.parent, capture_output=True, text=True, check=False)
            if done.returncode:
                said = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip())
                raise NotCompiled(f"{source.parent / said if said.startswith(source.name) else said}")
            # whoever was faster has made the same
            Path(draft, "program").rename(kept)
    except OSError as error:
        raise NotCompiled(
            f"{source}: {error.strerror or error} ({kept.parent}); XDG_CACHE_HOME says another place"
        ) from error
