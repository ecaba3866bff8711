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
"""Where the files lie that run with a bot."""
BOOT = FILES / "boot.py"
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
ENVIRONMENT = {"LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""All of a bot's environment; the seed of hashes is the same everywhere, so that a match can be asked again."""
FLAGS = ("-s", "-P", "-S", "-B")
"""As isolated as `-I`, but for the environment, which is ours."""
PACKAGES = ("site-packages", "dist-packages")
"""Folders of the interpreter's library that hold what was installed, which is no bot's."""
PLACES = f"{os.defpath}:/usr/local/bin"
"""Where compilers and runners are looked for, whoever runs us."""


class CageUnavailable(RuntimeError):
    """Raised when this machine cannot contain a bot; none is started then. The message says what stands in the way."""


@dataclass(frozen=True, slots=True)
class Python:
    """Where the interpreter lies on this machine."""

    program: Path
    library: Path
    shared: tuple[Path, ...]
    """The interpreter as a shared library, if it is built so."""

    @property
    def inside(self) -> str:
        """Where its library is shown to bots."""
        return f"/py/lib/{self.library.name}"

    @property
    def covered(self) -> list[str]:
        """The folders of installed packages, as bots would see them; an empty one is laid over each."""
        return [f"{self.inside}/{name}" for name in PACKAGES if (self.library / name).is_dir()]

    def libraries(self, wheels: str) -> tuple[str, ...]:
        """Return the system's libraries that every bot sees, with or without wheels."""
        return common_libraries(str(self.program), str(self.library), tuple(map(str, self.shared)), wheels)


@cache
def python() -> Python:
    """Return the interpreter that runs us, without its virtual environment."""
    library = Path(sysconfig.get_path("stdlib"))
    program = Path(os.path.realpath(sys.executable))
    shared = tuple(sorted(Path(sys.base_prefix, "lib").glob("libpython3*.so*")))
    return Python(program, library, shared)


@cache
def helper_folder(folder: Path) -> Path:
    """Return where the bot author's helper lies alone, laid out in a folder once for each of its versions."""
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
    """Return the bootstrap, compiled into a folder once for each of its versions, not by every bot that starts."""
    digest = sha256(BOOT.read_bytes()).hexdigest()[:16]
    target = folder / f"boot-{digest}.{sys.implementation.cache_tag}.pyc"
    if not target.exists():
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(BOOT), str(target), BOOT.name, doraise=True, invalidation_mode=unchecked)
    return target


def rlimits(limits: CageLimits, *, threads: bool, counted_alone: bool) -> dict[str, int]:
    """Return the kernel's limits by name; a runtime with threads reserves far more than it uses: its data counts.

    The kernel counts threads by user: where a bot is not `counted_alone`, in a namespace of its own, others would use
    up what it has, so there it is left to who watches it.
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
    """How it is called inside; a Python bot is run by the bootstrap itself."""
    path: Path | None = None
    """Where it lies on this machine, to be shown read-only."""
    around: tuple[str, ...] = ()
    """What else of this machine it reads, shown where it lies."""
    libraries: str = ""
    """Where libraries of its own lie: without /proc the loader does not know where a program itself lies."""

    @property
    def elsewhere(self) -> list[str]:
        """Files of `around` that are no libraries: settings in /etc."""
        return [path for path in self.around if not path.startswith(LIBRARIES)]

    def argv_in(self, inside: bool) -> tuple[str, ...]:
        """Return how it is called, where it is shown under another name or where it is not."""
        return self.argv if inside or self.path is None else (str(self.path), *self.argv[1:])


@cache
def program_of(name: str) -> Program:
    """Return the runtime of that name; raises CageUnavailable where this machine has none."""
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
    """Return a folder, and what of elsewhere its links lead to: Debian keeps settings and sources apart."""
    led = {
        os.path.realpath(os.path.join(place, name))
        for place, folders, names in os.walk(folder)
        for name in (*folders, *names)
        if os.path.islink(os.path.join(place, name))
    }
    there = sorted(path for path in led if os.path.exists(path) and not Path(path).is_relative_to(folder))
    return (str(folder), *there)
