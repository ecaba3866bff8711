"""Lists of the files that a compiler may read in the sandbox."""
# It may read no others, because a source can include any readable file.

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from bots.sandbox.language_runtimes import SEARCH_PATH, SandboxUnavailable, with_link_targets
from bots.sandbox.shared_library_discovery import find_loaded_libraries, normalize_usr_path
from ftk_core.kit.uploads.bot_compilation import CompilerMissing, InstalledCompiler, find_compiler

TOOLS = ("as", "ld")
PASSES = ("cc1", "cc1plus", "collect2", "lto-wrapper", "liblto_plugin.so")
"""Programs and plugins that `cc` calls."""
LINKED_FILES = (
    "crt1.o", "Scrt1.o", "crti.o", "crtn.o", "libc.so", "libc.so.6", "libc_nonshared.a", "libm.so", "libm.so.6",
    "libmvec.so.1", "libgcc_s.so", "libgcc_s.so.1", "libstdc++.so.6", "libutil.a", "librt.a",
    "libpthread.a", "libdl.a", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
)  # fmt: skip
HEADERS = frozenset(
    name
    for row in (
        "aio alloca arpa asm asm-generic assert bits byteswap c++ complex cpio ctype dirent dlfcn endian err errno",
        "error execinfo fcntl features features-time64 fenv float fmtmsg fnmatch ftw getopt glob gnu grp iconv ifaddrs",
        "inttypes iso646 langinfo libgen libintl limits linux locale malloc math memory mqueue monetary mntent net",
        "netdb netinet nl_types paths poll pthread pty pwd regex sched search semaphore setjmp sgtty signal spawn stab",
        "stdalign stdatomic stdbool stdc-predef stddef stdint stdio stdlib stdnoreturn string strings sys sysexits",
        "syslog tar termio termios tgmath threads time uchar ucontext ulimit unistd utime utmp utmpx values wait",
        "wchar wctype wordexp",
    )
    for name in row.split()
)
"""The headers of the C and C++ standard libraries, as files and folders of `/usr/include`."""
INCLUDE = Path("/usr/include")


def _output_of(*argv: str) -> str:
    result = subprocess.run(argv, capture_output=True, text=True, check=False, env={"PATH": os.defpath, "LC_ALL": "C"})
    return result.stdout.strip()


def _list_headers(folder: Path) -> list[str]:
    try:
        headers = [path for path in sorted(folder.iterdir()) if path.name.removesuffix(".h") in HEADERS]
    except FileNotFoundError:
        return []
    # In Debian 13, `asm` contains links to files below `/usr/lib/linux`.
    return [place for path in headers for place in with_link_targets(path)]


@dataclass(frozen=True, slots=True)
class SandboxedCompiler:
    """A compiler, and the paths of all files and folders that it needs."""

    found: InstalledCompiler
    files: tuple[str, ...]


@cache
def find_sandboxed_compiler(language: str) -> SandboxedCompiler:
    """Return the compiler of a language and its files. Raises SandboxUnavailable if it is not installed."""
    try:
        tools = find_compiler(language, SEARCH_PATH)
    except CompilerMissing as error:
        raise SandboxUnavailable(str(error)) from error
    tools = replace(tools, programs={name: os.path.realpath(place) for name, place in tools.programs.items()})
    compiler, programs = tools.compiler, list(tools.programs.values())
    paths = [*programs, "/bin/sh", *(_find_program("cat"))]
    if "cc" in tools.programs:
        paths += _list_linker_files(tools.programs["cc"])
    if compiler.headers:
        paths += _list_headers(INCLUDE) + _list_headers(INCLUDE / _output_of(tools.programs["cc"], "-print-multiarch"))
    if compiler.folder_arguments:
        paths.append(_output_of(programs[0], *compiler.folder_arguments))
    if compiler.levels:
        paths += with_link_targets(tools.home)
        programs += map(str, tools.home.rglob("*.so"))
    paths += find_loaded_libraries(
        [path for path in (*paths, *programs) if os.path.isfile(path) and os.access(path, os.R_OK)]
    )
    return SandboxedCompiler(
        tools, tuple(dict.fromkeys(normalize_usr_path(path) for path in paths if path and os.path.exists(path)))
    )


def _find_program(name: str) -> list[str]:
    path = shutil.which(name, path=SEARCH_PATH)
    return [path] if path else []


def _list_linker_files(cc: str) -> list[str]:
    """Return the paths of the C compiler's helper programs, and of the libraries and object files for the linker."""
    passes = [_output_of(cc, f"-print-prog-name={name}") for name in PASSES]
    linked = [_output_of(cc, f"-print-file-name={name}") for name in LINKED_FILES]
    tools = [path for name in TOOLS for path in _find_program(name)]
    own = str(Path(_output_of(cc, "-print-libgcc-file-name")).parent)
    return [*(path for path in (*passes, *linked) if os.path.isabs(path)), *tools, own]
