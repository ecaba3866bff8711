"""Files that a bot may read in the sandbox: language runtime and libraries."""

from __future__ import annotations

import contextlib
import os
import py_compile
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from bots.sandbox.filter.system_call_policy import Kind
from bots.sandbox.shared_library_discovery import list_common_libraries, list_libraries
from ftk_core.kit.sandboxing.sandbox_files_and_environment import list_importable_files, write_importable_files
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_packing import let_all_users_read

INSIDE_FOLDER = Path(__file__).with_name("inside")
"""Folder of the files that run inside the sandbox."""
BOOT_FILE = INSIDE_FOLDER / "boot.py"
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
PACKAGE_FOLDERS = ("site-packages", "dist-packages")
"""Folders of the interpreter's library with installed packages, which are hidden from bots."""
SEARCH_PATH = f"{os.defpath}:/usr/local/bin"
"""Search path of compilers and runners, independent of the caller's PATH."""


class SandboxUnavailable(RuntimeError):
    """Raised if this machine cannot run a bot in the sandbox."""


@dataclass(frozen=True, slots=True)
class InterpreterLocation:
    """Paths of the Python interpreter and its standard library, on this machine and in the sandbox."""

    program: Path
    library: Path
    shared: tuple[Path, ...]
    """Paths of libpython, if the interpreter is built as a shared library."""

    @property
    def inside(self) -> str:
        """Path of Python's standard library inside the sandbox."""
        return f"/py/lib/{self.library.name}"

    @property
    def hidden_packages(self) -> list[str]:
        """Paths of folders with installed packages, which bots must not see."""
        # An empty folder is mounted over each: bots may import the standard library, but not these packages.
        return [f"{self.inside}/{name}" for name in PACKAGE_FOLDERS if (self.library / name).is_dir()]

    def libraries(self, wheels: str) -> tuple[str, ...]:
        """Return the paths of the system libraries that every bot sees."""
        # `wheels` is the folder with the Python packages that bots may import; the libraries that they need are
        # included.
        return list_common_libraries(str(self.program), str(self.library), tuple(map(str, self.shared)), wheels)


@cache
def find_interpreter() -> InterpreterLocation:
    """Return the location of this process's base Python interpreter, not of its virtual environment."""
    library = Path(sysconfig.get_path("stdlib"))
    program = Path(os.path.realpath(sys.executable))
    shared = tuple(sorted(Path(sys.base_prefix, "lib").glob("libpython3*.so*")))
    return InterpreterLocation(program, library, shared)


@cache
def create_helper_folder(folder: Path) -> Path:
    """Return the path of a folder with the files of this project that bots can import; create it if needed."""
    # The folder is created once for each version of these files.
    digest = _digest_files(list_importable_files().values())
    target = folder / f"helper-{digest}"
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=target.parent))
        write_importable_files(draft)
        draft.chmod(0o755)
        with contextlib.suppress(OSError):  # another process was first, with the same files
            draft.rename(target)
        shutil.rmtree(draft, ignore_errors=True)
    with contextlib.suppress(OSError):  # the folder of an earlier release, created under a strict umask
        let_all_users_read(target)
    return target


def _digest_files(paths: Iterable[Path]) -> str:
    digest = sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def compile_bootstrap(folder: Path) -> Path:
    """Return the path of the compiled script that runs a bot inside the sandbox."""
    digest = sha256(BOOT_FILE.read_bytes()).hexdigest()[:16]
    target = folder / f"boot-{digest}.{sys.implementation.cache_tag}.pyc"
    if not target.exists():
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(BOOT_FILE), str(target), BOOT_FILE.name, doraise=True, invalidation_mode=unchecked)
    return target


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageRuntime:
    """Paths and settings with which the bots of one language run."""

    kind: Kind
    argv: tuple[str, ...] = ()
    """Command of the interpreter inside the sandbox; empty for Python, whose bots the bootstrap runs itself."""
    path: Path | None = None
    """Path of the interpreter on this machine, which is mounted in the sandbox; None if `extra_paths` suffice."""
    extra_paths: tuple[str, ...] = ()
    """Further paths that the runtime reads, mounted at the same paths inside the sandbox."""
    libraries: str = ""
    """Value of LD_LIBRARY_PATH: folder of the runtime's own libraries, which the runtime cannot find without /proc."""

    @property
    def settings_files(self) -> list[str]:
        """Paths of the runtime's configuration files, such as those in /etc."""
        return [path for path in self.extra_paths if not path.startswith((*LIBRARIES, "/usr/share/"))]

    def argv_in(self, inside: bool) -> tuple[str, ...]:
        """Return the interpreter's command. Its path is valid in the sandbox if `inside` is True, else on the host."""
        return self.argv if inside or self.path is None else (str(self.path), *self.argv[1:])


@cache
def find_runtime(name: str) -> LanguageRuntime:
    """Return the runtime of the language `name`; raises SandboxUnavailable if it is unknown or not installed."""
    language = LANGUAGES.get(name)
    if language is None:
        raise SandboxUnavailable(f"there is no runtime {name!r}; there are {', '.join(LANGUAGES)}")
    if name == "python" or not language.runner:
        return LanguageRuntime(kind=language.filter)
    runner, *options = language.runner
    location = shutil.which(runner, path=SEARCH_PATH) or shutil.which(runner)
    if location is None:
        raise SandboxUnavailable(f"there is no {runner} on this machine; Debian: apt install {language.package}")
    path = Path(os.path.realpath(location))
    if language.levels:
        home = path.parents[language.levels - 1]
        extra_paths = (
            *with_link_targets(home),
            *_paths_outside(home, list_libraries(str(path), *map(str, sorted(home.rglob("*.so"))))),
        )
        return LanguageRuntime(
            kind=language.filter, argv=(str(path), *options), extra_paths=extra_paths, libraries=f"{home}/lib"
        )
    extra_paths = (*list_libraries(str(path)), *filter(os.path.exists, language.files))
    return LanguageRuntime(kind=language.filter, argv=(f"/run/{runner}", *options), path=path, extra_paths=extra_paths)


def _paths_outside(folder: Path, paths: tuple[str, ...]) -> list[str]:
    return [path for path in paths if not Path(path).is_relative_to(folder)]


def with_link_targets(folder: Path) -> tuple[str, ...]:
    """Return the folder's path, followed by the targets of its symbolic links that are outside the folder."""
    # Debian's packages contain such links to settings and sources in other folders.
    targets = {
        os.path.realpath(os.path.join(parent, name))
        for parent, folders, names in os.walk(folder)
        for name in (*folders, *names)
        if os.path.islink(os.path.join(parent, name))
    }
    existing = sorted(path for path in targets if os.path.exists(path) and not Path(path).is_relative_to(folder))
    return (str(folder), *existing)
