"""A program made of a source: which words are called for it, and doing it on an author's own machine.

There it is compiled once, and kept for the next match. A server calls the same words in a cage (`bots.cage.build`).
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
"""How many characters of a compiler's words are told."""


class NotCompiled(ValueError):
    """Raised for a source file of which no program could be made; the message says why, in the compiler's words."""


class NoCompiler(NotCompiled):
    """Raised where a machine has no compiler for a language; the message says what to install."""


@dataclass(frozen=True, slots=True)
class FoundCompiler:
    """A compiler on this machine."""

    compiler: Compiler
    programs: Mapping[str, str]
    """All that it calls, and where each is found."""

    @property
    def home(self) -> Path:
        """The folder in which all lies that it reads; its own where it lies among other programs."""
        return Path(self.programs[self.compiler.programs[0]]).resolve().parents[max(0, self.compiler.levels - 1)]

    def steps(self, source: str, scratch: str, out: str) -> list[list[str]]:
        """Return the commands that make `out` of a source of the folder they are called in."""
        path = PurePosixPath(source)
        words = {"source": source, "folder": str(path.parent), "stem": path.stem, "scratch": scratch, "out": out}
        return [
            [self.programs[program], *(word.format(**words, **self.programs, home=self.home) for word in step)]
            for program, *step in self.compiler.steps
        ]

    def environment(self, scratch: str) -> dict[str, str]:
        """Return what the commands are told besides."""
        told = self.compiler.environment.items()
        return {"TMPDIR": scratch, **{name: text.format(scratch=scratch, home=self.home) for name, text in told}}

    def version(self) -> str:
        """Return how the compiler calls itself, in one line."""
        words = [self.programs[self.compiler.programs[0]], *self.compiler.version]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return (done.stdout.strip().splitlines() or [""])[0]


def found(language: str, path: str | None = None) -> FoundCompiler:
    """Return the compiler of a language, looked for in folders (by default one's own PATH); raises NoCompiler."""
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
    """Return what somebody lacks to start bots in a language here, and what to install; empty for nothing."""
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
    """Return the program made of a source of a folder and of what lies beside it; raises NotCompiled, NoCompiler.

    It is kept in the author's own cache, by the digest of the compiler, its words and all sources of the folder.
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
            # whoever was faster has made the same
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
