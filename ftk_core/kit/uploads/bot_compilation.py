"""Compilation of bots: the commands, and a cache on the author's machine."""
# A server runs the same commands in a sandbox (`bots.sandbox.sandboxed_compilation`).

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from gettext import gettext as _
from pathlib import Path, PurePosixPath

from ftk_core.kit.uploads.programming_languages import LANGUAGES, CompilerCommands
from ftk_core.kit.uploads.upload_limits import UPLOAD
from ftk_core.kit.uploads.upload_packing import walk_shown_folders

MAX_OUTPUT_CHARACTERS = 4000
"""Maximum number of characters shown of a compiler's output."""


class CompileError(ValueError):
    """Raised for a source that does not compile; the message contains the compiler's output."""


class CompilerMissing(CompileError):
    """Raised if the machine has no compiler for a language; the message names the package to install."""


@dataclass(frozen=True, slots=True)
class InstalledCompiler:
    """A compiler that was found on this machine."""

    compiler: CompilerCommands
    programs: Mapping[str, str]
    """Name -> path of every program that the compilation calls."""

    @property
    def home(self) -> Path:
        """The folder that contains all files that the compiler reads."""
        # Without such a folder (`CompilerCommands.levels` is 0), it is the folder of the compiler itself.
        return Path(self.programs[self.compiler.programs[0]]).resolve().parents[max(0, self.compiler.levels - 1)]

    def steps(self, source: str, scratch: str, out: str) -> list[list[str]]:
        """Return the commands that compile a source file to the program `out`.

        `source` is relative to the commands' working directory. `scratch` is an empty folder for temporary files.
        """
        path = PurePosixPath(source)
        placeholders = {"source": source, "folder": str(path.parent), "stem": path.stem, "scratch": scratch, "out": out}
        return [
            [self.programs[program], *(word.format(**placeholders, **self.programs, home=self.home) for word in step)]
            for program, *step in self.compiler.steps
        ]

    def environment(self, scratch: str) -> dict[str, str]:
        """Return additional environment variables for the compiler's commands, as name -> value.

        `scratch` is a temporary folder.
        """
        variables = self.compiler.environment.items()
        return {"TMPDIR": scratch, **{name: text.format(scratch=scratch, home=self.home) for name, text in variables}}

    def version(self) -> str:
        """Return the compiler's version as one line."""
        command = [self.programs[self.compiler.programs[0]], *self.compiler.version]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return (done.stdout.strip().splitlines() or [""])[0]


def find_compiler(language: str, path: str | None = None) -> InstalledCompiler:
    """Find the compiler of a language in the search path `path` (default: PATH); raises CompilerMissing."""
    entry = LANGUAGES[language]
    compiler = entry.compiler
    assert compiler, language
    programs = {name: shutil.which(name, path=path) for name in compiler.programs}
    if lacks := [name for name, place in programs.items() if place is None]:
        raise CompilerMissing(
            _("there is no {title} compiler on this machine ({lacks}); Debian: apt install {package}").format(
                title=entry.title, lacks=lacks[0], package=compiler.package
            )
        )
    return InstalledCompiler(compiler, {name: place for name, place in programs.items() if place})


def describe_missing_compiler(language: str) -> str:
    """Return a line that names a language's missing compiler or interpreter; empty if it is installed."""
    entry = LANGUAGES[language]
    if entry.runner and language != "python" and shutil.which(entry.runner[0]) is None:
        return f"there is no {entry.runner[0]} on this machine; Debian: apt install {entry.package}"
    try:
        if entry.compiler:
            find_compiler(language)
    except CompilerMissing as error:
        return str(error)
    return ""


def compile_source(language: str, folder: Path, source: str) -> Path:
    """Compile a source file of a folder and return the path of the cached program.

    Raises CompileError, CompilerMissing.
    """
    # The program's name is a digest of compiler, commands and all files of the folder that an upload may have: a source
    # may include any of them.
    tools = find_compiler(language)
    digest = hashlib.sha256(f"{tools.programs} {tools.compiler.steps} {source} ".encode())
    for file in _list_files(folder, folder / source):
        digest.update(f"{file.relative_to(folder)} {file.stat().st_size} ".encode() + file.read_bytes())
    cached_program = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ftk" / digest.hexdigest()[:32]
    if not cached_program.exists():
        _compile(tools, folder, source, cached_program)
    return cached_program


def _list_files(folder: Path, source: Path) -> list[Path]:
    """Return the sorted paths of a source file and of the other files in its folder that the compiler may read."""
    # Hidden files, and files whose suffix is not allowed in an upload, are left out.
    files = list[Path]()
    for place, names in walk_shown_folders(folder):
        files += [place / name for name in names if not name.startswith(".") or place / name == source]
    return sorted(file for file in files if file.suffix in UPLOAD.allowed_suffixes and file.is_file())


def _compile(tools: InstalledCompiler, folder: Path, source: str, cached_program: Path) -> None:
    try:
        cached_program.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=cached_program.parent) as draft:
            for command in tools.steps(source, draft, f"{draft}/program"):
                _run_compiler(command, folder, {**os.environ, **tools.environment(draft)}, source)
            # A concurrent compilation that finishes first has made the same program.
            Path(draft, "program").replace(cached_program)
    except OSError as error:
        raise CompileError(
            _("{source}: {error} ({parent}); set XDG_CACHE_HOME to another folder").format(
                source=folder / source, error=_(error.strerror or str(error)), parent=cached_program.parent
            )
        ) from error


def _run_compiler(command: list[str], folder: Path, environment: dict[str, str], source: str) -> None:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        output = (done.stderr.strip() or done.stdout.strip())[:MAX_OUTPUT_CHARACTERS]
        raise CompileError(
            _("{source} does not compile: {f}").format(
                source=folder / source,
                f=output
                or _("{command} ended with {returncode}").format(command=command[0], returncode=done.returncode),
            )
        )
