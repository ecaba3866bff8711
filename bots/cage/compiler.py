"""The files that a compiler needs, listed one by one, because a source can include any file its compiler can read."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from bots.cage.libraries import in_usr, loaded_by
from bots.cage.runtime import PLACES, CageUnavailable, whole
from ftk_core.kit.compiling import FoundCompiler, NoCompiler, found

TOOLS = ("as", "ld")
PASSES = ("cc1", "cc1plus", "collect2", "lto-wrapper", "liblto_plugin.so")
"""Programs that `cc` calls."""
LINKED = (
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
"""The headers of C and C++ and of their libraries, as files and folders of `/usr/include`."""
INCLUDE = Path("/usr/include")


def _said(*argv: str) -> str:
    done = subprocess.run(argv, capture_output=True, text=True, check=False, env={"PATH": os.defpath, "LC_ALL": "C"})
    return done.stdout.strip()


def _headers(folder: Path) -> list[str]:
    try:
        return [str(path) for path in sorted(folder.iterdir()) if path.name.removesuffix(".h") in HEADERS]
    except FileNotFoundError:
        return []


@dataclass(frozen=True, slots=True)
class CagedCompiler:
    """A compiler, and all files and folders that it needs."""

    found: FoundCompiler
    files: tuple[str, ...]


@cache
def tools_of(language: str) -> CagedCompiler:
    """Return the compiler of a language and its files; raises CageUnavailable if it is not installed."""
    try:
        tools = found(language, PLACES)
    except NoCompiler as error:
        raise CageUnavailable(str(error)) from error
    tools = replace(tools, programs={name: os.path.realpath(place) for name, place in tools.programs.items()})
    compiler, programs = tools.compiler, list(tools.programs.values())
    paths = [*programs, "/bin/sh", *(_program("cat"))]
    if "cc" in tools.programs:
        paths += _linker(tools.programs["cc"])
    if compiler.headers:
        paths += _headers(INCLUDE) + _headers(INCLUDE / _said(tools.programs["cc"], "-print-multiarch"))
    if compiler.asks:
        paths.append(_said(programs[0], *compiler.asks))
    if compiler.levels:
        paths += whole(tools.home)
        programs += map(str, tools.home.rglob("*.so"))
    paths += loaded_by([path for path in (*paths, *programs) if os.path.isfile(path) and os.access(path, os.R_OK)])
    return CagedCompiler(tools, tuple(dict.fromkeys(in_usr(path) for path in paths if path and os.path.exists(path))))


def _program(name: str) -> list[str]:
    found = shutil.which(name, path=PLACES)
    return [found] if found else []


def _linker(cc: str) -> list[str]:
    """Return the programs that the C compiler calls, and the files that it links."""
    passes = [_said(cc, f"-print-prog-name={name}") for name in PASSES]
    linked = [_said(cc, f"-print-file-name={name}") for name in LINKED]
    tools = [path for name in TOOLS for path in _program(name)]
    own = str(Path(_said(cc, "-print-libgcc-file-name")).parent)
    return [*(path for path in (*passes, *linked) if os.path.isabs(path)), *tools, own]
