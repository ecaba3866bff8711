"""Files of the machine that a bot may read: the interpreter and a list of libraries, nothing of the arena."""

from __future__ import annotations

import contextlib
import os
import py_compile
import shutil
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import ftk_core
from bots.cage.filter.policy import Kind
from bots.cage.libraries import common_libraries, libraries_of
from bots.cage.limits import CageLimits
from ftk_core.kit.languages import LANGUAGES

SHOWN = ("ftk_core/__init__.py", "ftk_core/kit/__init__.py", "ftk_core/kit/bot.py")
"""The only part of this project that a bot can import."""
FILES = Path(__file__).with_name("inside")
"""Folder of the files that run inside the sandbox."""
BOOT = FILES / "boot.py"
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
ENVIRONMENT = {"LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""A bot's whole environment; the hash seed is fixed, so that a match can be repeated."""
FLAGS = ("-s", "-P", "-S", "-B")
"""The options of `-I`, except that the environment, which we set, is read."""
PACKAGES = ("site-packages", "dist-packages")
"""Folders of the interpreter's library with installed packages, which are hidden from bots."""
PLACES = f"{os.defpath}:/usr/local/bin"
"""Search path of compilers and runners, independent of the caller's PATH."""


class CageUnavailable(RuntimeError):
    """Raised if this machine cannot contain a bot; none is started then. The message gives the cause."""


@dataclass(frozen=True, slots=True)
class Python:
    """Location of the interpreter on this machine."""

    program: Path
    library: Path
    shared: tuple[Path, ...]
    """The interpreter as a shared library, if it is built so."""

    @property
    def inside(self) -> str:
        """Path of the library inside the sandbox."""
        return f"/py/lib/{self.library.name}"

    @property
    def covered(self) -> list[str]:
        """Paths of the installed packages inside the sandbox; an empty folder is mounted over each."""
        return [f"{self.inside}/{name}" for name in PACKAGES if (self.library / name).is_dir()]

    def libraries(self, wheels: str) -> tuple[str, ...]:
        """Return the system's libraries that every bot sees, with those of the wheels if given."""
        return common_libraries(str(self.program), str(self.library), tuple(map(str, self.shared)), wheels)


@cache
def python() -> Python:
    """Return this process's interpreter, without its virtual environment."""
    library = Path(sysconfig.get_path("stdlib"))
    program = Path(os.path.realpath(sys.executable))
    shared = tuple(sorted(Path(sys.base_prefix, "lib").glob("libpython3*.so*")))
    return Python(program, library, shared)


@cache
def helper_folder(folder: Path) -> Path:
    """Return a folder with only the bot author's helper; created in `folder` once for each version of the helper."""
    texts = {name: Path(ftk_core.__file__).parent.parent.joinpath(name).read_bytes() for name in SHOWN}
    digest = sha256(b"".join(texts.values())).hexdigest()[:16]
    target = folder / f"helper-{digest}"
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=target.parent))
        for name, text in texts.items():
            (draft / name).parent.mkdir(parents=True, exist_ok=True)
            (draft / name).write_bytes(text)
        draft.chmod(0o755)
        with contextlib.suppress(OSError):  # another process was first, with the same files
            draft.rename(target)
        shutil.rmtree(draft, ignore_errors=True)
    return target


@cache
def boot_file(folder: Path) -> Path:
    """Return the bootstrap, compiled in `folder` once for each version instead of at every start."""
    digest = sha256(BOOT.read_bytes()).hexdigest()[:16]
    target = folder / f"boot-{digest}.{sys.implementation.cache_tag}.pyc"
    if not target.exists():
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(BOOT), str(target), BOOT.name, doraise=True, invalidation_mode=unchecked)
    return target


def rlimits(limits: CageLimits, *, threads: bool, counted_alone: bool) -> dict[str, int]:
    """Return the kernel's limits by name; for a runtime with threads the data segment counts, not the address space.

    The kernel counts threads per user. If a bot shares its user with others, i.e. is not `counted_alone` in a
    namespace, their threads would count too; the number is then limited by `watch` only.
    """
    memory = {"RLIMIT_AS": limits.memory_bytes}
    if threads:
        memory = {"RLIMIT_AS": limits.reserved_bytes, "RLIMIT_DATA": limits.memory_bytes}
    tasks = {"RLIMIT_NPROC": limits.threads if threads else 1} if counted_alone or not threads else {}
    return {
        "RLIMIT_CPU": limits.cpu_seconds,
        **memory,
        **tasks,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_NICE": 0,
        "RLIMIT_RTPRIO": 0,
        "RLIMIT_SIGPENDING": 64,
        "RLIMIT_STACK": 8 * 1024 * 1024,
        "RLIMIT_NOFILE": 64 if threads else limits.descriptors,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A runtime that a bot's command may name."""

    kind: Kind
    argv: tuple[str, ...] = ()
    """Command inside the sandbox; a Python bot is run by the bootstrap itself."""
    path: Path | None = None
    """Path on this machine, to be mounted read-only."""
    around: tuple[str, ...] = ()
    """Further paths that the runtime reads, mounted at the same place."""
    libraries: str = ""
    """Folder of its own libraries: without /proc the loader cannot find a program's own location."""

    @property
    def elsewhere(self) -> list[str]:
        """Files of `around` that are no libraries: settings in /etc."""
        return [path for path in self.around if not path.startswith(LIBRARIES)]

    def argv_in(self, inside: bool) -> tuple[str, ...]:
        """Return the command inside the sandbox, or on the host if the backend has no namespaces."""
        return self.argv if inside or self.path is None else (str(self.path), *self.argv[1:])


@cache
def program_of(name: str) -> Program:
    """Return the runtime of a language; raises CageUnavailable if it is unknown or not installed."""
    row = LANGUAGES.get(name)
    if row is None:
        raise CageUnavailable(f"there is no runtime {name!r}; there are {', '.join(LANGUAGES)}")
    if name == "python" or not row.runner:
        return Program(kind=row.filter)
    runner, *options = row.runner
    place = shutil.which(runner, path=PLACES) or shutil.which(runner)
    if place is None:
        raise CageUnavailable(f"there is no {runner} on this machine; Debian: apt install {row.package}")
    path = Path(os.path.realpath(place))
    if row.levels:
        home = path.parents[row.levels - 1]
        around = (*whole(home), *_outside(home, libraries_of(str(path), *map(str, sorted(home.rglob("*.so"))))))
        return Program(kind=row.filter, argv=(str(path), *options), around=around, libraries=f"{home}/lib")
    around = libraries_of(str(path))
    return Program(kind=row.filter, argv=(f"/run/{runner}", *options), path=path, around=around)


def _outside(folder: Path, paths: tuple[str, ...]) -> list[str]:
    return [path for path in paths if not Path(path).is_relative_to(folder)]


def whole(folder: Path) -> tuple[str, ...]:
    """Return a folder, and the targets of its links outside: Debian keeps settings and sources apart."""
    led = {
        os.path.realpath(os.path.join(place, name))
        for place, folders, names in os.walk(folder)
        for name in (*folders, *names)
        if os.path.islink(os.path.join(place, name))
    }
    there = sorted(path for path in led if os.path.exists(path) and not Path(path).is_relative_to(folder))
    return (str(folder), *there)
