"""Compilation of bots: the commands of each compiler, and a cached compilation on the author's machine.

A server runs the same commands in a sandbox (`bots.cage.build`).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ftk_core.kit.languages import LANGUAGES, Compiler

SAID = 4000
"""Maximum number of characters shown of a compiler's output."""


class NotCompiled(ValueError):
    """Raised for a source that does not compile; the message contains the compiler's output."""


class NoCompiler(NotCompiled):
    """Raised if the machine has no compiler for a language; the message names the package to install."""


@dataclass(frozen=True, slots=True)
class FoundCompiler:
    """A compiler on this machine."""

    compiler: Compiler
    programs: Mapping[str, str]
    """Path of every program that the compilation calls, by name."""

    @property
    def home(self) -> Path:
        """The folder that contains all files that the compiler reads.

        If `levels` is 0, this is the compiler's own folder.
        """
        return Path(self.programs[self.compiler.programs[0]]).resolve().parents[max(0, self.compiler.levels - 1)]

    def steps(self, source: str, scratch: str, out: str) -> list[list[str]]:
        """Return the commands that compile `source`, a path relative to their working directory, to `out`."""
        path = PurePosixPath(source)
        words = {"source": source, "folder": str(path.parent), "stem": path.stem, "scratch": scratch, "out": out}
        return [
            [self.programs[program], *(word.format(**words, **self.programs, home=self.home) for word in step)]
            for program, *step in self.compiler.steps
        ]

    def environment(self, scratch: str) -> dict[str, str]:
        """Return the environment variables for the commands."""
        told = self.compiler.environment.items()
        return {"TMPDIR": scratch, **{name: text.format(scratch=scratch, home=self.home) for name, text in told}}

    def version(self) -> str:
        """Return the compiler's version as one line."""
        words = [self.programs[self.compiler.programs[0]], *self.compiler.version]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return (done.stdout.strip().splitlines() or [""])[0]


def found(language: str, path: str | None = None) -> FoundCompiler:
    """Find the compiler of a language in `path` (by default the PATH variable); raises NoCompiler."""
    row = LANGUAGES[language]
    compiler = row.compiler
    assert compiler, language
    programs = {name: shutil.which(name, path=path) for name in compiler.programs}
    if lacks := [name for name, place in programs.items() if place is None]:
        raise NoCompiler(
            f"there is no {row.title} compiler on this machine ({lacks[0]}); Debian: apt install {compiler.package}"
        )
    return FoundCompiler(compiler, {name: place for name, place in programs.items() if place})


def lacks(language: str) -> str:
    """Return one line that names the compiler or interpreter missing here and its package; empty if none is."""
    row = LANGUAGES[language]
    if row.runner and language != "python" and shutil.which(row.runner[0]) is None:
        return f"there is no {row.runner[0]} on this machine; Debian: apt install {row.package}"
    try:
        if row.compiler:
            found(language)
    except NoCompiler as error:
        return str(error)
    return ""


def compiled(language: str, folder: Path, source: str) -> Path:
    """Compile a source of a folder, with the files beside it, and return the program; raises NotCompiled, NoCompiler.

    The program is stored in the user's cache, by the digest of the compiler, its commands and all sources of the
    folder.
    """
    tools, row = found(language), LANGUAGES[language]
    digest = hashlib.sha256(f"{tools.programs} {tools.compiler.steps} {source} ".encode())
    for file in sorted(file for file in folder.rglob("*") if file.suffix in (row.suffix, *row.beside)):
        digest.update(f"{file.relative_to(folder)} {file.stat().st_size} ".encode() + file.read_bytes())
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ftk" / digest.hexdigest()[:32]
    if not kept.exists():
        _compile(tools, folder, source, kept)
    return kept


def _compile(tools: FoundCompiler, folder: Path, source: str, kept: Path) -> None:
    try:
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=kept.parent) as draft:
            for words in tools.steps(source, draft, f"{draft}/program"):
                _call(words, folder, {**os.environ, **tools.environment(draft)}, source)
            # A concurrent compilation that finishes first has made the same program.
            Path(draft, "program").rename(kept)
    except OSError as error:
        raise NotCompiled(
            f"{folder / source}: {error.strerror or error} ({kept.parent}); XDG_CACHE_HOME says another place"
        ) from error


def _call(words: list[str], folder: Path, environment: dict[str, str], source: str) -> None:
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip())[:SAID]
        raise NotCompiled(f"{folder / source} does not compile: {said or f'{words[0]} ended with {done.returncode}'}")
